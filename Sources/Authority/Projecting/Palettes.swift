internal import WatchTransfer

extension ThemeProjection {
  /// The colours of a scheme. Text, secondary and accent stand out from the background by 4.5:1 and
  /// more (WCAG 2.1, success criterion 1.4.3).
  static func palettes(of name: PaletteName) -> (day: Palette, night: Palette) {
    switch name {
    case .classic:
      (
        Palette(background: 0xFFFFFF, text: 0x1A1A1A, secondary: 0x595959, accent: 0x0B57D0),
        Palette(background: 0x101418, text: 0xF2F2F2, secondary: 0xB0B8C0, accent: 0x8AB4F8)
      )
    case .ocean:
      (
        Palette(background: 0xF2F8FB, text: 0x0B2530, secondary: 0x3B5663, accent: 0x00658A),
        Palette(background: 0x06181F, text: 0xE3F4FA, secondary: 0xA3BEC9, accent: 0x5CC8F2)
      )
    case .forest:
      (
        Palette(background: 0xF5F9F2, text: 0x14261A, secondary: 0x43574A, accent: 0x1F6B2E),
        Palette(background: 0x0C1710, text: 0xE8F5EA, secondary: 0xA9C2AE, accent: 0x7BD88F)
      )
    case .ember:
      (
        Palette(background: 0xFFF8F2, text: 0x2B1608, secondary: 0x63483A, accent: 0xA33B00),
        Palette(background: 0x1A0F0A, text: 0xFBEDE3, secondary: 0xCFB5A6, accent: 0xFFA366)
      )
    case .contrast:
      (
        Palette(background: 0xFFFFFF, text: 0x000000, secondary: 0x2E2E2E, accent: 0x00309C),
        Palette(background: 0x000000, text: 0xFFFFFF, secondary: 0xD9D9D9, accent: 0xFFD60A)
      )
    }
  }
}
