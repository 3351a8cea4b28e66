internal import Glibc

/// An error number of the kernel (`errno`), by value.
public struct ErrorNumber: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The positive errno value.
  public let rawValue: Int32

  /// Takes any value; unknown ones are described by their number.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// The file system refuses (EACCES).
  public static let accessDenied = ErrorNumber(rawValue: EACCES)
  /// Somebody listens there (EADDRINUSE).
  public static let addressInUse = ErrorNumber(rawValue: EADDRINUSE)
  /// No interface has the address (EADDRNOTAVAIL).
  public static let addressNotAvailable = ErrorNumber(rawValue: EADDRNOTAVAIL)
  /// The peer does not read any more (EPIPE).
  public static let brokenPipe = ErrorNumber(rawValue: EPIPE)
  /// Gone before it was accepted (ECONNABORTED).
  public static let connectionAborted = ErrorNumber(rawValue: ECONNABORTED)
  /// Nobody listens there (ECONNREFUSED).
  public static let connectionRefused = ErrorNumber(rawValue: ECONNREFUSED)
  /// The peer reset the connection (ECONNRESET).
  public static let connectionReset = ErrorNumber(rawValue: ECONNRESET)
  /// Begun; the outcome comes later (EINPROGRESS).
  public static let inProgress = ErrorNumber(rawValue: EINPROGRESS)
  /// The kernel has no buffer left (ENOBUFS).
  public static let noBufferSpace = ErrorNumber(rawValue: ENOBUFS)
  /// The kernel has no memory left (ENOMEM).
  public static let noMemory = ErrorNumber(rawValue: ENOMEM)
  /// The path leads nowhere (ENOENT).
  public static let noSuchFile = ErrorNumber(rawValue: ENOENT)
  /// A part of the path is no directory (ENOTDIR).
  public static let notADirectory = ErrorNumber(rawValue: ENOTDIR)
  /// The operation is not allowed (EPERM).
  public static let notPermitted = ErrorNumber(rawValue: EPERM)
  /// The protocol was violated (EPROTO).
  public static let protocolError = ErrorNumber(rawValue: EPROTO)
  /// This process has no descriptor left (EMFILE).
  public static let tooManyFiles = ErrorNumber(rawValue: EMFILE)
  /// The machine has no descriptor left (ENFILE).
  public static let tooManyFilesInSystem = ErrorNumber(rawValue: ENFILE)
  /// Nothing to do without waiting (EAGAIN).
  public static let wouldBlock = ErrorNumber(rawValue: EAGAIN)

  /// The system's own words for the number.
  public var description: String {
    var text = [CChar](repeating: 0, count: 128)
    guard strerror_r(rawValue, &text, text.count) == 0 else { return "error \(rawValue)" }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// A system call that failed: which one, and why.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why it failed.
  public let number: ErrorNumber
  /// The call's name as in section 2 of the manual.
  public let call: StaticString

  /// Names the failed call and its error number.
  public init(_ number: ErrorNumber, call: StaticString) {
    self.number = number
    self.call = call
  }

  /// Whether both the number and the call's name are equal.
  public static func == (left: SystemError, right: SystemError) -> Bool {
    left.number == right.number && left.call.description == right.call.description
  }

  /// Hashes the error number: errors of one number seldom meet in one table.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(number)
  }

  /// For example `bind: Address already in use`.
  public var description: String {
    "\(call): \(number)"
  }
}

/// Turns the result of a CLinux call, a negative errno value on failure, into a value or an error.
@discardableResult
func checked<Result: SignedInteger & FixedWidthInteger>(
  _ result: Result, _ call: StaticString
) throws(SystemError) -> Result {
  guard result >= 0 else { throw SystemError(ErrorNumber(rawValue: Int32(-result)), call: call) }
  return result
}
