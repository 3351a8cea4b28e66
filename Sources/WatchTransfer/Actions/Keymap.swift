/// How a button is pressed.
public enum Gesture: UInt8, CaseIterable, Sendable {
  case press = 1
  case hold = 2
  /// Twice in short order.
  case double = 3

  /// The word used on the command line and in JSON.
  public var word: String {
    switch self {
    case .press: "press"
    case .hold: "hold"
    case .double: "double"
    }
  }
}

/// What a button does. Each sets, none toggles: what a press means must not depend on what its
/// device has heard (DESIGN section 6, BikeControl).
public enum KeyCommand: Hashable, Sendable {
  /// A point in the match that is shown.
  case point(Team)
  /// Takes back the newest point that this controller added to the match that is shown.
  case undoPoint
  /// Of the match that is shown.
  case clock(ClockControl)
  /// Done, today.
  case markWorkout(title: String)
}

/// One button, pressed in one way, and what that does.
public struct KeyBinding: Hashable, Sendable {
  /// As the controller numbers its buttons.
  public var button: UInt8
  public var gesture: Gesture
  public var command: KeyCommand

  /// `button`, pressed as `gesture`, does `command`.
  public init(button: UInt8, gesture: Gesture, command: KeyCommand) {
    self.button = button
    self.gesture = gesture
    self.command = command
  }
}
