internal import WatchTransfer

/// Accounts that are left out when rows are replayed, as the server has crashed on them.
struct NotReplayed: Equatable {
  /// Accounts that are not served either.
  var setAside: Set<AccountID> = []
  /// Accounts that are served: the server has ended only while a copy of them was replayed.
  var unverified: Set<AccountID> = []

  /// All of them.
  var all: Set<AccountID> { setAside.union(unverified) }

  /// A line for each, in the order of their ids, that says why.
  var lines: [String] {
    all.sorted().map { account in
      setAside.contains(account)
        ? "account \(account) is set aside, and was not replayed"
        : "account \(account) was not replayed: the server has ended in that again and again"
    }
  }

  /// Those of them that are in `accounts`.
  func intersection(_ accounts: Set<AccountID>) -> NotReplayed {
    NotReplayed(
      setAside: setAside.intersection(accounts), unverified: unverified.intersection(accounts))
  }
}
