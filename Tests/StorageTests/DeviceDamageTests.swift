import SQLite
import Testing

@testable import Storage

/// Damage of the list of devices that SQLite does not see, and lists of the version before rows had
/// checksums.
struct DeviceDamageTests {
  let temporary: TemporaryDirectory

  init() throws {
    temporary = try TemporaryDirectory()
  }

  private func account(_ number: UInt64) -> StoredAccount {
    StoredAccount(
      id: id(number), name: [UInt8(number)], zone: "Europe/Berlin", createdMilliseconds: 5)
  }

  private func device(_ number: UInt64) -> StoredDevice {
    StoredDevice(
      id: id(number), account: id(1), kind: 2, name: [0x77],
      tokenHash: [UInt8](repeating: UInt8(number), count: 32), createdMilliseconds: 6)
  }

  /// Two accounts; of the first a good device, a revoked one, and a bystander.
  private func fill() throws {
    let store = try DeviceStore.open(directory: temporary.locked())
    for number in 1...2 as ClosedRange<UInt64> { try store.addAccount(account(number)) }
    for number in 1...3 as ClosedRange<UInt64> { try store.addDevice(device(number)) }
    try store.revoke(id(2), at: 9)
    try store.close()
  }

  private func change(_ sql: StaticString) throws {
    let connection = try Connection(path: temporary.path + "/devices.db")
    try connection.execute("PRAGMA ignore_check_constraints = 1")
    try connection.execute(sql)
    #expect(try connection.checkpointLog() == .emptied)
  }

  private func open() throws -> DeviceStore {
    try DeviceStore.open(directory: temporary.locked())
  }

