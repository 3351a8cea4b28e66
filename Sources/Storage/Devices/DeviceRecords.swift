public import WatchTransfer

/// An account as the list of accounts keeps it.
public struct StoredAccount: Sendable, Equatable {
  /// Its id for ever, also after it was erased.
  public var id: AccountID
  /// 1 to `StorageLimits.nameBytesMax` bytes, unique byte by byte; empty once erased.
  public var name: [UInt8]
  /// The zone it was last in, an IANA name of 1 to `StorageLimits.zoneBytesMax` bytes; empty once
  /// erased.
  public var zone: String
  /// Milliseconds since 1970.
  public var createdMilliseconds: Int64
  /// True if its data is gone, and must go again should a restore bring it back.
  public var isErased: Bool

  /// An account from its parts.
  public init(
    id: AccountID, name: [UInt8], zone: String, createdMilliseconds: Int64, isErased: Bool = false
  ) {
    self.id = id
    self.name = name
    self.zone = zone
    self.createdMilliseconds = createdMilliseconds
    self.isErased = isErased
  }
}

/// A paired device as the list of devices keeps it.
public struct StoredDevice: Sendable, Equatable {
  /// Its id for ever.
  public var id: DeviceID
  /// Whose it is.
  public var account: AccountID
  /// The kind's number; storage gives it no meaning.
  public var kind: UInt8
  /// 1 to `StorageLimits.nameBytesMax` bytes.
  public var name: [UInt8]
  /// `StorageLimits.tokenHashBytes` bytes, unique; the token itself is never stored.
  public var tokenHash: [UInt8]
  /// Milliseconds since 1970.
  public var createdMilliseconds: Int64
  /// Milliseconds since 1970; nil while the token is good.
  public var revokedMilliseconds: Int64?

  /// A device from its parts.
  public init(
    id: DeviceID, account: AccountID, kind: UInt8, name: [UInt8], tokenHash: [UInt8],
    createdMilliseconds: Int64, revokedMilliseconds: Int64? = nil
  ) {
    self.id = id
    self.account = account
    self.kind = kind
    self.name = name
    self.tokenHash = tokenHash
    self.createdMilliseconds = createdMilliseconds
    self.revokedMilliseconds = revokedMilliseconds
  }
}
