internal import WatchTransfer

extension ScriptedConsistency {
  typealias Words = ArraySlice<ScriptWord>

  /// Reads what follows `verb`; nil when the verb is none of these.
  init?(verb: String, _ words: Words) throws(ScriptError) {
    switch verb {
    case "weekly": self = try Self.weekly(words)
    case "edit-schedule": self = try Self.editSchedule(words)
    case "unschedule": self = .unschedule(try Self.id(words, "unschedule ID"))
    case "weigh": self = try Self.weigh(words)
    case "unweigh": self = .unweigh(try Self.id(words, "unweigh ID"))
    case "freeze":
      if !words.isEmpty { throw .badForm("freeze") }
      self = .freeze
    case "pause-streak":
      self = .pause(from: try Self.day(try Self.only(words, "pause-streak DAY")))
    case "resume-streak":
      self = .resume(
        from: words.isEmpty ? nil : try Self.day(try Self.only(words, "resume-streak [DAY]")))
    case "policy", "units", "first-weekday": self = .prefer(try Self.preference(verb, words))
    default: return nil
    }
  }

  private static func weekly(_ words: Words) throws(ScriptError) -> Self {
    let form = "weekly TITLE on DAYS at HH:MM [from DAY]"
    guard let at = words.lastIndex(where: { $0.isWord("at") }), at >= words.startIndex + 3,
      words[at - 2].isWord("on"), [at + 2, at + 4].contains(words.endIndex)
    else { throw .badForm(form) }
    var firstDay: CivilDay?
    if words.endIndex == at + 4 {
      guard words[at + 2].isWord("from") else { throw .badForm(form) }
      firstDay = try day(words[at + 3].text)
    }
    return .weekly(
      title: words[..<(at - 2)].map(\.text).joined(separator: " "),
      weekdays: try weekdays(words[at - 1].text), timeOfDay: try timeOfDay(words[at + 1].text),
      firstDay: firstDay)
  }

  private static func editSchedule(_ words: Words) throws(ScriptError) -> Self {
    let form = "edit-schedule ID title TITLE|at INSTANT|on DAYS|time HH:MM"
    guard words.count >= 3 else { throw .badForm(form) }
    let id: ScheduleID = try self.id(words.prefix(1), form)
    let rest = words.dropFirst(2)
    switch words[words.startIndex + 1].text {
    case "title":
      return .editSchedule(id, .title(rest.map(\.text).joined(separator: " ")))
    case "at": return .editSchedule(id, .at(try instant(try only(rest, form))))
    case "on": return .editSchedule(id, .weekdays(try weekdays(try only(rest, form))))
    case "time": return .editSchedule(id, .timeOfDay(try timeOfDay(try only(rest, form))))
    default: throw .badForm(form)
    }
  }

  /// What becomes of one field of a log.
  static func logChange(
    _ field: String, _ rest: Words, _ form: String
  ) throws(ScriptError) -> LogChange {
    let text = rest.map(\.text).joined(separator: " ")
    if rest.isEmpty, field != "notes", field != "tags" { throw .badForm(form) }
    var change = LogChange()
    switch field {
    case "title": change.title = text
    case "type": change.activityType = text
    case "notes": change.notes = text
    case "tags": change.tags = rest.map(\.text)
    case "start": change.start = try moment(try only(rest, form))
    case "end": change.end = try moment(try only(rest, form))
    case "active":
      change.activeMilliseconds =
        text == "none" ? .cleared : .set(Int64(try figure(text, "minutes, or \"none\"") * 60_000))
    case "energy":
      change.energyKilocalories =
        text == "none" ? .cleared : .set(try figure(text, "kilocalories, or \"none\""))
    case "distance":
      change.distanceMeters =
        text == "none" ? .cleared : .set(try figure(text, "metres, or \"none\""))
    default: throw .badForm(form)
    }
    return change
  }

