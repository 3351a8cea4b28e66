import Authority
import Testing
import WatchTransfer

/// Day from 07:00:00 to 19:00:00 local (DESIGN section 6, rule 6).
@Suite struct ThemeTests {
  @Test(
    "THM-01, THM-03: the theme by the local clock",
    arguments: [
      ("2026-06-10 18:48", Appearance.day), ("2026-06-10 18:59:59", .day),
      ("2026-06-10 19:00:00", .night), ("2026-06-10 23:59", .night), ("2026-06-11 00:00", .night),
      ("2026-06-11 00:01", .night), ("2026-06-11 06:59:59", .night), ("2026-06-11 07:00:00", .day),
    ])
  func byClock(time: String, expected: Appearance) {
    let account = TestAccount(at: local("2026-06-10 09:00", "Europe/Berlin"))
    let moment = local(time, "Europe/Berlin")
    #expect(account.theme.flips.current(at: moment)?.to == expected)
    var turned = account
    turned.turn(at: moment)
    #expect(turned.theme.flips.first == .init(from: moment, to: expected))
  }

  @Test("THM-06: the 07:00 turn made twice leaves day")
  func twice() {
    let seven = local("2026-06-10 07:00", "Europe/Berlin")
    var account = TestAccount(at: seven)
    account.turn(at: seven)
    let once = account.theme
    account.turn(at: seven)
    #expect(account.theme == once)
    #expect(once.flips.first?.to == .day)
  }

  @Test(
    "THM-07: 05:30Z in July is day in Berlin and night in London",
    arguments: [("Europe/Berlin", Appearance.day), ("Europe/London", .night)])
  func byZone(zone: String, expected: Appearance) {
    let account = TestAccount(zone: zone, at: instant("2026-07-01T05:30:00Z"))
    #expect(account.theme.flips.first?.to == expected)
  }

  @Test("Flips fall on 07:00:00 and 19:00:00 local, on 23- and 25-hour days too")
  func changeOfClocks() {
    for start in ["2026-03-27 12:00", "2026-10-23 12:00"] {
      let account = TestAccount(at: local(start, "Europe/Berlin"))
      let flips = account.theme.flips
      let rules = TestZones.table.first { $0.id == "Europe/Berlin" }!
      #expect(flips.count == 17)
      for (index, flip) in flips.enumerated().dropFirst() {
        let time = rules.localMilliseconds(at: flip.from) % 86_400_000
        #expect(time == (flip.to == .day ? 7 : 19) * 3_600_000)
        #expect(flips[index - 1].to != flip.to)
      }
    }
  }

  @Test("A chosen mode has one entry", arguments: [ThemeMode.day, .night])
  func chosen(mode: ThemeMode) {
    let now = local("2026-06-10 09:00", "Europe/Berlin")
    var account = TestAccount(at: now)
    #expect(account.act(.setTheme(mode: mode), at: now) == .applied)
    #expect(account.theme.flips == [.init(from: now, to: mode == .day ? .day : .night)])
    account.act(.setTheme(mode: .auto), at: now)
    #expect(account.theme.flips.count > 1)
  }

  @Test("Every palette stands out from its background", arguments: PaletteName.allCases)
  func contrast(name: PaletteName) {
    var account = TestAccount(at: local("2026-06-10 09:00", "Europe/Berlin"))
    #expect(
      account.act(.setPalette(name), at: local("2026-06-10 09:01", "Europe/Berlin")) == .applied)
    let theme = account.theme
    #expect(theme.palette == name)
    for palette in [theme.day, theme.night] {
      for colour in [palette.text, palette.secondary, palette.accent] {
        #expect(contrastRatio(colour, palette.background) >= (name == .contrast ? 7 : 4.5))
      }
    }
    // Day is light and night is dark, whatever the scheme.
    #expect(luminance(theme.day.background) > luminance(theme.night.background))
    for kind in WidgetKind.allCases {
      let made = timeline(
        account.state, WidgetView(kind: kind, family: .small, appearance: .both))
      #expect(made.day == theme.day && made.night == theme.night)
    }
  }

  @Test("The later choice of colours wins, whichever arrives first")
  func palettes() {
    let start = local("2026-06-10 09:00", "Europe/Berlin")
    let later = start.advanced(milliseconds: 2_000)
    for isReversed in [false, true] {
      var account = TestAccount(at: start)
      #expect(account.theme.palette == .classic)
      let choices = [(PaletteName.ocean, start), (.ember, later)]
      for (name, at) in isReversed ? choices.reversed() : choices {
        let outcome = account.act(.setPalette(name), at: at, now: later)
        #expect(outcome == (isReversed && name == .ocean ? .refused(.superseded) : .applied))
      }
      #expect(account.theme.palette == .ember)
    }
  }

  /// WCAG 2.1, https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio, with the power 2.4 by its series.
  private func contrastRatio(_ first: UInt32, _ second: UInt32) -> Double {
    let luminances = [luminance(first), luminance(second)].sorted()
    return (luminances[1] + 0.05) / (luminances[0] + 0.05)
  }

  private func luminance(_ colour: UInt32) -> Double {
    func channel(_ shift: UInt32) -> Double {
      let value = Double(colour >> shift & 0xFF) / 255
      return value <= 0.03928 ? value / 12.92 : power((value + 0.055) / 1.055)
    }
    return 0.2126 * channel(16) + 0.7152 * channel(8) + 0.0722 * channel(0)
  }

  /// x to the power 2.4 = x² · (x²)^(1/5), the root by Newton's steps.
  private func power(_ x: Double) -> Double {
    let square = x * x
    var root = 1.0
    for _ in 0..<60 { root = (4 * root + square / (root * root * root * root)) / 5 }
    return square * root
  }
}
