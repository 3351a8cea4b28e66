public import WatchTransfer

/// Some bytes of an attachment as a device uploaded them; a whole one is several of them.
public struct AttachmentPiece: Sendable, Equatable {
  /// Whose it is.
  public var account: AccountID
  /// Of what.
  public var hash: AttachmentHash
  /// Where the bytes begin.
  public var offset: Int64
  /// At least one.
  public var bytes: [UInt8]

  /// A piece.
  public init(account: AccountID, hash: AttachmentHash, offset: Int64, bytes: [UInt8]) {
    self.account = account
    self.hash = hash
    self.offset = offset
    self.bytes = bytes
  }
}

/// What the transaction of a batch does to the bytes of attachments: the events of the batch say
/// the same.
public enum AttachmentWrite: Sendable, Equatable {
  /// Keep a piece.
  case keep(AttachmentPiece)
  /// Delete everything of an attachment, and overwrite it.
  case drop(AccountID, AttachmentHash)
}

/// Which attachment of whom.
public struct AttachmentKey: Hashable, Sendable {
  /// Whose it is.
  public let account: AccountID
  /// Its hash.
  public let hash: AttachmentHash

  /// An account's attachment.
  public init(account: AccountID, hash: AttachmentHash) {
    self.account = account
    self.hash = hash
  }
}

/// Pieces in memory, for journals that have no database.
public struct AttachmentShelf: Sendable {
  /// Whole prefixes, by attachment.
  public private(set) var bytes: [AttachmentKey: [UInt8]] = [:]

  /// Nothing is kept.
  public init() {}

  /// Does what a batch says.
  public mutating func take(_ writes: [AttachmentWrite]) {
    for write in writes {
      switch write {
      case .keep(let piece):
        let key = AttachmentKey(account: piece.account, hash: piece.hash)
        bytes[key, default: []] += piece.bytes
      case .drop(let account, let hash):
        bytes[AttachmentKey(account: account, hash: hash)] = nil
      }
    }
  }

  /// See `JournalReading`.
  public func range(_ range: Range<Int64>, of key: AttachmentKey) -> [UInt8]? {
    guard let whole = bytes[key], range.lowerBound >= 0, range.upperBound <= whole.count else {
      return nil
    }
    return Array(whole[Int(range.lowerBound)..<Int(range.upperBound)])
  }

  /// See `JournalReading`.
  public func isWhole(_ key: AttachmentKey, totalBytes: Int64) -> Bool {
    guard let whole = bytes[key], whole.count == totalBytes else { return false }
    let digest = AttachmentDigest()
    whole.withUnsafeBytes { digest.add($0) }
    return digest.finish() == key.hash
  }
}