  @Test(
    "a device that is not as it was written is named and left out, and the others stay",
    arguments: [
      (
        "UPDATE devices SET account = x'000000000000000A0000000000000002' WHERE hex(id) LIKE '%'", 1
      ),
      ("UPDATE devices SET kind = 1 WHERE hex(id) LIKE '%1'", 1),
      ("UPDATE devices SET kind = 3 WHERE hex(id) LIKE '%1'", 1),
      ("UPDATE devices SET name = x'78' WHERE hex(id) LIKE '%1'", 1),
      ("UPDATE devices SET token_hash = zeroblob(32) WHERE hex(id) LIKE '%1'", 1),
      ("UPDATE devices SET created_ms = 7 WHERE hex(id) LIKE '%1'", 1),
      ("UPDATE devices SET checksum = checksum + 1 WHERE hex(id) LIKE '%1'", 1),
      ("UPDATE devices SET checksum = NULL WHERE hex(id) LIKE '%1'", 1),
      ("UPDATE devices SET revoked_ms = NULL WHERE hex(id) LIKE '%2'", 2),
      ("UPDATE devices SET revoked_ms = 8 WHERE hex(id) LIKE '%2'", 2),
      (
        """
        UPDATE devices SET (kind, checksum) =
          (SELECT kind, checksum FROM devices WHERE hex(id) LIKE '%3') WHERE hex(id) LIKE '%1'
        """, 1
      ),
    ] as [(StaticString, UInt64)])
  func damagedDevice(sql: StaticString, number: UInt64) throws {
    try fill()
    // The first row of the table changes every device's account.
    try change(sql)
    let changesAll = sql.description.hasSuffix("LIKE '%'")
    let store = try open()
    let list = try store.list()
    let whole: [UInt64] = changesAll ? [] : [1, 2, 3].filter { $0 != number }
    #expect(list.devices.map(\.id) == whole.map { id($0) })
    #expect(list.accounts.count == 2)
    let damaged: [UInt64] = changesAll ? [1, 2, 3] : [number]
    #expect(list.damage == damaged.map { .corruptDevice(id($0)) })
    #expect(throws: StorageError.corruptDevice(id(number))) {
      try store.revoke(id(number), at: 10)
    }
    #expect(store.findings().map(\.problem) == list.damage.map { .unreadable($0) })
  }

  @Test(
    "an account that is not as it was written is named and left out",
    arguments: [
      "UPDATE accounts SET name = x'09' WHERE hex(id) LIKE '%1'",
      "UPDATE accounts SET zone = 'Europe/Berlim' WHERE hex(id) LIKE '%1'",
      "UPDATE accounts SET created_ms = 4 WHERE hex(id) LIKE '%1'",
      "UPDATE accounts SET name = NULL, erased = 1 WHERE hex(id) LIKE '%1'",
      "UPDATE accounts SET checksum = NULL WHERE hex(id) LIKE '%1'",
    ] as [StaticString])
  func damagedAccount(sql: StaticString) throws {
    try fill()
    try change(sql)
    let store = try open()
    let list = try store.list()
    #expect(list.accounts == [account(2)])
    #expect(list.damage == [.corruptAccount(id(1))])
    #expect(list.devices.count == 3)
    #expect(throws: StorageError.corruptAccount(id(1))) { try store.addDevice(device(4)) }
  }

  @Test("every bit of a device's row that a start still reads is one the checksum covers")
  func everyBit() throws {
    try fill()
    let name = "devices.db"
    let bytes = try #require(temporary.read(name))
    // The row stands where its token's hash does.
    let hash = [UInt8](repeating: 1, count: 32)
    let start = try #require(
      bytes.indices.first { $0 + 32 <= bytes.count && Array(bytes[$0..<$0 + 32]) == hash })
    var whole = device(1)
    whole.name = [0x77]
    // The ids, kind, name and hash stand before and in it, the times and the checksum behind it.
    for offset in (start - 36)..<(start + 32 + 10) {
      for bit in 0..<8 as Range<UInt8> {
        let image = try TemporaryDirectory()
        var damaged = bytes
        damaged[offset] ^= 1 << bit
        try image.write(name, damaged)
        // Damage that SQLite sees refuses the file.
        guard let store = try? DeviceStore.open(directory: image.locked()) else { continue }
        for device in (try? store.devices()) ?? [] where device.id == whole.id {
          #expect(device == whole, "byte \(offset - start), bit \(bit)")
        }
      }
    }
  }

  @Test("a list of the version before rows had checksums opens, and has them from then on")
  func older() throws {
    try temporary.write("devices.db", [])
    do {
      let connection = try Connection(path: temporary.path + "/devices.db")
      try connection.execute(Schema.devices.migrations[0])
      try connection.execute(
        """
        INSERT INTO accounts VALUES
          (x'000000000000000A0000000000000001', x'01', 'Europe/Berlin', 5, 0),
          (x'000000000000000A0000000000000009', NULL, '', 5, 1);
        INSERT INTO devices VALUES
          (x'000000000000000A0000000000000001', x'000000000000000A0000000000000001', 2, x'77',
           x'0101010101010101010101010101010101010101010101010101010101010101', 6, NULL),
          (x'000000000000000A0000000000000002', x'000000000000000A0000000000000001', 2, x'77',
           x'0202020202020202020202020202020202020202020202020202020202020202', 6, 9);
        """)
      try connection.close()
    }
    var revoked = device(2)
    revoked.revokedMilliseconds = 9
    for _ in 1...2 {
      let list = try open().list()
      #expect(list.accounts.first == account(1))
      #expect(list.accounts.last?.isErased == true)
      #expect(list.devices == [device(1), revoked])
      #expect(list.damage.isEmpty)
    }
    #expect(try Connection(path: temporary.path + "/devices.db").identity().version == 2)
    try change("UPDATE devices SET revoked_ms = NULL WHERE hex(id) LIKE '%2'")
    #expect(try open().list().damage == [.corruptDevice(id(2))])
  }

  @Test("what changes keeps its checksum: zone, revocation, erasing")
  func changes() throws {
    try fill()
    do {
      let store = try open()
      try store.updateZone(of: id(1), to: "Asia/Tokyo")
      try store.revoke(id(3), at: 11)
      try store.markErased(id(2))
      try store.close()
    }
    let list = try open().list()
    #expect(list.damage.isEmpty)
    #expect(list.accounts.map(\.zone) == ["Asia/Tokyo", ""])
    #expect(list.devices.map(\.revokedMilliseconds) == [nil, 9, 11])
  }
}
