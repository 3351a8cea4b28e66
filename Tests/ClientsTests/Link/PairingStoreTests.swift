import Glibc
import Testing
import WatchTransfer

@testable import AuthorityLink

struct PairingStoreTests {
  private let directory = TemporaryDirectory()
  private let first = PairingCode(number: 12_345_678)
  private let second = PairingCode(number: 87_654_321)

  private var folder: String { directory.path + "/wrist" }
  private var store: PairingStore { PairingStore(directory: folder) }

  @Test func aCodesSecretIsKeptBeforeItIsUsedAndIsTheTokenOnceWelcomed() throws {
    #expect(try store.credential() == nil)
    let credential = try store.credential(for: first)
    #expect(credential.code == first)
    #expect(credential.token.count == 32 && Set(credential.token).count > 8)
    // Another process, after a kill, greets with the same.
    #expect(try store.credential() == credential)
    #expect(try store.credential(for: first) == credential)
    try store.welcomed(credential)
    let token = Credential.token(credential.token)
    #expect(try store.credential() == token)
    // Given again, as by a script, the code is not redeemed again.
    #expect(try store.credential(for: first) == token)
  }

  @Test func anotherCodeHasAnotherSecret() throws {
    let old = try store.credential(for: first)
    let new = try store.credential(for: second)
    #expect(new.code == second && new.token != old.token)
    #expect(try store.credential() == new)
    // Either may have been redeemed: no answer came.
    #expect(try store.credentials() == [new, old])
    // A token that was given is nothing to keep.
    try store.welcomed(.token(old.token))
    #expect(try store.credential() == new)
  }

  @Test func aCodeLeavesThePairingAloneUntilItIsWelcomed() throws {
    let old = try store.credential(for: first)
    try store.welcomed(old)
    let new = try store.credential(for: second)
    #expect(try store.credential() == .token(old.token))
    #expect(try store.credentials() == [new, .token(old.token)])
    try store.refused(new)
    #expect(try store.credentials() == [.token(old.token)])
    let again = try store.credential(for: second)
    #expect(again.token != new.token)
    try store.welcomed(again)
    #expect(try store.credentials() == [.token(again.token)])
  }

  @Test func codesWithoutAnAnswerAreBounded() throws {
    try store.welcomed(store.credential(for: first))
    let tried = try (1...UInt64(PairingStore.openCodesMax) + 1).map {
      try store.credential(for: PairingCode(number: $0))
    }
    let kept = try store.credentials()
    #expect(kept.dropLast() == tried.dropFirst().reversed()[...])
    #expect(kept.last?.code == nil)
  }

  @Test func aPairingOfAnEarlierVersionIsRead() throws {
    // 1: paired; 8 digits; 32 bytes.
    let secret = [UInt8](1...32)
    var content = FieldWriter()
    content.put(UInt8(1))
    content.put(counted: first.digits)
    content.put(counted: secret)
    let sealed = SealedFile(path: "", magic: "WWPAIR01").sealed(content.bytes)
    try directory.put(["wrist/pairing": sealed])
    #expect(try store.credential() == .token(secret))
  }

  @Test func aDirectoryThatAnotherHasIsNotTouched() throws {
    let other = try DirectoryLock(folder)
    let theirs = PairingStore(other)
    let credential = try theirs.credential(for: first)
    let before = directory.files()
    #expect(throws: PairingStoreError.self) { try store.credential(for: second) }
    #expect(throws: PairingStoreError.self) { try store.welcomed(credential) }
    #expect(throws: PairingStoreError.self) { try store.refused(credential) }
    #expect(throws: DirectoryLockError.locked(directory: folder)) { try DirectoryLock(folder) }
    #expect(directory.files() == before)
    try theirs.welcomed(credential)
    #expect(try store.credential() == .token(credential.token))
    withExtendedLifetime(other) {}
  }

  @Test func whatIsDamagedIsNoPairing() throws {
    let credential = try store.credential(for: first)
    let files = directory.files()
    let bytes = try #require(files["wrist/pairing"])
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x10
      try directory.put(["wrist/pairing": damaged])
      #expect(try store.credential() == nil, "byte \(index)")
    }
    try directory.put(["wrist/pairing": Array(bytes.dropLast())])
    #expect(try store.credential() == nil)
    try directory.put(["wrist/pairing": bytes])
    #expect(try store.credential() == credential)
  }

  @Test func whatCannotBeReadIsNotReplaced() throws {
    let credential = try store.credential(for: first)
    try store.welcomed(credential)
    // A directory in its place: whoever runs this test, it cannot be read.
    let path = directory.path + "/wrist/pairing"
    try #require(rename(path, path + ".kept") == 0)
    try #require(mkdir(path, 0o700) == 0)
    #expect(throws: PairingStoreError.self) { try store.credential() }
    #expect(throws: PairingStoreError.self) { try store.credential(for: second) }
    try #require(rmdir(path) == 0)
    try #require(rename(path + ".kept", path) == 0)
    #expect(try store.credential() == .token(credential.token))
  }

  @Test func theFileIsForItsOwnerAlone() throws {
    _ = try store.credential(for: first)
    var facts = stat()
    stat(folder + "/pairing", &facts)
    #expect(facts.st_mode & 0o7777 == 0o600)
    stat(folder, &facts)
    #expect(facts.st_mode & 0o7777 == 0o700)
  }

  @Test func whereNothingCanBeKeptNothingIsGivenOut() throws {
    try directory.put(["wrist": [1]])
    let error = #expect(throws: PairingStoreError.self) { try store.credential(for: first) }
    #expect(error?.directory == folder)
    #expect(error?.description.contains("check the directory") == true)
  }

  @Test func aCredentialDoesNotPrintItself() {
    let secret = [UInt8](repeating: 171, count: 32)
    for credential in [Credential.token(secret), .code(first, secret: secret)] {
      var dumped = "\(credential) \(String(reflecting: credential))"
      dump(credential, to: &dumped)
      #expect(!dumped.contains("171") && !dumped.contains("12345678"), "\(dumped)")
    }
  }
}
