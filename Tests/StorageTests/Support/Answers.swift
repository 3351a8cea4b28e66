import Guards

/// Gives prepared answers, one after the other, the last one for ever.
final class Answers: Sendable {
  private let remaining: Lock<[Int64]>

  init(_ answers: [Int64]) {
    remaining = Lock(answers)
  }

  func next() -> Int64 {
    remaining.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
  }
}
