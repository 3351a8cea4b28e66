import Foundation
import Testing

@testable import Storage

struct DeviceStoreTests {
  let temporary: TemporaryDirectory
  let store: DeviceStore

  init() throws {
    temporary = try TemporaryDirectory()
    store = try DeviceStore.open(directory: temporary.locked())
  }

  private func account(_ number: UInt64, _ name: [UInt8]) -> StoredAccount {
    StoredAccount(id: id(number), name: name, zone: "Europe/Berlin", createdMilliseconds: 5)
  }

  private func device(_ number: UInt64, of account: UInt64 = 1, token: UInt8) -> StoredDevice {
    StoredDevice(
      id: id(number), account: id(account), kind: 255, name: [0x77],
      tokenHash: [UInt8](repeating: token, count: 32), createdMilliseconds: 6)
  }

  private func expect(_ refusal: DeviceRefusal, _ body: () throws -> Void) {
    #expect(throws: StorageError.refused(refusal), performing: body)
  }

  @Test("what was revoked stays so though the log is lost, and so does every change")
  func lostLog() throws {
    try store.addAccount(account(1, [0x61]))
    try store.addDevice(device(1, token: 1))
    try store.revoke(id(1), at: 9)
    try store.updateZone(of: id(1), to: "Asia/Tokyo")
    // As a kill leaves the files, but for the log.
    let copy = try TemporaryDirectory()
    let directory = try copy.locked()
    try FileManager.default.copyItem(
      atPath: "\(temporary.path)/devices.db", toPath: directory.path(of: .devices))
    let again = try DeviceStore.open(directory: directory)
    #expect(try again.devices().map(\.revokedMilliseconds) == [9])
    #expect(try again.accounts().map(\.zone) == ["Asia/Tokyo"])
  }

  @Test("accounts and devices come back as they were added, in the order of their ids")
  func roundTrip() throws {
    let accounts = [account(1, [0xff, 0]), account(2, [UInt8](repeating: 1, count: 128))]
    for account in accounts.reversed() { try store.addAccount(account) }
    var devices = [device(1, token: 1), device(2, of: 2, token: 2)]
    devices[1].revokedMilliseconds = 7
    for device in devices.reversed() { try store.addDevice(device) }
    #expect(try store.accounts() == accounts)
    #expect(try store.devices() == devices)
    try store.close()
    let again = try DeviceStore.open(directory: temporary.locked())
    #expect(try again.accounts() == accounts)
    #expect(try again.devices() == devices)
  }

  @Test("what was added survives a kill")
  func kill() throws {
    try store.addAccount(account(1, [1]))
    let image = try temporary.crashImage()
    #expect(try DeviceStore.open(directory: image.locked()).accounts().count == 1)
  }

  @Test("names have 1 to 128 bytes", arguments: [0, 129])
  func nameLength(count: Int) throws {
    let name = [UInt8](repeating: 1, count: count)
    expect(.nameLength(bytes: count)) { try store.addAccount(account(1, name)) }
    try store.addAccount(account(1, [1]))
    var device = device(1, token: 1)
    device.name = name
    expect(.nameLength(bytes: count)) { try store.addDevice(device) }
  }

  @Test("zones have 1 to 64 bytes", arguments: [0, 65])
  func zoneLength(count: Int) throws {
    var account = account(1, [1])
    account.zone = String(repeating: "Z", count: count)
    expect(.zoneLength(bytes: count)) { try store.addAccount(account) }
    account.zone = String(repeating: "Z", count: 64)
    try store.addAccount(account)
    expect(.zoneLength(bytes: count)) {
      try store.updateZone(of: id(1), to: String(repeating: "Z", count: count))
    }
  }

  @Test("names are unique byte by byte, whatever they look like")
  func unique() throws {
    // The same letter, composed and decomposed.
    try store.addAccount(account(1, [UInt8]("\u{e9}".utf8)))
    try store.addAccount(account(2, [UInt8]("e\u{301}".utf8)))
    expect(.nameTaken) { try store.addAccount(account(3, [UInt8]("\u{e9}".utf8))) }
    expect(.idTaken) { try store.addAccount(account(1, [9])) }
    #expect(try store.accounts().count == 2)
  }

  @Test("devices need an account, an id and a token of their own")
  func deviceRules() throws {
    try store.addAccount(account(1, [1]))
    try store.addDevice(device(1, token: 1))
    expect(.idTaken) { try store.addDevice(device(1, token: 2)) }
    expect(.tokenTaken) { try store.addDevice(device(2, token: 1)) }
    expect(.unknownAccount) { try store.addDevice(device(2, of: 9, token: 2)) }
    var short = device(2, token: 2)
    short.tokenHash.removeLast()
    expect(.tokenHashLength(bytes: 31)) { try store.addDevice(short) }
    #expect(try store.devices() == [device(1, token: 1)])
  }

  @Test("a revocation keeps its first moment, and its token stays taken")
  func revoke() throws {
    try store.addAccount(account(1, [1]))
    try store.addDevice(device(1, token: 1))
    try store.revoke(id(1), at: 10)
    try store.revoke(id(1), at: 20)
    #expect(try store.devices().first?.revokedMilliseconds == 10)
    expect(.tokenTaken) { try store.addDevice(device(2, token: 1)) }
    expect(.unknownDevice) { try store.revoke(id(9), at: 10) }
  }

  @Test("an account's zone can change")
  func zone() throws {
    try store.addAccount(account(1, [1]))
    try store.updateZone(of: id(1), to: "Asia/Tokyo")
    #expect(try store.accounts().first?.zone == "Asia/Tokyo")
    expect(.unknownAccount) { try store.updateZone(of: id(2), to: "Asia/Tokyo") }
  }

  @Test("an erased account keeps its id alone; its name is free, its devices are gone")
  func erase() throws {
    try store.addAccount(account(1, [1]))
    try store.addAccount(account(2, [2]))
    try store.addDevice(device(1, token: 1))
    try store.addDevice(device(2, of: 2, token: 2))
    try store.markErased(id(1))
    try store.markErased(id(1))
    let erased = StoredAccount(
      id: id(1), name: [], zone: "", createdMilliseconds: 5, isErased: true)
    #expect(try store.accounts() == [erased, account(2, [2])])
    #expect(try store.devices() == [device(2, of: 2, token: 2)])
    expect(.idTaken) { try store.addAccount(account(1, [3])) }
    expect(.accountErased) { try store.addDevice(device(3, token: 3)) }
    expect(.accountErased) { try store.updateZone(of: id(1), to: "Asia/Tokyo") }
    expect(.unknownAccount) { try store.markErased(id(9)) }
    try store.addAccount(account(3, [1]))
  }
}
