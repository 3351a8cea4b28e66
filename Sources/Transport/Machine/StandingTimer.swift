internal import Dispatch

/// One timer of the process that never fires, for the sake of those that do.
///
/// On Linux libdispatch opens a timer descriptor when the first timer is armed and closes it when
/// none is. If it cannot open it because descriptors have run out, the process dies (SIGILL;
/// measured with Swift 6.3.1): a peer that opens enough connections would stop the server at its
/// next tick. While one timer stands, the descriptor stays open.
enum StandingTimer {
  // Made once, never changed, never released: nothing is shared but the fact that it exists. The
  // protocol only lacks the conformance to Sendable.
  private nonisolated(unsafe) static let source: any DispatchSourceTimer = {
    let source = DispatchSource.makeTimerSource()
    let tenYearsInSeconds = 10 * 365 * 86_400
    source.schedule(deadline: .now() + .seconds(tenYearsInSeconds))
    source.activate()
    return source
  }()

  /// Makes sure it stands; to be called before the first timer, while descriptors are left.
  static func ensure() {
    withExtendedLifetime(source) {}
  }
}
