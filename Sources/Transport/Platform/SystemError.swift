internal import Glibc

/// An error number of the kernel (`errno`), by value.
public struct ErrorNumber: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The positive errno value.
  public let rawValue: Int32

  /// Takes any value; unknown ones are described by their number.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  static let accessDenied = ErrorNumber(rawValue: EACCES)
  static let addressInUse = ErrorNumber(rawValue: EADDRINUSE)
  static let addressNotAvailable = ErrorNumber(rawValue: EADDRNOTAVAIL)
  static let badAddressFamily = ErrorNumber(rawValue: EAFNOSUPPORT)
  static let brokenPipe = ErrorNumber(rawValue: EPIPE)
  static let connectionAborted = ErrorNumber(rawValue: ECONNABORTED)
  static let connectionRefused = ErrorNumber(rawValue: ECONNREFUSED)
  static let connectionReset = ErrorNumber(rawValue: ECONNRESET)
  static let inProgress = ErrorNumber(rawValue: EINPROGRESS)
  static let noBufferSpace = ErrorNumber(rawValue: ENOBUFS)
  static let noMemory = ErrorNumber(rawValue: ENOMEM)
  static let noSuchFile = ErrorNumber(rawValue: ENOENT)
  static let notADirectory = ErrorNumber(rawValue: ENOTDIR)
  static let notPermitted = ErrorNumber(rawValue: EPERM)
  static let protocolError = ErrorNumber(rawValue: EPROTO)
  static let tooManyFiles = ErrorNumber(rawValue: EMFILE)
  static let tooManyFilesInSystem = ErrorNumber(rawValue: ENFILE)
  static let wouldBlock = ErrorNumber(rawValue: EAGAIN)

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
