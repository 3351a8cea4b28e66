internal import CSimulatedDisk
internal import Foundation
internal import Guards
internal import Storage
internal import WatchTransfer

/// A real journal database on a disk in memory that loses, tears and refuses writes.
final class SimulatedDisk {
  private let disk: OpaquePointer
  private let directory: DataDirectory

  /// All files at one moment.
  final class Image {
    fileprivate let pointer: OpaquePointer

    fileprivate init(_ pointer: OpaquePointer) {
      self.pointer = pointer
    }

    deinit {
      simulated_disk_image_free(pointer)
    }
  }

  /// A disk without files. `folder` becomes a real directory, for the lock alone; its path names
  /// the disk.
  init(folder: String, seed: UInt64) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    directory = try DataDirectory(path: folder, fileSystem: folder)
    guard let disk = simulated_disk_new(folder, seed) else { throw StorageError.full(.journal) }
    self.disk = disk
  }

  deinit {
    simulated_disk_free(disk)
  }

  /// Opens the journal, as a start of the server does.
  func open(epoch: EpochID, at milliseconds: Int64) throws(StorageError) -> SQLiteJournal {
    try SQLiteJournal.open(
      directory: directory, epoch: epoch, startedMilliseconds: milliseconds)
  }

  /// Something is wrong with the `nth` operation from now on.
  func failWrite(_ fault: SimulatedStore.WriteFault, nth: Int64) {
    let kind =
      switch fault {
      case .lost: simulated_disk_write_fails
      case .kept: simulated_disk_sync_fails
      case .full: simulated_disk_is_full
      case .halfWritten: simulated_disk_dies
      }
    simulated_disk_plan(disk, Int32(kind), UInt32(clamping: nth))
  }

  /// Nothing is wrong any more.
  func heal() { simulated_disk_plan(disk, Int32(simulated_disk_no_fault), 0) }

  /// The process is gone, and with `losesPower` what was not synced is there, or not, or in part.
  func crash(losesPower: Bool) {
    if losesPower { simulated_disk_lost_power(disk) } else { simulated_disk_process_died(disk) }
  }

  /// A copy of all files.
  func image() -> Image {
    guard let image = simulated_disk_copy(disk) else { fatalError("out of memory") }
    return Image(image)
  }

  /// All files are what a copy has; the process must be gone.
  func put(back image: Image) {
    invariant(simulated_disk_put_back(disk, image.pointer) != 0, "out of memory")
  }
}
