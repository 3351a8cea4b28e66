public import WatchTransfer

/// What makes a device known to its authority. Secrets: neither printed nor logged.
public enum Credential: Hashable, Sendable {
  /// The token of a paired device, 32 bytes.
  case token([UInt8])
  /// A pairing code, and the device's own secret of 32 random bytes that is its token once the code
  /// is redeemed. Greeting again with the same secret is safe: it is known then, and the code is
  /// not looked at. So keep the secret before the first greeting; see ``PairingStore``.
  case code(PairingCode, secret: [UInt8])

  /// The secret that the device is known by, now or once its code is redeemed; 32 bytes.
  public var token: [UInt8] {
    switch self {
    case .token(let token): token
    case .code(_, let secret): secret
    }
  }

  /// The code that is to be redeemed.
  public var code: PairingCode? {
    if case .code(let code, _) = self { code } else { nil }
  }

  /// 32 random bytes (getrandom(2)), for a device that has a code.
  public static func freshSecret() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<4).flatMap { _ in
      let word = generator.next()
      return (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
    }
  }
}

extension Credential: CustomStringConvertible, CustomReflectable {
  /// Which of the two, without the secret.
  public var description: String {
    switch self {
    case .token: "a token"
    case .code: "a pairing code"
    }
  }

  /// Nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
