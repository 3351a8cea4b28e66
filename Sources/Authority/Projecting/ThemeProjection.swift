internal import WatchTransfer

/// Day from 07:00:00 to 19:00:00 local, night otherwise, or the person's choice (DESIGN section 6,
/// rule 6).
struct ThemeProjection {
  let state: AccountState

  /// The facet.
  var facet: ThemeFacet {
    var facet = ThemeFacet(
      mode: state.settings.themeMode.value, flips: flips, day: day, night: night)
    facet.palette = state.settings.palette.value
    return facet
  }

  /// The colours of the day.
  var day: Palette { Self.palettes(of: state.settings.palette.value).day }

  /// The colours of the night.
  var night: Palette { Self.palettes(of: state.settings.palette.value).night }

  /// The changes up to the horizon; the first holds from the newest turn.
  var flips: [ThemeFacet.Flip] {
    switch state.settings.themeMode.value {
    case .day: return [ThemeFacet.Flip(from: state.asOf, to: .day)]
    case .night: return [ThemeFacet.Flip(from: state.asOf, to: .night)]
    case .auto: break
    }
    var flips = [ThemeFacet.Flip(from: state.asOf, to: .night)]
    for ahead in state.daysAhead {
      for (hour, appearance) in [(Int64(7), Appearance.day), (19, .night)] {
        let from = state.zone.rules.firstInstant(
          atOrAfter: ahead.day, millisecondsOfDay: hour * 3_600_000)
        guard let from, from < ahead.end, from <= state.horizon else { continue }
        flips.append(ThemeFacet.Flip(from: from, to: appearance))
      }
    }
    return inForce(
      flips, from: state.asOf, isSame: { $0.to == $1.to },
      at: { ThemeFacet.Flip(from: $1, to: $0.to) })
  }
}
