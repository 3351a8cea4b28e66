internal import CommandLineTool
internal import Synchronization

/// SIGINT and SIGTERM as something a loop can look at.
final class StopFlag: Sendable {
  private let arrived = Atomic<Int32>(0)
  /// Held so that the signals stay taken over.
  private let interruption = Interruption()

  /// Takes the signals over, from now to the end of the process.
  init() {
    let signals = interruption.signals
    Task.detached { [self] in
      for await number in signals { arrived.store(number, ordering: .relaxed) }
    }
  }

  /// The signal that asked to stop; nil: none did.
  var signal: Int32? {
    let number = arrived.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }
}
