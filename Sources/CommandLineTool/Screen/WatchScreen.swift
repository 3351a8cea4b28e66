internal import WatchTransfer

/// A watch's screen on a terminal: a page and what is selected on it. Pure: what it shows follows
/// from it, a scene and a size, and what a key wishes from it and a scene.
public struct WatchScreen: Sendable {
  /// One page.
  public enum Page: Int, CaseIterable, Sendable {
    case today, session, match, streak, outbox

    /// Its name.
    var title: String {
      switch self {
      case .today: "Today"
      case .session: "Session"
      case .match: "Match"
      case .streak: "Streak"
      case .outbox: "Outbox"
      }
    }

    /// Its own keys, in few words.
    var keys: String {
      switch self {
      case .today: "enter marks or unmarks"
      case .session:
        "enter does the set, starts or selects; n next, p previous, space pause, f finish"
      case .match: "1 and 2 score, u undoes, space starts or pauses, e next half"
      case .streak: "nothing to press here"
      case .outbox: "enter offers again what is set aside, x lets go of it"
      }
    }
  }

  /// A line of the screen.
  public struct Line: Hashable, Sendable {
    public var text: String
    /// Shown in reverse: the selected row, and the status.
    public var isMarked: Bool

    /// A line.
    public init(_ text: String, isMarked: Bool = false) {
      self.text = text
      self.isMarked = isMarked
    }
  }

  public internal(set) var page = Page.today
  /// Which of the page's rows that can be selected; nil: the one that is next.
  var selection: Int?

  /// The first page.
  public init() {}

  /// Exactly `rows` lines, none wider than `columns`: the status first, then the pages' names, then
  /// the page, then what was said or which keys there are. What has no room goes from the end; the
  /// status stays.
  public func lines(of scene: WatchScene, columns: Int, rows: Int) -> [Line] {
    guard columns > 0, rows > 0 else { return [] }
    var lines = [Line(status(of: scene, columns: columns), isMarked: true)]
    if rows > 1 { lines.append(Line(tabs(columns: columns))) }
    let hasFoot = rows > 4
    let room = max(0, rows - lines.count - (hasFoot ? 1 : 0))
    var content = content(of: scene, room: room)
    content += Array(repeating: Line(""), count: max(0, room - content.count))
    lines += content
    if hasFoot {
      let keys = "\(page.keys); arrows move, o offline, q quits"
      lines.append(Line(scene.message.isEmpty ? keys : scene.message))
    }
    return lines.map { line in
      var text = fitted(line.text, columns: columns)
      if line.isMarked {
        text += String(repeating: " ", count: columns - displayWidth(of: text))
      }
      return Line(text, isMarked: line.isMarked)
    }
  }

  /// Connection, staleness and outbox, as fully as they fit.
  private func status(of scene: WatchScene, columns: Int) -> String {
    let waiting = scene.queued + scene.received
    let stale = scene.isStale ? "stale" : "current"
    let (link, short): (String, String) =
      switch scene.link {
      case .offline: ("offline", "off")
      case .connecting(let why): (why.map { "connecting (\($0))" } ?? "connecting", "...")
      case .connected: ("connected", "on")
      case .ended(let why): ("ended: \(why)", "end")
      }
    let aside = scene.quarantined > 0 ? " · \(scene.quarantined) set aside" : ""
    let sent = scene.received > 0 ? " (\(scene.received) on the way)" : ""
    let plain = link.prefix { $0 != " " && $0 != ":" }
    let forms = [
      " \(link) · \(stale) · revision \(scene.revision) · outbox \(waiting)\(sent)\(aside)",
      " \(link) · \(stale) · outbox \(waiting)\(aside)",
      "\(plain) · \(stale) · outbox \(waiting)\(scene.quarantined > 0 ? "!" : "")",
      "\(short) \(stale) \(waiting)\(scene.quarantined > 0 ? "!" : "")",
    ]
    let fitting = forms.first { displayWidth(of: printable($0)) <= columns }
    return fitting ?? "\(short) \(scene.isStale ? "old" : "ok") \(waiting)"
  }

  private func tabs(columns: Int) -> String {
    let all = Page.allCases.map { $0 == page ? "[\($0.title)]" : " \($0.title) " }.joined()
    if displayWidth(of: all) <= columns { return all }
    return "[\(page.title)] \(page.rawValue + 1)/\(Page.allCases.count)"
  }

  /// Which of `count` rows is selected; nil: there is none.
  func place(among count: Int, of scene: WatchScene) -> Int? {
    if count == 0 { return nil }
    let next =
      switch page {
      case .session: scene.session?.position ?? 0
      case .outbox: scene.kept.firstIndex(where: \.isQuarantined) ?? 0
      case .today, .match, .streak: 0
      }
    return min(max(selection ?? next, 0), count - 1)
  }

  /// The page's rows, moved up so that the selected one is among them.
  private func content(of scene: WatchScene, room: Int) -> [Line] {
    let rows = rows(of: scene)
    let places = rows.indices.filter { rows[$0].isSelectable }
    let selected = place(among: places.count, of: scene).map { places[$0] }
    let lines = rows.indices.map { index in
      let row = rows[index]
      let mark = row.isSelectable ? (index == selected ? "> " : "  ") : ""
      return Line(mark + row.text, isMarked: index == selected)
    }
    let first = min(max(0, (selected ?? 0) - room + 1), max(0, lines.count - room))
    return Array(lines.dropFirst(first).prefix(room))
  }
}
