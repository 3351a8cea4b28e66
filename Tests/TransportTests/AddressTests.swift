import Glibc
import Testing

@testable import Transport

/// The text form of addresses.
struct AddressTests {
  @Test(
    "Addresses are read and written alike",
    arguments: [
      ("127.0.0.1:80", "127.0.0.1:80", true), ("localhost:7", "127.0.0.1:7", true),
      ("127.9.9.9:0", "127.9.9.9:0", true), ("10.0.0.1:65535", "10.0.0.1:65535", false),
      ("[::1]:8080", "[::1]:8080", true), ("[::]:1", "[::]:1", false),
      ("[2001:DB8:0::1]:1", "[2001:db8::1]:1", false),
      ("[::ffff:127.0.0.1]:1", "127.0.0.1:1", true), ("0.0.0.0:1", "0.0.0.0:1", false),
      ("unix:/run/s", "unix:/run/s", true), ("unix:a:b", "unix:a:b", true),
    ])
  func parsing(text: String, written: String, isLocal: Bool) throws {
    let address = try SocketAddress(parsing: text)
    #expect(address.description == written)
    #expect(address.isLocal == isLocal)
    #expect(try SocketAddress(parsing: written) == address)
  }

  @Test(
    "What is no address is refused with the reason",
    arguments: [
      ("", .malformed("")), ("80", .malformed("80")), (":80", .malformed(":80")),
      ("127.0.0.1:", .malformed("127.0.0.1:")), ("1.2.3:1", .hostNotNumeric("1.2.3")),
      ("example.org:1", .hostNotNumeric("example.org")), ("::1:1", .hostNotNumeric("::1")),
      ("[::1:1", .hostNotNumeric("[::1")), ("[]:1", .hostNotNumeric("[]")),
      ("[fe80::1%eth0]:1", .hostNotNumeric("[fe80::1%eth0]")),
      ("127.0.0.1\0.5:1", .hostNotNumeric("127.0.0.1\0.5")),
      ("127.0.0.1:65536", .portOutOfRange("65536")), ("127.0.0.1:-1", .portOutOfRange("-1")),
      ("127.0.0.1:+1", .portOutOfRange("+1")), ("127.0.0.1:٣", .portOutOfRange("٣")),
      ("unix:", .pathInvalid), ("unix:a\0b", .pathInvalid),
    ] as [(String, SocketAddressError)])
  func refused(text: String, error: SocketAddressError) {
    #expect(throws: error) { _ = try SocketAddress(parsing: text) }
    #expect(!error.description.isEmpty)
  }

  @Test("A path is at most 107 bytes long", arguments: [106, 107, 108, 200])
  func pathLength(bytes: Int) throws {
    let text = "unix:" + String(repeating: "p", count: bytes)
    if bytes <= 107 {
      #expect(try SocketAddress(parsing: text).unixPath?.utf8.count == bytes)
    } else {
      #expect(throws: SocketAddressError.pathTooLong(bytes: bytes, max: 107)) {
        _ = try SocketAddress(parsing: text)
      }
    }
  }

  @Test("System errors say which call failed and why")
  func systemErrors() {
    let error = SystemError(.addressInUse, call: "bind")
    #expect(error.description == "bind: Address already in use")
    #expect(error != SystemError(.addressInUse, call: "listen"))
    #expect(ErrorNumber(rawValue: 9_999).description.contains("9999"))
  }
}
