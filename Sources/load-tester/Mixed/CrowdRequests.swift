internal import CommandLineTool
internal import WatchTransfer
internal import WireFormat

/// What the members of a crowd send over and over, encoded once.
struct CrowdRequests {
  /// Acts of one burst of a storm.
  static let stormActs = 8
  /// Beside them, as many fetches and as many pings.
  static let stormOthers = 4

  let ping: [UInt8]
  /// Everything, please.
  let resume: [UInt8]
  /// The fetches and pings of a storm.
  let storm: [UInt8]
  /// Many resumes, with a ping behind them, whose pong says that they were read.
  let flood: [UInt8]
  /// What one that never reads asks each second.
  let mute: [UInt8]

  /// Encodes them.
  init(_ encoder: MessageEncoder) {
    ping = encoder.frame(ClientMessage.ping(Ping(nonce: 1)))
    resume = encoder.frame(ClientMessage.resume(nil))
    let view = WidgetView(kind: .streak, family: .small, appearance: .day)
    let fetch = encoder.frame(ClientMessage.fetch(Fetch(view: view)))
    storm = Self.times(Self.stormOthers, fetch) + Self.times(Self.stormOthers, ping)
    flood = Self.times(15, resume) + ping
    mute = Self.times(20, resume) + ping
  }

  private static func times(_ count: Int, _ frame: [UInt8]) -> [UInt8] {
    (0..<count).flatMap { _ in frame }
  }
}