  private static func weigh(_ words: Words) throws(ScriptError) -> Self {
    let form = "weigh VALUE kg|lb [at INSTANT|on DAY]"
    let words = Array(words)
    guard words.count == 2 || words.count == 4 else { throw .badForm(form) }
    let unit: WeightUnit
    switch words[1].text {
    case "kg": unit = .kilograms
    case "lb": unit = .pounds
    default: throw .badForm(form)
    }
    guard let weight = Weight(words[0].text, unit: unit) else {
      throw .badNumber(words[0].text, expected: "a weight such as 80.5")
    }
    if words.count == 2 { return .weigh(weight, .instant(try instant("now"))) }
    switch words[2].text {
    case "at": return .weigh(weight, .instant(try instant(words[3].text)))
    case "on": return .weigh(weight, .day(try day(words[3].text)))
    default: throw .badForm(form)
    }
  }

  private static func preference(
    _ verb: String, _ words: Words
  ) throws(ScriptError) -> PreferenceChange {
    var change = PreferenceChange()
    switch (verb, words.map(\.text)) {
    case ("policy", let texts):
      guard let policy = ScriptedQuestion.policy(texts.joined(separator: ":")) else {
        throw .badForm("policy daily|weekly N|scheduled, N from 1 to 7")
      }
      change.streakPolicy = policy
    case ("units", ["metric"]): change.units = .metric
    case ("units", ["imperial"]): change.units = .imperial
    case ("first-weekday", let texts) where texts.count == 1:
      guard let index = weekdayWords.firstIndex(of: texts[0]) else {
        throw .badForm("first-weekday mon|tue|wed|thu|fri|sat|sun")
      }
      change.firstWeekday = index + 1
    case ("units", _): throw .badForm("units metric|imperial")
    default: throw .badForm("first-weekday mon|tue|wed|thu|fri|sat|sun")
    }
    return change
  }

  private static let weekdayWords = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

  private static func weekdays(_ text: String) throws(ScriptError) -> Weekdays {
    let expected = "days of the week such as mon,wed,fri, or \"daily\""
    if text == "daily" { return .all }
    var numbers: [Int] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let index = weekdayWords.firstIndex(of: String(word)) else {
        throw .badNumber(text, expected: expected)
      }
      numbers.append(index + 1)
    }
    guard let weekdays = Weekdays(numbers) else { throw .badNumber(text, expected: expected) }
    return weekdays
  }

  private static func only(_ words: Words, _ form: String) throws(ScriptError) -> String {
    guard let word = words.first, words.count == 1 else { throw .badForm(form) }
    return word.text
  }

  private static func id<Tag>(_ words: Words, _ form: String) throws(ScriptError) -> Identifier<Tag>
  {
    let text = try only(words, form)
    guard let id = Identifier<Tag>(hex: text) else { throw .badID(text) }
    return id
  }

  private static func instant(_ text: String) throws(ScriptError) -> InstantArgument {
    guard let instant = InstantArgument(text) else { throw .badInstant(text) }
    return instant
  }

  private static func moment(_ text: String) throws(ScriptError) -> LogChange.Moment {
    if let instant = Instant(rfc3339: text) { return .instant(instant) }
    return .timeOfDay(try timeOfDay(text))
  }

  /// `18:05`.
  private static func timeOfDay(_ text: String) throws(ScriptError) -> Int64 {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }), let hour = Int64(parts[0]),
      let minute = Int64(parts[1]), (0..<24).contains(hour), (0..<60).contains(minute)
    else { throw .badNumber(text, expected: "a time of day such as 18:05") }
    return (hour * 60 + minute) * 60_000
  }

  /// `2026-11-30`.
  static func day(_ text: String) throws(ScriptError) -> CivilDay {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2], let year = Int(parts[0]),
      let month = Int(parts[1]), let dayOfMonth = Int(parts[2]),
      let day = CivilDay(year: year, month: month, day: dayOfMonth)
    else { throw .badNumber(text, expected: "a day such as 2026-11-30") }
    return day
  }

  private static func figure(_ text: String, _ what: String) throws(ScriptError) -> Double {
    let isDecimal = text.utf8.allSatisfy { "0123456789.".utf8.contains($0) }
    guard isDecimal, let value = Double(text), value < ActionLimits.figureMax else {
      throw .badNumber(text, expected: what)
    }
    return value
  }
}
