internal import AuthorityLink
public import WatchTransfer

/// Why the outbox cannot take an action, or cannot be opened.
public enum OutboxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Another process has the directory open.
  case locked(directory: String)
  /// A call on the outbox's files failed; the action was not taken.
  case storage(call: String, number: Int32)
  /// An fsync failed, so what is on disk is not known: nothing more is taken or sent until the
  /// outbox is opened again.
  case broken
  /// The file is of another version, or not an outbox; it is left as it is.
  case foreignFile(path: String)
  /// The encoded action is longer than the server takes.
  case actionTooLarge(bytes: Int, max: Int)
  /// No action of this number waits for the person's decision.
  case notQuarantined(ActionNumber)
  /// The bytes of this action are lost: it can only be discarded.
  case damagedAction(ActionNumber)
  /// The client was stopped.
  case stopped

  /// What happened and what to do.
  public var description: String {
    switch self {
    case .locked(let directory):
      "\(directory) is in use by another process; end it or choose another directory"
    case .storage(let call, let number):
      "the outbox cannot be read or written (\(FileError(call: call, number: number))); check "
        + "its directory and the disk"
    case .broken:
      "the outbox could not be made durable; start again to see what was kept"
    case .foreignFile(let path):
      "\(path) is not an outbox of this version; it was left as it is"
    case .actionTooLarge(let bytes, let max):
      "the action is \(bytes) bytes long, at most \(max) are possible"
    case .notQuarantined(let number):
      "action \(number) is not set aside: there is nothing to decide"
    case .damagedAction(let number):
      "action \(number) was damaged on this device's disk: it can only be discarded"
    case .stopped:
      "the client was stopped"
    }
  }
}
