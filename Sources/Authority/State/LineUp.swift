package import WatchTransfer

/// One substitution, undone or not.
package struct SubstitutionEntry: Sendable, Equatable {
  package let id: SubstitutionID
  package let team: Team
  package let off: PlayerID
  package let on: PlayerID
  /// Corrected time.
  package var at: Instant
  package let device: DeviceID
  /// As the device was called then.
  package let deviceName: String
  package var isUndone: Bool

  /// A substitution.
  package init(
    id: SubstitutionID, team: Team, off: PlayerID, on: PlayerID, at: Instant, device: DeviceID,
    deviceName: String, isUndone: Bool
  ) {
    self.id = id
    self.team = team
    self.off = off
    self.on = on
    self.at = at
    self.device = device
    self.deviceName = deviceName
    self.isUndone = isUndone
  }
}

/// Who may play in a match, and the log of who came for whom. What the log says need not make
/// sense: whoever goes off without being on, or comes on twice, changes nothing by it, so that
/// neither the order in which facts arrive nor a squad that comes late matters.
package struct LineUp: Sendable, Equatable {
  package var home = Stamped<[SquadPlayer]>([])
  package var away = Stamped<[SquadPlayer]>([])
  /// In order of time, then id.
  package var substitutions: [SubstitutionEntry] = []
  /// Substitutions that were undone before they arrived, in order.
  package var undoneAhead: [SubstitutionID] = []

  /// Nobody.
  package init() {}

  /// The squad of a team.
  package func squad(of team: Team) -> Stamped<[SquadPlayer]> { team == .home ? home : away }

  /// The player of either squad whom an id names.
  func player(_ id: PlayerID) -> SquadPlayer? {
    home.value.first { $0.id == id } ?? away.value.first { $0.id == id }
  }

  /// Whether a squad or a substitution names the player.
  func names(_ id: PlayerID) -> Bool {
    player(id) != nil || substitutions.contains { $0.off == id || $0.on == id }
  }

  /// Every player that is named, some twice.
  var named: [PlayerID] {
    (home.value + away.value).map(\.id) + substitutions.flatMap { [$0.off, $0.on] }
  }

  /// Takes a squad unless the one there is later.
  mutating func edit(_ team: Team, _ players: [SquadPlayer], by stamp: FieldStamp) {
    switch team {
    case .home: home.edit(players, by: stamp)
    case .away: away.edit(players, by: stamp)
    }
  }

  /// Puts a substitution in at its time.
  mutating func insert(_ entry: SubstitutionEntry) {
    let position = substitutions.partitionIndex {
      $0.at == entry.at ? $0.id < entry.id : $0.at < entry.at
    }
    substitutions.insert(entry, at: position)
  }
}
