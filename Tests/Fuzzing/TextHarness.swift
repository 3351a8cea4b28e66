internal import AuthorityServer
internal import CommandLineTool
internal import WatchTransfer

extension Harness {
  /// What people and programs write: limits files, JSON, scripts, moments and spans.
  static let texts = Harness(
    "texts", "one byte for the kind, then a limits file, JSON, a scripted action or an argument",
    bytesMax: 1_024, mutations: 20_000
  ) {
    { bytes in
      var feed = ByteFeed(bytes)
      let kind = feed.byte() % 5
      let text = String(decoding: feed.rest(), as: UTF8.self)
      switch kind {
      case 0: try checkLimits(text)
      case 1: try checkJSON(text)
      case 2: checkScript(text)
      case 3:
        guard let moment = InstantArgument(text) else { return }
        _ = moment.resolved(now: Instant(milliseconds: 1_796_058_300_000)).rfc3339
      default:
        _ = DurationArgument(text)
        _ = MatchID(hex: text)
        _ = isTypedName(text)
      }
    }
  }
}

/// Limits that are read, written as a file, read the same.
private func checkLimits(_ text: String) throws(BrokenProperty) {
  var limits = ServerLimits()
  guard (try? limits.read(text)) != nil else { return }
  var again = ServerLimits()
  let lines = limits.lines.map { "\($0.name) = \($0.value)\n" }.joined()
  try require((try? again.read(lines)) != nil && again == limits, "written limits read other")
}

/// JSON that is read, written, reads the same.
private func checkJSON(_ text: String) throws(BrokenProperty) {
  guard let value = try? JSONParser.parse(text) else { return }
  let written = value.json
  guard let again = try? JSONParser.parse(written) else {
    throw BrokenProperty("JSON that was written does not read")
  }
  try require(again.json == written, "JSON written twice is other bytes")
}

/// A script's action is one that can be asked for, or none.
private func checkScript(_ text: String) {
  guard let action = try? ScriptedAction(parsing: text) else { return }
  let match = MatchID(high: 1, low: 1)
  _ = action.action(now: Instant(milliseconds: 1_796_058_300_000), match: match)
}
