/// Ends the process when our own code is wrong; always on, and with its message in release builds,
/// where `precondition` loses it. What a peer sends never leads here.
func invariant(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError(message()) }
}
