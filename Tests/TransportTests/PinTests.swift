import Testing

@testable import Transport

/// How pins and addresses with TLS are written.
struct PinTests {
  private static let digits = "3f90e70e7c22520d13ec6d10574d4fead676a3015f4b181fdcef7fdb28aad45a"
  private static let text = "sha256:P5DnDnwiUg0T7G0QV01P6tZ2owFfSxgf3O9/2yiq1Fo="

  @Test("A pin is read as base64 and as digits, and written as base64")
  func forms() throws {
    let pin = try #require(CertificatePin(parsing: Self.text))
    #expect(pin.bytes.count == 32)
    #expect(pin.description == Self.text)
    #expect(CertificatePin(parsing: Self.digits) == pin)
    #expect(CertificatePin(parsing: "sha256:" + Self.digits.uppercased()) == pin)
  }

  @Test(
    "What is no pin is refused",
    arguments: [
      "", "sha256:", "sha256", String(digits.dropLast()), digits + "0", "sha1:" + digits,
      "sha256:P5DnDnwiUg0T7G0QV01P6tZ2owFfSxgf3O9/2yiq1Fp=",
      "sha256:P5DnDnwiUg0T7G0QV01P6tZ2owFfSxgf3O9/2yiq1F==",
      "sha256:P5DnDnwiUg0T7G0QV01P6tZ2owFfSxgf3O9/2yiq1FoA",
      "sha256: 5DnDnwiUg0T7G0QV01P6tZ2owFfSxgf3O9/2yiq1Fo=",
      "P5DnDnwiUg0T7G0QV01P6tZ2owFfSxgf3O9/2yiq1Fo=",
      "+" + String(digits.dropFirst()),
    ])
  func wrong(text: String) {
    #expect(CertificatePin(parsing: text) == nil)
  }

  @Test(
    "An address with TLS is read and written",
    arguments: ["tls:127.0.0.1:7420", "tls:[::1]:7420", "127.0.0.1:7420", "unix:/a"])
  func endpoints(text: String) throws {
    let endpoint = try EndpointAddress(parsing: text)
    #expect(endpoint.isSecured == text.hasPrefix("tls:"))
    #expect(endpoint.description == text)
    #expect(try EndpointAddress(parsing: endpoint.description) == endpoint)
  }

  @Test("TLS on a Unix socket, and twice, is refused")
  func wrongEndpoints() {
    #expect(throws: SocketAddressError.tlsOnUnixSocket) {
      _ = try EndpointAddress(parsing: "tls:unix:/a")
    }
    #expect(throws: SocketAddressError.self) { _ = try EndpointAddress(parsing: "tls:tls:[::1]:1") }
    #expect(throws: SocketAddressError.self) { _ = try EndpointAddress(parsing: "tls:") }
  }
}
