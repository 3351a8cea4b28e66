internal import Glibc
public import WatchTransfer

/// Why a flight record cannot be redacted; nothing is written then.
public enum RedactionError: Error, Equatable, CustomStringConvertible {
  /// There is such a file already.
  case exists(path: String)
  case unwritable(path: String, errno: Int32)
  /// What the record has of an account makes no sense to this build.
  case unreadable(String)
  /// A facet of the record is not what this build makes of the account.
  case otherFacets(account: AccountID, FacetKind)
  /// Bytes came on a connection that the record does not know.
  case unknownConnection(event: Int)
  /// Without its texts the run does something else.
  case notKept(event: Int, recorded: String, redacted: String)
  /// There are more short words than placeholders for them.
  case exhausted

  /// One line that says what to do.
  public var description: String {
    switch self {
    case .exists(let path): "\(path) is there already; name a file that is not"
    case .unwritable(let path, let number):
      "\(path) cannot be written: \(String(cString: strerror(number)))"
    case .unreadable(let problem):
      "an account of the record makes no sense to this build (\(problem)); redact it with the build "
        + "that recorded it"
    case .otherFacets(let account, let kind):
      "the \(kind.word) facet of account \(account) is not what this build makes of it; redact it "
        + "with the build that recorded it"
    case .unknownConnection(let event):
      "event \(event) has bytes of a connection that the record does not know"
    case .notKept(let event, let recorded, let redacted):
      "event \(event) cannot be kept without what people wrote (recorded: \(recorded); redacted: "
        + "\(redacted)); nothing was written. Try another part of the record"
    case .exhausted:
      "there are more words of one or two characters than placeholders for them; nothing was written"
    }
  }
}
