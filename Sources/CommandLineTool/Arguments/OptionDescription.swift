/// One option of a command, such as `--zone ZONE`.
public struct OptionDescription: Hashable, Sendable {
  /// How often it may stand, and whether a value follows.
  public enum Form: Hashable, Sendable {
    /// No value; standing twice means the same as once.
    case flag
    /// One value, once.
    case single
    /// One value each time, in order.
    case repeated
  }

  /// Without the dashes.
  public var name: String
  public var form: Form
  /// What stands for the value in the help; empty for a flag.
  public var valueName: String
  public var explanation: String
  public var isRequired: Bool
  /// The environment variable that stands in for a missing option.
  public var variable: String?
  /// Its value never appears in a message.
  public var isSecret: Bool

  /// A switch.
  public static func flag(_ name: String, _ explanation: String) -> Self {
    Self(
      name: name, form: .flag, valueName: "", explanation: explanation, isRequired: false,
      variable: nil, isSecret: false)
  }

  /// An option with one value.
  public static func value(
    _ name: String, _ valueName: String, _ explanation: String, isRequired: Bool = false,
    variable: String? = nil, isSecret: Bool = false
  ) -> Self {
    Self(
      name: name, form: .single, valueName: valueName, explanation: explanation,
      isRequired: isRequired, variable: variable, isSecret: isSecret)
  }

  /// An option that may stand many times; the order is kept.
  public static func repeated(_ name: String, _ valueName: String, _ explanation: String) -> Self {
    Self(
      name: name, form: .repeated, valueName: valueName, explanation: explanation,
      isRequired: false, variable: nil, isSecret: false)
  }

  /// The token of a paired device, from the option or from `WRISTWIRE_TOKEN`; read it with
  /// `ParsedArguments.token()`. A device that was paired by a code needs none.
  public static let token = value(
    "token", "TOKEN",
    "Token of the paired device, 64 hexadecimal digits; WRISTWIRE_TOKEN keeps it out of the "
      + "process list.", variable: "WRISTWIRE_TOKEN", isSecret: true)

  /// A pairing code; read it with `ParsedArguments.code()`, beside `codeFile`.
  public static func code(keptIn directory: String) -> Self {
    value(
      "code", "CODE",
      "Pair with this code of 8 digits from wristwire pair --code, instead of a token. The token is "
        + "kept in \(directory): later starts need neither. Everybody on this machine can read CODE "
        + "in the process list; \"-\" reads it from standard input, as wristwire pair prints it.",
      isSecret: true)
  }

  /// Where a pairing code stands that nobody else should see.
  public static let codeFile = value(
    "code-file", "FILE", "The same with the code in a file, out of the process list.")

  /// With its dashes, as a person types it.
  public var spelling: String { "--\(name)" }

  /// As it stands in the list of options: `--zone ZONE`.
  public var heading: String { form == .flag ? spelling : "\(spelling) \(valueName)" }

  /// As it stands in the usage line: `[--zone ZONE]`, `[--do "ACTION"]…`.
  public var usage: String {
    if isRequired { return heading }
    return form == .repeated ? "[\(heading)]…" : "[\(heading)]"
  }
}
