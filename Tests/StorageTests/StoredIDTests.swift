import Storage
import Testing

struct StoredIDTests {
  @Test("16 bytes become an id and the same bytes again")
  func roundTrip() throws {
    let bytes = (1...16).map { UInt8($0) }
    let id = try #require(StoredID(bytes: bytes))
    #expect(id.hi == 0x0102_0304_0506_0708)
    #expect(id.lo == 0x090a_0b0c_0d0e_0f10)
    #expect(id.bytes == bytes)
    #expect(id.description == "0102030405060708090a0b0c0d0e0f10")
  }

  @Test("any other number of bytes is no id", arguments: [0, 15, 17])
  func length(count: Int) {
    #expect(StoredID(bytes: [UInt8](repeating: 1, count: count)) == nil)
  }

  @Test("ids are in the order of their bytes")
  func order() {
    let ids = [StoredID(hi: 0, lo: .max), StoredID(hi: 1, lo: 0), StoredID(hi: .max, lo: 0)]
    #expect(ids.shuffled().sorted() == ids)
  }
}
