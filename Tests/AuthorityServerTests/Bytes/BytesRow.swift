import WatchTransfer

/// One row of the table: what a peer sends, and the right reaction to it.
struct BytesRow: Sendable {
  /// The catalogue's number, and which of its cases.
  let name: String
  let stimulus: Stimulus
  let reaction: Reaction
  /// The sentence of the design that decides, where it gives another reaction than the catalogue.
  let decidedBy: String?

  /// What is sent.
  enum Stimulus: Sendable {
    /// The first bytes of a connection; `finished`: and no more.
    case first([UInt8], finished: Bool = false)
    /// A Hello made for the row's token.
    case greeting(@Sendable (_ token: [UInt8]) -> [UInt8])
    /// Bytes on a welcomed connection of a watch.
    case welcomed([UInt8])
    /// The body of a watch's first act.
    case body([UInt8])
    /// More than bytes.
    case script(@Sendable (BytesStage) throws -> Void)
  }

  /// What comes of it. Unless it says otherwise, the account's facets and revision stay as they
  /// were.
  enum Reaction: Sendable {
    /// Goodbye with this reason, and the end of the connection, counted by the reason.
    case goodbye(Goodbye.Reason)
    /// A refusal that consumes the act's number; the connection stays.
    case refused(RefusalReason)
    /// Applied; the connection stays.
    case applied
    /// A Welcome; the connection stays.
    case welcome
    /// A Pong for the nonce, and nothing else; the connection stays.
    case pong(UInt64)
    /// What the script makes sure of.
    case asScripted
  }

  init(
    _ name: String, _ stimulus: Stimulus, _ reaction: Reaction = .asScripted,
    by sentence: String? = nil
  ) {
    self.name = name
    self.stimulus = stimulus
    self.reaction = reaction
    decidedBy = sentence
  }
}

extension BytesRow {
  /// Whether the row writes, and so needs an account of its own.
  var mayChange: Bool {
    switch stimulus {
    case .first, .greeting, .welcomed: false
    case .body, .script: true
    }
  }
}

/// The parts of the catalogue.
enum BytesSection: String, CaseIterable, Sendable {
  case framing = "A"
  case content = "B"
  case identity = "C"
  case delivery = "D"

  var rows: [BytesRow] {
    switch self {
    case .framing: BytesRow.framing
    case .content: BytesRow.content
    case .identity: BytesRow.identity
    case .delivery: BytesRow.delivery
    }
  }
}

/// How a peer reaches the server.
enum BytesPath: CaseIterable, Sendable {
  case tcp
  case unixSocket
}
