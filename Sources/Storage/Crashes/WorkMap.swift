internal import CLinux
internal import Glibc
internal import Guards
internal import WatchTransfer

/// `deciding.map`: what each queue of the running server does to whose account, in memory that is
/// shared with the file. Stores survive the process however it ends; they need not survive the
/// machine, whose end is not a crash of ours.
///
/// 8 KiB of little-endian 64-bit words. Bytes 0–63: magic "WrM1", the boot id of the machine (2
/// words), a random number of this start, zeros. Then 127 slots of 64 bytes (`clinux_work`): phase
/// (0: nothing; + 0x100: its thread crashed), account (2), incarnation (2), number, body hash,
/// checksum. Slot 0 belongs to the start and then to the committer, slot n + 1 to partition n.
///
/// Unchecked: the pages are written through atomic stores, each slot by one queue at a time, and
/// are unmapped only when nobody holds the map any more.
public final class WorkMap: WorkSlots, @unchecked Sendable {
  /// What the previous server left behind.
  public struct Found: Equatable, Sendable {
    /// What was under way; empty after a clean stop, and when the machine was started meanwhile.
    public var works: [WorkFound] = []
    /// Names the previous start, so that nothing is counted twice.
    public var start: UInt64 = 0
    /// Whether the file was there and not ours, or cut: it was made again.
    public var isDamaged = false

    /// What a start finds; nothing by itself.
    public init(works: [WorkFound] = [], start: UInt64 = 0, isDamaged: Bool = false) {
      self.works = works
      self.start = start
      self.isDamaged = isDamaged
    }
  }

  private static let bytes = 8_192
  private static let slotBytes = Int(CLINUX_WORK_SLOT_BYTES)
  private static let magic: UInt64 = 0x314D_7257
  /// Slots there are.
  public static let slotsMax = bytes / slotBytes - 1

  private let base: UnsafeMutableRawPointer
  /// The same pages once more: what `release` clears them through.
  private let again: UnsafeMutableRawPointer

  /// Maps the file of a directory, made if it is missing; nil when there is no room for it.
  ///
  /// `found` tells what the previous server left, and is left in the file until `begin`.
  ///
  /// - Throws: `directoryUnusable`.
  public static func open(
    in directory: DataDirectory
  ) throws(StorageError) -> (map: WorkMap, found: Found)? {
    let path = directory.path(of: .deciding)
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor < 0, errno == ENOSPC || errno == EDQUOT { return nil }
    guard descriptor >= 0 else { throw .directoryUnusable(path: path, errno: errno) }
    defer { close(descriptor) }
    var old = [UInt64](repeating: 0, count: bytes / 8)
    let count = try read(descriptor, into: &old, path)
    let found = found(in: old, bytes: count)
    // Written whole, so that it has blocks: a store into a hole on a full disk would be SIGBUS.
    var next = found.isWhole ? old : [UInt64](repeating: 0, count: bytes / 8)
    next[0] = magic
    guard try write(next, to: descriptor, path) else {
      if !found.isWhole { unlink(path) }
      return nil
    }
    let base = try map(descriptor, path)
    do throws(StorageError) {
      return (WorkMap(base, again: try map(descriptor, path)), found.found)
    } catch {
      munmap(base, bytes)
      throw error
    }
  }

  private init(_ base: UnsafeMutableRawPointer, again: UnsafeMutableRawPointer) {
    self.base = base
    self.again = again
  }

  deinit {
    munmap(base, Self.bytes)
    munmap(again, Self.bytes)
  }

  /// What was found has been counted: clears it, and names this start.
  public func begin() {
    for slot in 0..<Self.slotsMax { clinux_work_end(pointer(to: slot)) }
    let words = base.assumingMemoryBound(to: UInt64.self)
    let boot = Self.boot()
    (words[1], words[2]) = boot
    words[3] = .random(in: 1 ... .max)
    clinux_work_mark_crashes()
  }

  /// See `WorkSlots`.
  public func write(_ work: AccountWork?, in slot: Int) {
    invariant(0..<Self.slotsMax ~= slot, "a work slot that is not there")
    guard let work else { return clinux_work_end(pointer(to: slot)) }
    var words = clinux_work(
      phase: UInt64(work.phase.rawValue), account: (work.account.high, work.account.low),
      incarnation: (work.incarnation.high, work.incarnation.low), number: work.number,
      body_hash: work.bodyHash)
    clinux_work_begin(pointer(to: slot), &words)
  }

