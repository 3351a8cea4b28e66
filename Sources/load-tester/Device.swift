internal import CommandLineTool
internal import Transport
internal import WatchTransfer

/// One connection and the device it is; a plain value in a table, so that an answer touches no
/// reference count.
struct Device {
  /// How far it has come.
  enum Phase {
    case connecting
    case welcomed
    case gone
  }

  let connection: ConnectionID
  /// Index into the list of tokens.
  let token: Int
  var phase = Phase.connecting
  /// Answers that are missing of the requests sent last.
  var unanswered = 0
  /// When those were sent; nanoseconds on the monotonic clock.
  var sentAt: Int64 = 0

  /// Which goal of its account it sets.
  var goal = 0
  var incarnation: IncarnationID
  /// Every act up to it has its receipt.
  var confirmed: ActionNumber = 0
  /// When acts that were held are sent again; nanoseconds on the monotonic clock.
  var resendAt: Int64 = .max

  /// `incarnation` is that of its outbox: the same in every run, since a server takes few new ones
  /// of a device in a day.
  init(connection: ConnectionID, token: Int, incarnation: IncarnationID) {
    self.connection = connection
    self.token = token
    self.incarnation = incarnation
  }

  /// The acts it sends.
  var frames: ActFrames { ActFrames(incarnation: incarnation, goal: goal) }

  /// Goes on with a new outbox, as one that has gone back in time does.
  mutating func startOver() {
    incarnation = .random()
    confirmed = 0
  }
}
