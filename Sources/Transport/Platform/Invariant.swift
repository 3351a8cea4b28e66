/// Stops the process with a message when our own code is wrong; stays on in release builds.
///
/// Never for what a peer does: a peer's misbehaviour is a value. `precondition` would lose the message
/// in release builds.
@inline(__always)
func invariant(
  _ holds: @autoclosure () -> Bool, _ message: @autoclosure () -> StaticString,
  file: StaticString = #fileID, line: UInt = #line
) {
  if !holds() { fatalError("\(message())", file: file, line: line) }
}
