/// 128 random bits that name one thing of the kind `Tag`; compared as bytes.
public struct Identifier<Tag>: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The first eight bytes, big-endian.
  public let high: UInt64
  /// The last eight bytes, big-endian.
  public let low: UInt64

  /// Length on the wire, in bytes.
  public static var byteCount: Int { 16 }

  /// Names a thing by two halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Reads exactly 16 bytes, big-endian; nil for any other length.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    var halves: (UInt64, UInt64) = (0, 0)
    for (index, byte) in bytes.enumerated() {
      if index < 8 {
        halves.0 = halves.0 << 8 | UInt64(byte)
      } else {
        halves.1 = halves.1 << 8 | UInt64(byte)
      }
    }
    self.init(high: halves.0, low: halves.1)
  }

  /// Reads 32 hexadecimal digits; nil for anything else.
  public init?(hex: some StringProtocol) {
    guard let bytes = hexadecimalBytes(of: hex) else { return nil }
    self.init(bytes: bytes)
  }

  /// A fresh id from the system's generator (getrandom(2)); never used where a replay must give the
  /// same id again.
  public static func random() -> Self {
    Self(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
  }

  /// The 16 bytes, big-endian.
  public var bytes: [UInt8] {
    (0..<16).map { index in
      let half = index < 8 ? high : low
      return UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * (index % 8)))
    }
  }

  /// 32 lower-case hexadecimal digits.
  public var description: String { hexadecimal(of: bytes) }

  /// Orders by bytes.
  public static func < (left: Self, right: Self) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }

  /// The same bits as the id of another kind of thing.
  public func retagged<Other>(as kind: Other.Type = Other.self) -> Identifier<Other> {
    Identifier<Other>(high: high, low: low)
  }
}

/// Tags of `Identifier`.
public enum AccountTag {}
/// See `AccountTag`.
public enum DeviceTag {}
/// See `AccountTag`.
public enum EpochTag {}
/// See `AccountTag`.
public enum IncarnationTag {}
/// See `AccountTag`.
public enum BootTag {}
/// See `AccountTag`.
public enum WorkoutTag {}
/// See `AccountTag`.
public enum ScheduleTag {}
/// See `AccountTag`.
public enum LogTag {}
/// See `AccountTag`.
public enum MatchTag {}
/// See `AccountTag`.
public enum EntryTag {}
/// See `AccountTag`.
public enum ExerciseTag {}
/// See `AccountTag`.
public enum RoutineTag {}
/// See `AccountTag`.
public enum SessionTag {}
/// See `AccountTag`.
public enum SetTag {}
/// See `AccountTag`.
public enum PlayerTag {}
/// See `AccountTag`.
public enum SubstitutionTag {}
/// See `AccountTag`.
public enum WeightTag {}
/// See `AccountTag`.
public enum FreezeTag {}
/// See `AccountTag`.
public enum PauseTag {}

/// One person.
public typealias AccountID = Identifier<AccountTag>
/// One paired device.
public typealias DeviceID = Identifier<DeviceTag>
/// One start of the server.
public typealias EpochID = Identifier<EpochTag>
/// One life of an outbox.
public typealias IncarnationID = Identifier<IncarnationTag>
/// One boot of a device.
public typealias BootID = Identifier<BootTag>
/// One defined workout.
public typealias WorkoutID = Identifier<WorkoutTag>
/// One schedule of a workout.
public typealias ScheduleID = Identifier<ScheduleTag>
/// One logged workout.
public typealias LogID = Identifier<LogTag>
/// One match.
public typealias MatchID = Identifier<MatchTag>
/// One entry of a score log.
public typealias EntryID = Identifier<EntryTag>
/// One exercise of the library.
public typealias ExerciseID = Identifier<ExerciseTag>
/// One routine.
public typealias RoutineID = Identifier<RoutineTag>
/// One session, and its log.
public typealias SessionID = Identifier<SessionTag>
/// One set of a session.
public typealias SetID = Identifier<SetTag>
/// One player, in any number of squads.
public typealias PlayerID = Identifier<PlayerTag>
/// One entry of a log of substitutions.
public typealias SubstitutionID = Identifier<SubstitutionTag>
/// One weight of the weight log.
public typealias WeightID = Identifier<WeightTag>
/// One freeze of a streak.
public typealias FreezeID = Identifier<FreezeTag>
/// One pause of a streak.
public typealias PauseID = Identifier<PauseTag>
