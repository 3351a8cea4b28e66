internal import CommandLineTool
internal import Transport
internal import WatchTransfer

/// A well-behaved watch: what it has asked, and what it was shown.
struct PacedDevice {
  let connection: ConnectionID
  /// Index into the list of tokens.
  let token: Int
  var phase = Device.Phase.connecting
  var incarnation: IncarnationID
  /// Which goal of its account it sets.
  var goal = 0
  var acts = OpenActs(confirmed: 0)
  /// Whether it has acted in this run.
  var hasActed = false
  /// When the fetches without an answer were due, the oldest first; nanoseconds.
  var fetches: ArraySlice<Int64> = []
  /// The newest revision of a snapshot.
  var fetched: Revision = 0
  /// The revision it was shown.
  var shown: Revision = 0
  /// What its account's goal is, as it was shown.
  var shownValue: Double?
  /// Whether it was shown the whole state at the end.
  var isSettled = false

  /// The acts it sends.
  var frames: ActFrames { ActFrames(incarnation: incarnation, goal: goal) }
}
