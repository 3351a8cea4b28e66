import CProtobufC
import CWireProto
import WatchTransfer

/// Facets of the person: today, streak, goals, preferences, theme.
extension MessageDecoder {
  /// The facet `today`.
  func today(_ facet: Wristwire__V1__TodayFacet) throws(WireError) -> TodayFacet {
    var value = TodayFacet(days: [], greetings: [])
    for pointer in UnsafeBufferPointer(start: facet.days, count: facet.n_days) {
      let day = try Check.message(pointer, "days")
      var items: [TodayFacet.Item] = []
      for pointer in UnsafeBufferPointer(start: day.items, count: day.n_items) {
        items.append(try item(try Check.message(pointer, "items")))
      }
      value.days.append(
        TodayFacet.Day(
          from: try Check.instant(day.has_from_ms, day.from_ms, "days.from_ms"),
          day: CivilDay(number: try Check.present(day.has_day, day.day, "days.day")),
          items: items))
    }
    for pointer in UnsafeBufferPointer(start: facet.greetings, count: facet.n_greetings) {
      let greeting = try Check.message(pointer, "greetings")
      value.greetings.append(
        TodayFacet.Greeting(
          from: try Check.instant(greeting.has_from_ms, greeting.from_ms, "greetings.from_ms"),
          text: try Check.text(greeting.has_text, greeting.text, "greetings.text")))
    }
    return value
  }

  private func item(_ item: Wristwire__V1__TodayItem) throws(WireError) -> TodayFacet.Item {
    TodayFacet.Item(
      id: try Check.id(item.has_id, item.id, "items.id"),
      title: try Check.text(item.has_title, item.title, "items.title"),
      kind: try Check.choice(item.has_kind, item.kind.rawValue, "items.kind"),
      at: try Check.instant(item.has_at_ms, item.at_ms, "items.at_ms"),
      done: item.has_done != 0 && item.done != 0,
      text: try Check.text(item.has_text, item.text, "items.text"))
  }

  /// The facet `streak`.
  func streak(_ facet: Wristwire__V1__StreakFacet) throws(WireError) -> StreakFacet {
    var value = StreakFacet(
      policy: try Check.policy(
        facet.has_policy, facet.policy.rawValue, facet.has_streak_days, facet.streak_days,
        "policy"),
      entries: [])
    for pointer in UnsafeBufferPointer(start: facet.entries, count: facet.n_entries) {
      let entry = try Check.message(pointer, "entries")
      var read = StreakFacet.Entry(
        from: try Check.instant(entry.has_from_ms, entry.from_ms, "entries.from_ms"),
        days: Int(try Check.present(entry.has_days, entry.days, "entries.days")),
        todayDone: entry.has_today_done != 0 && entry.today_done != 0,
        atRiskAt: Check.optionalInstant(entry.has_at_risk_at_ms, entry.at_risk_at_ms),
        lostAt: Check.optionalInstant(entry.has_lost_at_ms, entry.lost_at_ms),
        text: try Check.text(entry.has_text, entry.text, "entries.text"))
      read.freezes = entry.has_freezes == 0 ? 0 : Int(entry.freezes)
      let protected = UnsafeBufferPointer(
        start: entry.protected_days, count: entry.n_protected_days)
      read.protected = protected.map { CivilDay(number: $0) }
      read.isPaused = entry.has_paused != 0 && entry.paused != 0
      value.entries.append(read)
    }
    return value
  }

