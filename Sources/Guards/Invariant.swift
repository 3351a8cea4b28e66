internal import Glibc

/// Ends the process when our own code is wrong. Always on, and its message survives a release
/// build, which `precondition`'s does not. Never for what a peer does: a peer's misbehaviour is a
/// value.
@inline(__always)
public func invariant(
  _ holds: @autoclosure () -> Bool, _ message: @autoclosure () -> StaticString,
  file: StaticString = #fileID, line: UInt = #line
) {
  if !holds() { invariantBroken(message(), file: file, line: line) }
}

/// The end of a process whose invariant does not hold.
public func invariantBroken(_ message: StaticString, file: StaticString, line: UInt) -> Never {
  complain("broken invariant: \(message) (\(file):\(line))")
  abort()
}

/// Writes one line to standard error, straight to the descriptor: it works while the process dies.
public func complain(_ text: String) {
  let line = Array("wristwire: \(text)\n".utf8)
  _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
