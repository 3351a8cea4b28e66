import CProtobufC
import CWireProto
import WatchTransfer

/// Facets of the person: today, streak, goals, preferences, theme.
extension MessageEncoder {
  /// Days and greetings.
  func today(_ value: TodayFacet) -> UnsafeMutablePointer<Wristwire__V1__TodayFacet> {
    let facet = arena.make(wristwire__v1__today_facet__init)
    facet.pointee.n_days = value.days.count
    facet.pointee.days = arena.messages(value.days) { value in
      let day = arena.make(wristwire__v1__today_entry__init)
      put(value.from.milliseconds, &day.pointee.has_from_ms, &day.pointee.from_ms)
      put(value.day.number, &day.pointee.has_day, &day.pointee.day)
      day.pointee.n_items = value.items.count
      day.pointee.items = arena.messages(value.items, item)
      return day
    }
    facet.pointee.n_greetings = value.greetings.count
    facet.pointee.greetings = arena.messages(value.greetings) { value in
      let greeting = arena.make(wristwire__v1__greeting_entry__init)
      put(value.from.milliseconds, &greeting.pointee.has_from_ms, &greeting.pointee.from_ms)
      put(arena.text(value.text), &greeting.pointee.has_text, &greeting.pointee.text)
      return greeting
    }
    return facet
  }

  private func item(_ value: TodayFacet.Item) -> UnsafeMutablePointer<Wristwire__V1__TodayItem> {
    let item = arena.make(wristwire__v1__today_item__init)
    put(arena.id(value.id), &item.pointee.has_id, &item.pointee.id)
    put(arena.text(value.title), &item.pointee.has_title, &item.pointee.title)
    put(choice: value.kind, &item.pointee.has_kind, &item.pointee.kind)
    put(value.at.milliseconds, &item.pointee.has_at_ms, &item.pointee.at_ms)
    put(flag: value.done, &item.pointee.has_done, &item.pointee.done)
    put(arena.text(value.text), &item.pointee.has_text, &item.pointee.text)
    return item
  }

  /// The run of satisfied days.
  func streak(_ value: StreakFacet) -> UnsafeMutablePointer<Wristwire__V1__StreakFacet> {
    let facet = arena.make(wristwire__v1__streak_facet__init)
    put(value.policy.wire, &facet.pointee.has_policy, &facet.pointee.policy)
    put(value.policy.wireDays, &facet.pointee.has_streak_days, &facet.pointee.streak_days)
    facet.pointee.n_entries = value.entries.count
    facet.pointee.entries = arena.messages(value.entries) { value in
      let entry = arena.make(wristwire__v1__streak_entry__init)
      put(value.from.milliseconds, &entry.pointee.has_from_ms, &entry.pointee.from_ms)
      put(UInt32(clamping: value.days), &entry.pointee.has_days, &entry.pointee.days)
      put(flag: value.todayDone, &entry.pointee.has_today_done, &entry.pointee.today_done)
      put(
        value.atRiskAt?.milliseconds, &entry.pointee.has_at_risk_at_ms,
        &entry.pointee.at_risk_at_ms)
      put(value.lostAt?.milliseconds, &entry.pointee.has_lost_at_ms, &entry.pointee.lost_at_ms)
      put(arena.text(value.text), &entry.pointee.has_text, &entry.pointee.text)
      if value.freezes > 0 {
        put(UInt32(clamping: value.freezes), &entry.pointee.has_freezes, &entry.pointee.freezes)
      }
      entry.pointee.n_protected_days = value.protected.count
      entry.pointee.protected_days = arena.list(value.protected) { $0.number }
      if value.isPaused { put(flag: true, &entry.pointee.has_paused, &entry.pointee.paused) }
      return entry
    }
    return facet
  }

