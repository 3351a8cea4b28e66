internal import Glibc

/// How many descriptors this process may have open (RLIMIT_NOFILE).
public struct DescriptorLimit: Hashable, Sendable {
  /// What is enforced now.
  public let soft: UInt64
  /// How far the process may raise the soft limit by itself.
  public let hard: UInt64

  /// Reads the limit of this process.
  public static func current() throws(SystemError) -> DescriptorLimit {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { throw failed("getrlimit") }
    return DescriptorLimit(soft: UInt64(limit.rlim_cur), hard: UInt64(limit.rlim_max))
  }

  /// Raises the soft limit to the hard one and returns what holds then; for the start of a program,
  /// because the usual soft limit (1,024) is far below what a server needs.
  @discardableResult
  public static func raiseToHard() throws(SystemError) -> DescriptorLimit {
    let limit = try current()
    return try set(soft: limit.hard)
  }

  /// Sets the soft limit, at most the hard one.
  @discardableResult
  public static func set(soft: UInt64) throws(SystemError) -> DescriptorLimit {
    let limit = try current()
    var wanted = rlimit(rlim_cur: rlim_t(soft), rlim_max: rlim_t(limit.hard))
    guard setrlimit(resource, &wanted) == 0 else { throw failed("setrlimit") }
    return DescriptorLimit(soft: soft, hard: limit.hard)
  }

  /// How many connections fit: what is left after `TransportLimits.descriptorsReserved`, never
  /// negative.
  public var connectionsMax: Int {
    let room = Int(clamping: soft) - TransportLimits.descriptorsReserved
    return max(0, room)
  }

  private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

  private static func failed(_ call: StaticString) -> SystemError {
    SystemError(ErrorNumber(rawValue: errno), call: call)
  }
}
