public import WatchTransfer

/// What a widget shows, and how it came.
public struct FetchedSnapshot: Hashable, Sendable {
  /// What was asked for.
  public var view: WidgetView
  /// The account's revision that the timeline was made at.
  public var revision: Revision
  /// Names the content; the server is told it with the next fetch.
  public var hash: UInt64
  /// Right each day for a week, even when nothing more arrives.
  public var timeline: WidgetTimeline
  /// The server could not be asked: the last one it sent.
  public var isFromCache: Bool

  /// A snapshot.
  public init(
    view: WidgetView, revision: Revision, hash: UInt64, timeline: WidgetTimeline, isFromCache: Bool
  ) {
    self.view = view
    self.revision = revision
    self.hash = hash
    self.timeline = timeline
    self.isFromCache = isFromCache
  }
}
