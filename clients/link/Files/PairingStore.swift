public import WatchTransfer

/// The file that keeps how a device is paired: its secret, and the code it came with. In the
/// device's own directory, for the owner alone (0600).
///
/// The secret is on disk before it is ever sent. Whatever is lost between the first greeting and
/// its Welcome, the device greets with the same secret again and is known.
public struct PairingStore: Sendable {
  private let directory: String
  private let file: SealedFile

  /// The file `pairing` in a directory, which is made (0700) when something is kept.
  public init(directory: String) {
    self.directory = directory
    file = SealedFile(path: "\(directory)/pairing", magic: "WWPAIR01")
  }

  /// How the device is paired, or was about to be; nil: not at all.
  public func credential() -> Credential? {
    guard let kept = read() else { return nil }
    return kept.isPaired ? .token(kept.secret) : .code(kept.code, secret: kept.secret)
  }

  /// What to greet with to redeem `code`. The same code again gives the same secret, or the token
  /// it has become; another code draws a new secret, which is on disk when this returns.
  ///
  /// - Throws: `PairingStoreError` when it cannot be kept; nothing may be sent then.
  public func credential(for code: PairingCode) throws(PairingStoreError) -> Credential {
    if let kept = read(), kept.code == code {
      return kept.isPaired ? .token(kept.secret) : .code(code, secret: kept.secret)
    }
    let secret = Credential.freshSecret()
    try keep(Kept(code: code, secret: secret, isPaired: false))
    return .code(code, secret: secret)
  }

  /// The authority has welcomed the device with this credential: from now on its token is enough.
  ///
  /// - Throws: `PairingStoreError` when that cannot be kept; the next start greets as this one did.
  public func welcomed(_ credential: Credential) throws(PairingStoreError) {
    guard case .code(let code, let secret) = credential else { return }
    try keep(Kept(code: code, secret: secret, isPaired: true))
  }

  private struct Kept {
    var code: PairingCode
    var secret: [UInt8]
    var isPaired: Bool
  }

  private func read() -> Kept? {
    guard let content = file.read() else { return nil }
    var reader = FieldReader(content)
    guard let paired = reader.number(UInt8.self), let digits = reader.counted(),
      let code = PairingCode(digits: digits), let secret = reader.counted(), secret.count == 32,
      reader.isAtEnd
    else { return nil }
    return Kept(code: code, secret: secret, isPaired: paired == 1)
  }

  private func keep(_ kept: Kept) throws(PairingStoreError) {
    var writer = FieldWriter()
    writer.put(UInt8(kept.isPaired ? 1 : 0))
    writer.put(counted: kept.code.digits)
    writer.put(counted: kept.secret)
    do throws(FileError) {
      try DurableFile.makeDirectory(directory)
      try file.replace(with: writer.bytes)
    } catch {
      throw PairingStoreError(directory: directory, problem: error.description)
    }
  }
}

/// The pairing could not be written.
public struct PairingStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where it should have been.
  public let directory: String
  private let problem: String

  init(directory: String, problem: String) {
    self.directory = directory
    self.problem = problem
  }

  /// What happened and what to do.
  public var description: String {
    "the pairing cannot be kept in \(directory) (\(problem)); check the directory and the disk"
  }
}