  /// The facet `goals`.
  func goals(_ facet: Wristwire__V1__GoalsFacet) throws(WireError) -> GoalsFacet {
    var value = GoalsFacet(goals: [])
    for pointer in UnsafeBufferPointer(start: facet.goals, count: facet.n_goals) {
      let goal = try Check.message(pointer, "goals")
      var progress: [GoalsFacet.Progress] = []
      for pointer in UnsafeBufferPointer(start: goal.progress, count: goal.n_progress) {
        let step = try Check.message(pointer, "progress")
        progress.append(
          GoalsFacet.Progress(
            from: try Check.instant(step.has_from_ms, step.from_ms, "progress.from_ms"),
            value: try Check.finite(step.has_value, step.value, "progress.value"),
            text: try Check.text(step.has_text, step.text, "progress.text")))
      }
      value.goals.append(
        GoalsFacet.Goal(
          name: try Check.text(goal.has_name, goal.name, "goals.name"),
          target: try Check.finite(goal.has_target, goal.target, "goals.target"),
          progress: progress))
    }
    value.weight = try facet.weight.map { (pointer) throws(WireError) in
      try latestWeight(pointer.pointee)
    }
    return value
  }

  private func latestWeight(
    _ latest: Wristwire__V1__LatestWeight
  ) throws(WireError) -> GoalsFacet.LatestWeight {
    GoalsFacet.LatestWeight(
      id: try Check.id(latest.has_id, latest.id, "weight.id"),
      weight: try weight(try Check.message(latest.weight, "weight.weight"), "weight.weight"),
      day: CivilDay(number: try Check.present(latest.has_day, latest.day, "weight.day")),
      at: Check.optionalInstant(latest.has_at_ms, latest.at_ms),
      text: try Check.text(latest.has_text, latest.text, "weight.text"))
  }

  /// The facet `preferences`.
  func preferences(
    _ facet: Wristwire__V1__PreferencesFacet
  ) throws(WireError) -> PreferencesFacet {
    PreferencesFacet(
      units: try Check.choice(facet.has_units, facet.units.rawValue, "units"),
      firstWeekday: try Check.within(
        ValueLimits.weekdays, facet.has_first_weekday, Int(facet.first_weekday), "first_weekday"),
      onboardingStep: Int(
        try Check.present(facet.has_onboarding_step, facet.onboarding_step, "onboarding_step")),
      streakPolicy: try Check.policy(
        facet.has_streak_policy, facet.streak_policy.rawValue, facet.has_streak_days,
        facet.streak_days, "streak_policy"),
      zoneID: try Check.text(facet.has_zone_id, facet.zone_id, "zone_id"))
  }

  /// The facet `theme`.
  func theme(_ facet: Wristwire__V1__ThemeFacet) throws(WireError) -> ThemeFacet {
    var flips: [ThemeFacet.Flip] = []
    for pointer in UnsafeBufferPointer(start: facet.flips, count: facet.n_flips) {
      let flip = try Check.message(pointer, "flips")
      flips.append(
        ThemeFacet.Flip(
          from: try Check.instant(flip.has_at_ms, flip.at_ms, "flips.at_ms"),
          to: try currentAppearance(flip.has_to, flip.to.rawValue, "flips.to")))
    }
    var value = ThemeFacet(
      mode: try Check.choice(facet.has_mode, facet.mode.rawValue, "mode"), flips: flips,
      day: try palette(try Check.message(facet.day, "day"), "day"),
      night: try palette(try Check.message(facet.night, "night"), "night"))
    value.palette =
      try Check.optionalChoice(facet.has_palette, facet.palette.rawValue, "palette") ?? .classic
    return value
  }

  /// `day` or `night`: `both` is only ever asked for.
  func currentAppearance(
    _ has: protobuf_c_boolean, _ raw: UInt32, _ field: StaticString
  ) throws(WireError) -> Appearance {
    let appearance: Appearance = try Check.choice(has, raw, field)
    guard appearance != .both else { throw Check.invalid(field) }
    return appearance
  }

  /// Four colours, each 0xRRGGBB.
  func palette(
    _ palette: Wristwire__V1__Palette, _ field: StaticString
  ) throws(WireError) -> Palette {
    let colours: ClosedRange<UInt32> = 0...0xFF_FFFF
    return Palette(
      background: try Check.within(colours, palette.has_background, palette.background, field),
      text: try Check.within(colours, palette.has_text, palette.text, field),
      secondary: try Check.within(colours, palette.has_secondary, palette.secondary, field),
      accent: try Check.within(colours, palette.has_accent, palette.accent, field))
  }
}
