import Guards

/// Keeps what a script saw.
final class Recorder<Element: Sendable>: Sendable {
  private let state = Lock<[Element]>([])

  var values: [Element] { state.withLock { $0 } }

  func append(_ element: Element) { state.withLock { $0.append(element) } }
}
