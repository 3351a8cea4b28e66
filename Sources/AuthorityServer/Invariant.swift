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
  fputs("wristwire: broken invariant: \(message) (\(file):\(line))\n", stderr)
  abort()
}
