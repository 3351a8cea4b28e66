/// A device that acts, as an emulator plays it.
public enum EmulatedKind: String, CaseIterable, Sendable {
  case watch, phone

  /// The program's name.
  public var program: String { "\(rawValue)-emulator" }
}

extension ScriptedAction {
  /// Whether only a phone may ask for it, or is shown what comes of it (DESIGN section 6).
  public var isForPhone: Bool {
    switch self {
    case .squad, .sub, .undoSub: true
    default: false
    }
  }

  /// The forms of `isForPhone`.
  static let phoneForms = [squadForm, subForm, "undo-sub ENTRY"]

  /// Its forms on a device of a kind, for a person.
  static func forms(on kind: EmulatedKind) -> [String] {
    switch kind {
    case .phone: forms
    case .watch: forms.filter { !phoneForms.contains($0) }
    }
  }
}
