import Glibc

/// Reads the workouts of an Apple Health `export.xml` as a stream.
///
/// Memory depends on the limits, never on the size of the file. Records, routes and summaries are
/// passed over; a broken place costs the workout it stands in and nothing else.
public struct AppleHealthReader: Sendable {
  private let limits: ImportLimits

  /// A reader with these limits per workout.
  public init(limits: ImportLimits = ImportLimits()) {
    self.limits = limits
  }

  /// Reads a file.
  ///
  /// - Throws: `fileUnreadable`, `notAnExport`, `outOfMemory`, or `receiverFailed` with what
  ///   `onItem` threw.
  public func read(
    path: String, onItem: (ImportItem) throws -> Void
  ) throws(HealthImportError) -> ImportCounts {
    try FileReading.withFile(path) { descriptor throws(HealthImportError) in
      try read(descriptor: descriptor, onItem: onItem)
    }
  }

  /// Reads from a descriptor, such as standard input, to its end; does not close it.
  ///
  /// Items come in the order of the file, each as soon as its element is whole.
  ///
  /// - Throws: as `read(path:onItem:)`.
  public func read(
    descriptor: Int32, onItem: (ImportItem) throws -> Void
  ) throws(HealthImportError) -> ImportCounts {
    var parser = try ExportParser(limits: limits)
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: ImportLimits.pieceBytes, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = try FileReading.read(descriptor, into: buffer)
      if count == 0 { return try parser.finish(onItem: onItem) }
      try parser.feed(UnsafeRawBufferPointer(rebasing: buffer[..<count]), onItem: onItem)
    }
  }
}
