internal import WatchTransfer

/// Day from 07:00:00 to 19:00:00 local, night otherwise, or the person's choice (DESIGN section 6,
/// rule 6).
struct ThemeProjection {
  let state: AccountState

  /// Whose text, secondary and accent colours stand out from the background by 4.5:1 and more.
  static let dayPalette = Palette(
    background: 0xFFFFFF, text: 0x1A1A1A, secondary: 0x595959, accent: 0x0B57D0)
  /// See `dayPalette`.
  static let nightPalette = Palette(
    background: 0x101418, text: 0xF2F2F2, secondary: 0xB0B8C0, accent: 0x8AB4F8)

  /// The facet.
  var facet: ThemeFacet {
    ThemeFacet(
      mode: state.settings.themeMode.value, flips: flips, day: Self.dayPalette,
      night: Self.nightPalette)
  }

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
