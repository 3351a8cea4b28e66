/// Ends the process with `message` when `condition` is false: for our own misuse, never for input.
///
/// Always on; `precondition` keeps its check but loses its message in release builds.
func invariant(
  _ condition: @autoclosure () -> Bool, _ message: StaticString, file: StaticString = #fileID,
  line: UInt = #line
) {
  if !condition() { fatalError("\(message)", file: file, line: line) }
}
