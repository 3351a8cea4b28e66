/// What a partition owes its connections.
struct Debts {
  /// Sessions that are owed an update.
  var updates = 0
  /// Bytes that sockets have not taken.
  var unsentBytes = 0
}
