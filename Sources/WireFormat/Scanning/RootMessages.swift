import CProtobufC
import CWireProto

/// A message type that stands alone in bytes: its generated descriptor, and the index of its rules.
struct RootMessage<Message> {
  let descriptor: UnsafePointer<ProtobufCMessageDescriptor>
  let rules: Int

  fileprivate init(
    _ rules: Int, _ initialize: (UnsafeMutablePointer<Message>?) -> Void
  ) {
    self.rules = rules
    descriptor = messageDescriptor(initialize)
  }
}

/// Every message type that stands alone in bytes.
struct RootMessages {
  let frame = RootMessage(0, wristwire__v1__watch_transfer_message__init)
  let body = RootMessage(1, wristwire__v1__action_body__init)
  let timeline = RootMessage(2, wristwire__v1__widget_timeline__init)
  let today = RootMessage(3, wristwire__v1__today_facet__init)
  let streak = RootMessage(4, wristwire__v1__streak_facet__init)
  let goals = RootMessage(5, wristwire__v1__goals_facet__init)
  let preferences = RootMessage(6, wristwire__v1__preferences_facet__init)
  let theme = RootMessage(7, wristwire__v1__theme_facet__init)
  let teams = RootMessage(8, wristwire__v1__teams_facet__init)
  let score = RootMessage(9, wristwire__v1__score_facet__init)
  let matchClock = RootMessage(10, wristwire__v1__match_clock_facet__init)
  let presence = RootMessage(11, wristwire__v1__presence_reading__init)
  let delivery = RootMessage(12, wristwire__v1__delivery_reading__init)
  let continuity = RootMessage(13, wristwire__v1__continuity_reading__init)
  let routines = RootMessage(14, wristwire__v1__routines_facet__init)
  let session = RootMessage(15, wristwire__v1__session_facet__init)
  let lastSession = RootMessage(16, wristwire__v1__last_session_facet__init)
  let squads = RootMessage(17, wristwire__v1__squads_facet__init)
  let playTime = RootMessage(18, wristwire__v1__play_time_facet__init)
  let live = RootMessage(19, wristwire__v1__live_reading__init)

  /// In the order of their indices.
  var descriptors: [UnsafePointer<ProtobufCMessageDescriptor>] {
    [
      frame.descriptor, body.descriptor, timeline.descriptor, today.descriptor, streak.descriptor,
      goals.descriptor, preferences.descriptor, theme.descriptor, teams.descriptor,
      score.descriptor, matchClock.descriptor, presence.descriptor, delivery.descriptor,
      continuity.descriptor, routines.descriptor, session.descriptor, lastSession.descriptor,
      squads.descriptor, playTime.descriptor, live.descriptor,
    ]
  }
}

/// The descriptor of the message type that `initialize` makes. A C global imported into Swift has
/// no stable address of its own, so it is taken from a fresh message.
private func messageDescriptor<Message>(
  _ initialize: (UnsafeMutablePointer<Message>?) -> Void
) -> UnsafePointer<ProtobufCMessageDescriptor> {
  let message = UnsafeMutablePointer<Message>.allocate(capacity: 1)
  defer { message.deallocate() }
  initialize(message)
  let base = UnsafeMutableRawPointer(message).assumingMemoryBound(to: ProtobufCMessage.self)
  guard let descriptor = base.pointee.descriptor else {
    fatalError("a generated message has no descriptor")
  }
  return descriptor
}
