/// Items from the bytes of an export, in chunks cut anywhere; does no input of its own.
package struct ExportParser {
  private let limits: ImportLimits
  private var scanner: WorkoutScanner
  private let element: WorkoutElementParser
  private var counts = ImportCounts()

  /// A parser before the first byte.
  ///
  /// - Throws: `outOfMemory`.
  package init(limits: ImportLimits) throws(HealthImportError) {
    self.limits = limits
    scanner = WorkoutScanner(markupBytesMax: limits.markupBytesMax)
    element = try WorkoutElementParser(limits: limits)
  }

  /// Takes the next bytes and hands on what they complete.
  ///
  /// - Throws: `receiverFailed` with what `onItem` threw.
  package mutating func feed(
    _ bytes: UnsafeRawBufferPointer, onItem: (ImportItem) throws -> Void
  ) throws(HealthImportError) {
    counts.bytes += bytes.count
    while let signal = scanner.next(in: bytes) {
      switch signal {
      case .began(let line):
        try closeUnfinished(.unclosed, onItem)
        element.begin(line: line)
      case .bytes(let range):
        take(bytes[range])
      case .ended(let range):
        take(bytes[range])
        if let item = element.end() { try deliver(item, onItem) }
      case .rootEnded:
        try closeUnfinished(.unclosed, onItem)
      }
    }
  }

  /// Ends the input; what is left open is a problem of its own.
  ///
  /// - Throws: `notAnExport` if there was neither a root nor a workout; `receiverFailed`.
  package mutating func finish(
    onItem: (ImportItem) throws -> Void
  ) throws(HealthImportError) -> ImportCounts {
    if element.isOpen {
      try closeUnfinished(.truncated, onItem)
    } else if scanner.hasRoot, !scanner.hasRootEnded {
      let problem = ImportProblem(line: scanner.line, reason: .truncated)
      try deliver(.skipped(problem), onItem)
    }
    guard scanner.hasRoot || counts.workouts + counts.skipped > 0 else { throw .notAnExport }
    return counts
  }

  private func take(_ part: Slice<UnsafeRawBufferPointer>) {
    if scanner.isMarkupTooLong { element.reject(.markupTooLong(max: limits.markupBytesMax)) }
    element.feed(UnsafeRawBufferPointer(rebasing: part))
  }

  private mutating func closeUnfinished(
    _ reason: ImportProblem.Reason, _ onItem: (ImportItem) throws -> Void
  ) throws(HealthImportError) {
    guard element.isOpen else { return }
    element.reject(reason)
    if let item = element.end() { try deliver(item, onItem) }
  }

  private mutating func deliver(
    _ item: ImportItem, _ onItem: (ImportItem) throws -> Void
  ) throws(HealthImportError) {
    switch item {
    case .workout: counts.workouts += 1
    case .skipped: counts.skipped += 1
    }
    do {
      try onItem(item)
    } catch {
      throw .receiverFailed(error)
    }
  }
}