  /// Clears every slot of the file for good: whatever is written from now on stays in memory of our
  /// own, as the file may be another server's soon. Called once, while the directory is ours.
  ///
  /// Nobody who writes waits or asks for this: mmap(2) replaces the pages under them, and no store
  /// is in the file once it has returned.
  public func release() {
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED
    let pages = mmap(base, Self.bytes, PROT_READ | PROT_WRITE, flags, -1, 0)
    invariant(pages == base, "no memory for 8 KiB")
    for slot in 0..<Self.slotsMax {
      // Not `clinux_work_end`, which says that this thread does nothing any more.
      let words = (again + (slot + 1) * Self.slotBytes).assumingMemoryBound(to: UInt64.self)
      words[0] = 0
    }
  }

  private func pointer(to slot: Int) -> UnsafeMutableRawPointer {
    base + (slot + 1) * Self.slotBytes
  }

  private static func found(
    in words: [UInt64], bytes count: Int
  ) -> (found: Found, isWhole: Bool) {
    guard count == bytes, words[0] == magic else {
      return (Found(isDamaged: count > 0), false)
    }
    var found = Found(start: words[3])
    // After the machine's own end nobody knows which of the stores had reached the disk.
    guard (words[1], words[2]) == boot() else { return (found, true) }
    words.withUnsafeBytes { bytes in
      for slot in 1...slotsMax {
        var work = clinux_work()
        let state = clinux_work_read(bytes.baseAddress.map { $0 + slot * slotBytes }, &work)
        guard state > 0,
          let phase = AccountWork.Phase(rawValue: UInt8(truncatingIfNeeded: work.phase))
        else { continue }
        let named = AccountWork(
          phase, AccountID(high: work.account.0, low: work.account.1),
          IncarnationID(high: work.incarnation.0, low: work.incarnation.1), work.number,
          work.body_hash)
        found.works.append(WorkFound(named, hasCrashed: state == 2))
      }
    }
    return (found, true)
  }

  /// Names this boot of the machine (random(4)); zeros where nothing tells.
  private static func boot() -> (UInt64, UInt64) {
    let descriptor = Glibc.open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return (0, 0) }
    defer { close(descriptor) }
    var text = [UInt8](repeating: 0, count: 36)
    guard Glibc.read(descriptor, &text, text.count) == text.count else { return (0, 0) }
    let digits = String(decoding: text, as: UTF8.self).filter { $0 != "-" }
    guard let id = BootID(hex: digits) else { return (0, 0) }
    return (id.high, id.low)
  }

  private static func map(
    _ descriptor: Int32, _ path: String
  ) throws(StorageError) -> UnsafeMutableRawPointer {
    let pages = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let pages, pages != MAP_FAILED else {
      throw .directoryUnusable(path: path, errno: errno)
    }
    return pages
  }

  /// How many bytes there are, at most one more than a whole map has.
  private static func read(
    _ descriptor: Int32, into words: inout [UInt64], _ path: String
  ) throws(StorageError) -> Int {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else {
      throw .directoryUnusable(path: path, errno: errno)
    }
    if facts.st_size != bytes { return min(Int(facts.st_size), bytes + 1) }
    var count = pread(descriptor, &words, bytes, 0)
    while count < 0, errno == EINTR { count = pread(descriptor, &words, bytes, 0) }
    guard count >= 0 else { throw .directoryUnusable(path: path, errno: errno) }
    return count
  }

  /// False when there is no room.
  private static func write(
    _ words: [UInt64], to descriptor: Int32, _ path: String
  ) throws(StorageError) -> Bool {
    var count = pwrite(descriptor, words, bytes, 0)
    while count < 0, errno == EINTR { count = pwrite(descriptor, words, bytes, 0) }
    var isDone = count == bytes && ftruncate(descriptor, off_t(bytes)) == 0
    if isDone { isDone = fdatasync(descriptor) == 0 }
    if isDone { return true }
    if count >= 0 && count < bytes || errno == ENOSPC || errno == EDQUOT { return false }
    throw .directoryUnusable(path: path, errno: errno)
  }
}
