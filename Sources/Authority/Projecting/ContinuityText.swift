package import WatchTransfer

extension AccountState {
  /// How well the account is kept beyond its server's machine, in words that stay right: they name
  /// the day, as nothing replaces them at midnight.
  package func continuity(_ state: ContinuityState, copiedAt: Instant?) -> ContinuityReading {
    let moment = copiedAt.map(momentText)
    let last = moment.map { ", last one \($0)" } ?? ", none yet"
    let text =
      switch state {
      case .notConfigured: "No backup is set up"
      case .fresh: moment.map { "Backed up \($0)" } ?? "Backed up"
      case .overdue: "Backup overdue\(last)"
      case .restricted: "Backup refused by its target\(last)"
      case .failing: "Backup failed\(last)"
      }
    return ContinuityReading(state: state, copiedAt: copiedAt, text: text)
  }

  /// `15 Jun, 18:05` in the account's zone: no age, so that it stays right.
  func momentText(_ instant: Instant) -> String {
    let date = zone.rules.day(at: instant).date
    return "\(date.day) \(monthNames[date.month - 1]), \(clockText(instant))"
  }
}

/// Short names of the months, January first.
let monthNames = [
  "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
]
