internal import WatchTransfer

/// What a widget shows at one moment in one palette: rows of text, whatever they are drawn with.
struct WidgetFace {
  /// One row.
  struct Row {
    /// Which of the palette's colours it has.
    enum Colour {
      case text
      case secondary
      case accent
    }

    var text: String
    var colour: Colour
  }

  /// Rows beyond the family's lines: a timer, a progress bar, a curve and a stale mark.
  static let extraRowsMax = 4

  let family: WidgetFamily
  let palette: Palette
  /// Spoken label.
  let spoken: String
  let symbol: String
  let rows: [Row]

  /// `entry` as it looks at `at`.
  init(
    _ entry: WidgetTimeline.Entry, family: WidgetFamily, domainMaximum: Int?, palette: Palette,
    at: Instant
  ) {
    self.family = family
    self.palette = palette
    spoken = printable(entry.spoken)
    symbol = shortened(printable(entry.symbol), to: family.lineCharactersMax)
    let room = family.lineCharactersMax
    var rows = entry.lines.prefix(family.linesMax).map { line in
      Row(text: shortened(printable(line), to: room), colour: .text)
    }
    if let timer = Self.timer(of: entry, at: at) { rows.append(Row(text: timer, colour: .accent)) }
    if let permille = entry.progressPermille {
      rows.append(Row(text: Self.bar(permille: permille, width: room), colour: .accent))
    }
    if !entry.points.isEmpty {
      let scale = domainMaximum.map { " \($0)" } ?? ""
      let curve = Self.curve(entry.points, width: room - scale.count)
      if !curve.isEmpty { rows.append(Row(text: curve + scale, colour: .accent)) }
    }
    if let mark = Self.staleMark(entry.stale) { rows.append(Row(text: mark, colour: .secondary)) }
    self.rows = rows
  }

  /// Columns that the widest row needs, never fewer than the family has.
  var columns: Int {
    rows.map { displayWidth(of: $0.text) }.reduce(family.lineCharactersMax, max)
  }

  /// A row's colour, 0xRRGGBB.
  func colour(of row: Row) -> UInt32 {
    switch row.colour {
    case .text: palette.text
    case .secondary: palette.secondary
    case .accent: palette.accent
    }
  }

  private static func timer(of entry: WidgetTimeline.Entry, at: Instant) -> String? {
    guard entry.timerSince != nil || entry.timerElapsedMilliseconds != nil else { return nil }
    let running = entry.timerSince.map { max(0, at.milliseconds(since: $0)) } ?? 0
    return timerText(milliseconds: (entry.timerElapsedMilliseconds ?? 0) + running)
  }

  private static func bar(permille: Int, width: Int) -> String {
    let filled = (min(max(permille, 0), 1_000) * width + 500) / 1_000
    return String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
  }

  /// The newest points that have room, each a block of its height; what the top stands for follows.
  private static func curve(_ points: [Int], width: Int) -> String {
    let blocks = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    return points.suffix(max(0, width)).map { point in
      blocks[min(max(point, 0), 999) * blocks.count / 1_000]
    }.joined()
  }

  /// In words, because colour alone would not tell everyone.
  private static func staleMark(_ level: Int) -> String? {
    switch level {
    case ...0: nil
    case 1: "ageing"
    default: "stale"
    }
  }
}

/// `text`, cut to `count` characters with an ellipsis.
func shortened(_ text: String, to count: Int) -> String {
  text.count <= count ? text : text.prefix(max(0, count - 1)) + "…"
}
