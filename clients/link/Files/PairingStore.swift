public import WatchTransfer

/// The file that keeps how a device is paired: the secret that its authority knows it by, and the
/// secrets of codes of which it is not known yet whether they were redeemed. In the device's own
/// directory, for the owner alone (0600).
///
/// A secret is on disk before it is ever sent, beside the pairing that works, and takes its place
/// only once the authority has said Welcome to it. So neither a code that was mistyped nor a
/// Welcome that was lost costs a device its place. `settle` finds out which of them is known.
public struct PairingStore: Sendable {
  /// Codes without an answer that are kept; beyond, the oldest is forgotten.
  public static let openCodesMax = 4

  private let directory: String
  private let lock: DirectoryLock?
  private let file: SealedFile

  /// The file `pairing` in a directory, which is made (0700) when something is kept. Each change
  /// locks the directory for its moment.
  public init(directory: String) {
    self.init(directory: directory, lock: nil)
  }

  /// The file `pairing` in a directory that the caller has locked for himself.
  public init(_ lock: DirectoryLock) {
    self.init(directory: lock.directory, lock: lock)
  }

  private init(directory: String, lock: DirectoryLock?) {
    self.directory = directory
    self.lock = lock
    file = SealedFile(path: "\(directory)/pairing", magic: "WWPAIR01")
  }

  /// How the device is paired; if it never was, the code it was given last; nil: neither.
  ///
  /// - Throws: `PairingStoreError` when the file is there and cannot be read.
  public func credential() throws(PairingStoreError) -> Credential? {
    let kept = try read()
    return kept.pairing.map { .token($0.secret) } ?? kept.open.last?.credential
  }

  /// Everything the device may be known by: the newest code first, the pairing that works last.
  ///
  /// - Throws: `PairingStoreError` when the file is there and cannot be read.
  public func credentials() throws(PairingStoreError) -> [Credential] {
    let kept = try read()
    let pairing = kept.pairing.map { Credential.token($0.secret) }
    return kept.open.reversed().map(\.credential) + [pairing].compactMap { $0 }
  }

  /// What to greet with to redeem `code`. The same code again gives the same secret, or the token
  /// it has become; another code draws a new secret, which is on disk when this returns.
  ///
  /// - Throws: `PairingStoreError` when it cannot be kept; nothing may be sent then.
  public func credential(for code: PairingCode) throws(PairingStoreError) -> Credential {
    try change { kept in
      if let pairing = kept.pairing, pairing.code == code { return .token(pairing.secret) }
      if let known = kept.open.first(where: { $0.code == code }) { return known.credential }
      let fresh = Secret(code: code, secret: Credential.freshSecret())
      kept.open.append(fresh)
      if kept.open.count > Self.openCodesMax { kept.open.removeFirst() }
      return fresh.credential
    }
  }

  /// The authority has welcomed the device with this credential: from now on its token is enough,
  /// and what it was paired by before is forgotten.
  ///
  /// - Throws: `PairingStoreError` when that cannot be kept; the next start greets as this one did.
  public func welcomed(_ credential: Credential) throws(PairingStoreError) {
    guard case .code(let code, let secret) = credential else { return }
    try change { $0 = Kept(pairing: Secret(code: code, secret: secret)) }
  }

  /// The authority has refused this code, or the secret that came with it: it is tried no more. The
  /// pairing from before stays.
  ///
  /// - Throws: `PairingStoreError` when that cannot be kept; the next start tries it again.
  public func refused(_ credential: Credential) throws(PairingStoreError) {
    guard case .code(_, let secret) = credential else { return }
    try change { kept in kept.open.removeAll { $0.secret == secret } }
  }

  /// A secret and the code it came with.
  private struct Secret: Equatable {
    var code: PairingCode
    var secret: [UInt8]

    var credential: Credential { .code(code, secret: secret) }
  }

  /// What the file holds: the pairing that works, and codes without an answer, the newest last.
  private struct Kept: Equatable {
    var pairing: Secret?
    var open: [Secret] = []
  }

  /// The content is a list of (1 for the pairing and 0 for an open code, digits, secret).
  private func read() throws(PairingStoreError) -> Kept {
    var kept = Kept()
    let content: [UInt8]?
    do throws(FileError) {
      content = try file.readOrThrow()
    } catch {
      throw PairingStoreError(directory: directory, problem: error.description)
    }
    guard let content else { return kept }
    var reader = FieldReader(content)
    while !reader.isAtEnd {
      guard let paired = reader.number(UInt8.self), let digits = reader.counted(),
        let code = PairingCode(digits: digits), let bytes = reader.counted(), bytes.count == 32
      else { return Kept() }
      let secret = Secret(code: code, secret: bytes)
      if paired == 1 { kept.pairing = secret } else { kept.open.append(secret) }
    }
    return kept
  }

  private func change<Value>(
    _ body: (inout Kept) -> Value
  ) throws(PairingStoreError) -> Value {
    let held = try locked()
    defer { withExtendedLifetime(held) {} }
    let before = try read()
    var kept = before
    let value = body(&kept)
    if kept != before { try write(kept) }
    return value
  }

  private func locked() throws(PairingStoreError) -> DirectoryLock {
    if let lock { return lock }
    do throws(DirectoryLockError) {
      return try DirectoryLock(directory)
    } catch {
      throw PairingStoreError(directory: directory, problem: "\(error)")
    }
  }

  private func write(_ kept: Kept) throws(PairingStoreError) {
    var writer = FieldWriter()
    func put(_ secret: Secret, isPaired: Bool) {
      writer.put(UInt8(isPaired ? 1 : 0))
      writer.put(counted: secret.code.digits)
      writer.put(counted: secret.secret)
    }
    if let pairing = kept.pairing { put(pairing, isPaired: true) }
    for secret in kept.open { put(secret, isPaired: false) }
    do throws(FileError) {
      try file.replace(with: writer.bytes)
    } catch {
      throw PairingStoreError(directory: directory, problem: error.description)
    }
  }
}

/// The pairing could not be read or written.
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
    "the pairing in \(directory) cannot be read or kept (\(problem)); check the directory and the "
      + "disk"
  }
}
