internal import Glibc

/// Ends the process when the server itself is wrong. Always on, and its message survives a release
/// build, which `precondition`'s does not.
@inline(__always)
func invariant(
  _ condition: Bool, _ message: @autoclosure () -> StaticString, file: StaticString = #fileID,
  line: UInt = #line
) {
  if !condition { invariantBroken(message(), file: file, line: line) }
}

private func invariantBroken(_ message: StaticString, file: StaticString, line: UInt) -> Never {
  complain("broken invariant: \(message) (\(file):\(line))")
  abort()
}

/// Writes one line to standard error, straight to the descriptor: it works while the process dies.
func complain(_ text: String) {
  let line = Array("wristwire: \(text)\n".utf8)
  _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
