import Dispatch
import Storage
import Synchronization

/// A queue that owns a journal and appends three batches, one after the other.
final class JournalThread: Sendable {
  /// Appends that returned.
  let done = Atomic<Int>(0)
  private let queue = DispatchQueue(label: "journal")

  init(_ path: String, _ faults: JournalFaults) {
    queue.async { [self] in
      guard let directory = try? DataDirectory(path: path),
        let inner = try? SQLiteJournal.start(directory)
      else { return }
      let journal = FaultyJournal(inner, faults: faults)
      for number in 1...3 where (try? journal.append([batch(number)])) != nil {
        done.add(1, ordering: .releasing)
      }
    }
  }

  /// How many appends returned in the end.
  func finished() async -> Int {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.done.load(ordering: .acquiring)) }
    }
  }
}
