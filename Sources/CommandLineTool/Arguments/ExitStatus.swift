/// How a program ends, as its caller sees it.
public struct ExitStatus: RawRepresentable, Hashable, Sendable {
  /// What exit(3) is given, 0 to 255.
  public let rawValue: Int32

  /// The status `rawValue`.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// Everything that was asked for was done.
  public static let ok = ExitStatus(rawValue: 0)
  /// It was tried, and failed.
  public static let failed = ExitStatus(rawValue: 1)
  /// It was not tried: the command line makes no sense.
  public static let usage = ExitStatus(rawValue: 2)
  /// Some actions remain queued (watch emulator).
  public static let queued = ExitStatus(rawValue: 3)

  /// Ended by a signal before its work was done: 128 + its number, as shells report it.
  public static func interrupted(by signal: Int32) -> ExitStatus {
    ExitStatus(rawValue: 128 + signal)
  }
}
