internal import WatchTransfer

extension Decider {
  /// Says what the account's buttons do: an edit of the whole keymap.
  func setKeymap(_ bindings: [KeyBinding]) throws(Rejection) -> [Event] {
    guard bindings.count <= ActionLimits.bindingsMax else {
      throw .refused(.limit(of: "bindings"))
    }
    for binding in bindings {
      if case .markWorkout(let title) = binding.command {
        try requireName(title, field: "title")
      }
    }
    let sorted = bindings.sorted {
      ($0.button, $0.gesture.rawValue) < ($1.button, $1.gesture.rawValue)
    }
    for (earlier, later) in zip(sorted, sorted.dropFirst())
    where earlier.button == later.button && earlier.gesture == later.gesture {
      throw .refused(.invalid(field: "bindings"))
    }
    try requireWinner(state.keymap.yields(to: by.stamp))
    return [.keymapSet(sorted, by: by)]
  }

  /// Does what the keymap has for a press, as if the controller had asked for that: a wish about
  /// now, whatever it is that is asked.
  func press(_ button: UInt8, _ gesture: Gesture) throws(Rejection) -> [Event] {
    try requireInTime()
    let bound = state.keymap.value.first { $0.button == button && $0.gesture == gesture }
    guard let bound else { throw .refused(.unmapped) }
    guard let act = context.act else { throw .refused(.forbidden) }
    return try events(of: action(of: bound.command, for: act))
  }

  /// The action that a command is now, on the match that is shown. Ids it makes are derived.
  private func action(
    of command: KeyCommand, for act: IncarnationNumber
  ) throws(Rejection) -> Action {
    switch command {
    case .markWorkout(let title):
      return .markWorkout(log: derivedID(of: act), workout: .title(title))
    case .point(let team):
      let match = try shownMatch()
      // Without a look at a screen, nobody means the match before.
      if !match.isOpen { throw .refused(.ended) }
      return .addPoint(
        entry: derivedID(of: act), match: match.id, team: team, insist: false)
    case .undoPoint:
      let match = try shownMatch()
      let newest = match.entries.last { $0.device == by.device && !$0.isUndone }
      guard let newest else { throw .refused(.notFound) }
      return .undoPoint(match: match.id, entry: newest.id)
    case .clock(let control):
      return .controlClock(match: try shownMatch().id, control: control)
    }
  }

  private func shownMatch() throws(Rejection) -> Match {
    guard let match = state.matches.shown else { throw .refused(.notFound) }
    return match
  }
}
