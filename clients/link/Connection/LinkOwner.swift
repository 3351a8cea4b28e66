public import WatchTransfer

/// What a link asks of its owner and tells it; everything is called on the link's queue, some of it
/// from within the owner's own call to the link.
public struct LinkOwner: Sendable {
  /// What the owner adds to a ping.
  public struct Vitals: Hashable, Sendable {
    /// What the surface has shown.
    public var shownRevision: Revision?
    /// Actions without a receipt.
    public var pending: UInt64?

    /// Both, where the owner has them.
    public init(shownRevision: Revision? = nil, pending: UInt64? = nil) {
      self.shownRevision = shownRevision
      self.pending = pending
    }
  }

  /// The first frame of a connection.
  public var greeting: @Sendable () -> Hello
  /// For each ping.
  public var vitals: @Sendable () -> Vitals
  /// In the order things happened.
  public var handle: @Sendable (LinkEvent) -> Void

  /// Three closures of one owner.
  public init(
    greeting: @escaping @Sendable () -> Hello,
    vitals: @escaping @Sendable () -> Vitals = { Vitals() },
    handle: @escaping @Sendable (LinkEvent) -> Void
  ) {
    self.greeting = greeting
    self.vitals = vitals
    self.handle = handle
  }
}
