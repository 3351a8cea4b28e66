internal import CommandLineTool
internal import Glibc
internal import WatchTransfer

/// The tokens of the devices that the connections are.
enum TokenList {
  /// Reads a file of tokens, 64 hexadecimal digits a line; at least as many as there are
  /// connections.
  static func read(_ path: String, connections: Int) throws -> [[UInt8]] {
    let text = try contents(of: path)
    var tokens: [[UInt8]] = []
    for (index, line) in text.split(separator: UInt8(ascii: "\n")).enumerated() {
      let digits = String(decoding: line, as: UTF8.self)
      guard let token = hexadecimalBytes(of: digits), token.count == 32 else {
        // The line itself may be a token with a typing error.
        throw UsageError.contradiction(
          "line \(index + 1) of \(printable(path)) is no token of 64 hexadecimal digits")
      }
      tokens.append(token)
    }
    guard tokens.count >= connections else {
      throw UsageError.contradiction(
        "\(printable(path)) has \(tokens.count) tokens for \(connections) connections, and a device "
          + "has one connection: pair more devices or lower --connections")
    }
    return Array(tokens.prefix(connections))
  }

  private static func contents(of path: String) throws(ToolFailure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw ToolFailure("cannot read \(printable(path)): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw ToolFailure("cannot read \(printable(path)): \(String(cString: strerror(errno)))")
      }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }
}
