internal import Transport
internal import WatchTransfer

/// One welcomed connection of a device. Owned by its partition's queue.
final class Session {
  let connection: ConnectionID
  /// Replaced in a redacted record alone.
  var device: PairedDevice
  let account: Account
  let deviceState: DeviceState
  /// Who is at the far end.
  let peer: PeerAddress

  /// Whether its Welcome has left: before it, no update does.
  var isWelcomed = false
  /// The last revision it was sent; `from` of the next update is always this number.
  var sent: Revision = 0
  /// The revision after which it asked for everything and was not answered yet: however often it
  /// asks while its socket is full, it is owed one update, changed or not. `sent` stays what it is
  /// until then, since readings go on in between.
  var resumeFrom: Revision?
  /// Between updates, as the client asked and its kind allows; 0: as they come.
  let minimumInterval: Int64
  /// When the next update may leave, by the monotonic clock.
  var nextUpdateAt: Int64 = 0
  /// Readings that changed since they were last sent.
  var dirtyReadings: Set<ReadingKind> = []
  /// Whether readings wait for a commit.
  var hasReadingsWaiting = false
  /// When readings were last sent.
  var readingsSentAt: Int64 = .min / 2

  /// Whether the last reading `live` that it was sent says something.
  var showsLive = false

  /// Requests whose answers wait for a commit.
  var waiting = 0
  /// Whether it is not read, because it has too much in flight or its account is being loaded.
  var isPaused = false
  /// Whether it is not read until its device may ask for more.
  var isThrottled = false
  /// Whether it is not read until a chunk of it was kept, or a range read.
  var isAwaitingBytes = false
  /// Whether the client has finished its side.
  var hasEnded = false
  /// Why it ends once everything asked before is answered.
  var dismissal: Goodbye.Reason?

  /// Incarnations that have gone back in time: their new acts are ignored on this connection.
  var ignored: Set<IncarnationID> = []
  /// The number expected next after a hold: acts above it are dropped in silence until it arrives.
  var heldAt: [IncarnationID: ActionNumber] = [:]
  /// Acts that wait for a sample of the device's clock.
  var unmeasured: [Act] = []
  /// When they are decided by the wall clock, by the monotonic clock.
  var measureDeadline: Int64 = .max

  /// The last revision it said it shows; counted, and nothing else.
  var shown: Revision = 0

  /// The clock sample under way.
  var ping: (nonce: UInt64, sentAt: Int64)?
  /// When the clock was last sampled.
  var sampledAt: Int64 = .min / 2
  /// When it was last heard, by the monotonic clock.
  var heardAt: Int64

  /// What a widget last fetched, by view.
  var fetched: [WidgetView: UInt64] = [:]
  /// What it should fetch again.
  var reloads: [WidgetKind: OwedReload] = [:]

  init(
    connection: ConnectionID, peer: PeerAddress, device: PairedDevice, account: Account,
    minimumInterval: Int64, heardAt: Int64
  ) {
    self.connection = connection
    self.peer = peer
    self.device = device
    self.account = account
    deviceState = account.state(of: device)
    self.minimumInterval = minimumInterval
    self.heardAt = heardAt
  }
}
