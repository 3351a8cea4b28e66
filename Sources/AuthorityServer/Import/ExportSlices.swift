internal import Dispatch
internal import Glibc
public import HealthImport

/// Reads a health export on a thread of its own and hands it on in slices; it reads no further than
/// two slices ahead, so that memory stays flat however large the file is.
public struct ExportSlices: Sendable {
  /// Items handed on together.
  static let itemsMax = 256
  /// Slices read before the first of them was taken.
  static let slicesAheadMax = 2

  private let path: String

  /// The export at `path`: a file, a folder that holds one, or `-` for standard input.
  public init(path: String) {
    self.path = path
  }

  /// Calls `body` with one slice after the other.
  ///
  /// - Throws: `HealthImportError`, or what `body` throws.
  public func handOn(_ body: ([ImportItem]) async throws -> Void) async throws {
    let (slices, continuation) = AsyncThrowingStream.makeStream(of: [ImportItem].self)
    // Raised to two, not made with two: a semaphore that ends below the value it was made with ends
    // the process (dispatch_semaphore_create(3)), and a reader that is cut off leaves it lower.
    let room = DispatchSemaphore(value: 0)
    for _ in 0..<Self.slicesAheadMax { room.signal() }
    let path = path
    DispatchQueue(label: "wristwire.import").async {
      do {
        try Self.read(path) { slice in
          room.wait()
          if case .terminated = continuation.yield(slice) { throw CancellationError() }
        }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    defer {
      continuation.finish()
      // Lets a reader that waits for room notice that nobody reads any more.
      room.signal()
    }
    for try await slice in slices {
      try await body(slice)
      room.signal()
    }
    // A cancelled wait ends like the end of the file.
    try Task.checkCancellation()
  }

  private static func read(_ path: String, _ handOn: ([ImportItem]) throws -> Void) throws {
    var slice: [ImportItem] = []
    let reader = AppleHealthReader()
    let take: (ImportItem) throws -> Void = { item in
      slice.append(item)
      if slice.count >= itemsMax {
        try handOn(slice)
        slice = []
      }
    }
    if path == "-" {
      _ = try reader.read(descriptor: STDIN_FILENO, onItem: take)
    } else {
      _ = try reader.read(path: try file(at: path), onItem: take)
    }
    if !slice.isEmpty { try handOn(slice) }
  }

  private static func file(at path: String) throws -> String {
    var facts = stat()
    let isFolder = stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    return isFolder ? try ExportFolder.exportPath(in: path) : path
  }
}
