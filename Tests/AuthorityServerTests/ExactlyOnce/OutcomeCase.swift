import TestSupport
import WatchTransfer

/// Every way in which an act can be decided.
enum OutcomeCase: String, CaseIterable {
  case applied
  case refused
  case invalid
  case unsupported
  case forbidden
  case expired

  /// What may send such an act.
  var kind: DeviceKind { self == .forbidden ? .health : .watch }

  /// The act; `match` has another device's clock running.
  func act(of device: TestDevice, match: MatchID) -> Act {
    switch self {
    case .applied: device.queue(Scene.goal(7))
    case .refused: device.queue(.unscheduleWorkout(id: .random()))
    case .invalid: device.outbox.act(body: Scene.brokenBody)
    case .unsupported: device.outbox.act(body: Scene.unknownBody)
    case .forbidden: device.queue(Scene.goal(7))
    case .expired:
      device.outbox.act(
        .controlClock(match: match, control: .pause),
        at: device.moment.wall.advanced(milliseconds: -121_000))
    }
  }

  /// Whether an outcome is this one.
  func fits(_ outcome: Outcome) -> Bool {
    switch (self, outcome) {
    case (.applied, .applied), (.expired, .expired): true
    case (.refused, .refused(let reason)): reason == .notFound
    case (.invalid, .refused(let reason)): reason == .invalid(field: "body")
    case (.unsupported, .refused(let reason)): reason == .unsupported
    case (.forbidden, .refused(let reason)): reason == .forbidden
    default: false
    }
  }
}

/// Every way in which an outbox comes to ask again.
enum AskingAgain: String, CaseIterable {
  case sameConnection
  case newConnection
  case otherDevice
  case afterRestart
  case afterCrash

}