  /// Goals with their progress.
  func goals(_ value: GoalsFacet) -> UnsafeMutablePointer<Wristwire__V1__GoalsFacet> {
    let facet = arena.make(wristwire__v1__goals_facet__init)
    facet.pointee.n_goals = value.goals.count
    facet.pointee.goals = arena.messages(value.goals) { value in
      let goal = arena.make(wristwire__v1__goal__init)
      put(arena.text(value.name), &goal.pointee.has_name, &goal.pointee.name)
      put(value.target, &goal.pointee.has_target, &goal.pointee.target)
      goal.pointee.n_progress = value.progress.count
      goal.pointee.progress = arena.messages(value.progress) { value in
        let step = arena.make(wristwire__v1__goal_progress__init)
        put(value.from.milliseconds, &step.pointee.has_from_ms, &step.pointee.from_ms)
        put(value.value, &step.pointee.has_value, &step.pointee.value)
        put(arena.text(value.text), &step.pointee.has_text, &step.pointee.text)
        return step
      }
      return goal
    }
    facet.pointee.weight = value.weight.map(latestWeight)
    return facet
  }

  private func latestWeight(
    _ value: GoalsFacet.LatestWeight
  ) -> UnsafeMutablePointer<Wristwire__V1__LatestWeight> {
    let latest = arena.make(wristwire__v1__latest_weight__init)
    put(arena.id(value.id), &latest.pointee.has_id, &latest.pointee.id)
    latest.pointee.weight = weight(value.weight)
    put(value.day.number, &latest.pointee.has_day, &latest.pointee.day)
    put(value.at?.milliseconds, &latest.pointee.has_at_ms, &latest.pointee.at_ms)
    put(arena.text(value.text), &latest.pointee.has_text, &latest.pointee.text)
    return latest
  }

  /// What follows the person.
  func preferences(
    _ value: PreferencesFacet
  ) -> UnsafeMutablePointer<Wristwire__V1__PreferencesFacet> {
    let facet = arena.make(wristwire__v1__preferences_facet__init)
    put(choice: value.units, &facet.pointee.has_units, &facet.pointee.units)
    put(
      UInt32(clamping: value.firstWeekday), &facet.pointee.has_first_weekday,
      &facet.pointee.first_weekday)
    put(
      UInt32(clamping: value.onboardingStep), &facet.pointee.has_onboarding_step,
      &facet.pointee.onboarding_step)
    put(
      value.streakPolicy.wire, &facet.pointee.has_streak_policy, &facet.pointee.streak_policy)
    put(value.streakPolicy.wireDays, &facet.pointee.has_streak_days, &facet.pointee.streak_days)
    put(arena.text(value.zoneID), &facet.pointee.has_zone_id, &facet.pointee.zone_id)
    return facet
  }

  /// Day and night.
  func theme(_ value: ThemeFacet) -> UnsafeMutablePointer<Wristwire__V1__ThemeFacet> {
    let facet = arena.make(wristwire__v1__theme_facet__init)
    put(choice: value.mode, &facet.pointee.has_mode, &facet.pointee.mode)
    facet.pointee.n_flips = value.flips.count
    facet.pointee.flips = arena.messages(value.flips) { value in
      let flip = arena.make(wristwire__v1__theme_flip__init)
      put(value.from.milliseconds, &flip.pointee.has_at_ms, &flip.pointee.at_ms)
      put(choice: value.to, &flip.pointee.has_to, &flip.pointee.to)
      return flip
    }
    facet.pointee.day = palette(value.day)
    facet.pointee.night = palette(value.night)
    if value.palette != .classic {
      put(choice: value.palette, &facet.pointee.has_palette, &facet.pointee.palette)
    }
    return facet
  }

  /// Four colours.
  func palette(_ value: Palette) -> UnsafeMutablePointer<Wristwire__V1__Palette> {
    let palette = arena.make(wristwire__v1__palette__init)
    put(value.background, &palette.pointee.has_background, &palette.pointee.background)
    put(value.text, &palette.pointee.has_text, &palette.pointee.text)
    put(value.secondary, &palette.pointee.has_secondary, &palette.pointee.secondary)
    put(value.accent, &palette.pointee.has_accent, &palette.pointee.accent)
    return palette
  }
}
