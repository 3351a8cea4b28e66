import TestSupport
import WatchTransfer
import WireFormat

// Part B of the catalogue, second half: values that are well encoded and mean nothing.
extension BytesRow {
  private static let choiceRule = "Every enum for a known case, before any rule sees it."
  private static let instantsRule =
    "Every number for range: an instant that an action names lies within 1970 to 2199."
  private static let late: Int64 = 253_402_300_799_999

  private static func invalid(_ field: String) -> Reaction { .refused(.invalid(field: field)) }

  private static func define(_ title: [UInt8]) -> Stimulus {
    .body(body(ActionField.defineWorkout, blob(1, id(1)) + blob(2, title)))
  }

  private static func goal(_ value: Double) -> Stimulus {
    .body(body(ActionField.setGoal, text(1, "steps") + double(2, value)))
  }

  private static func match(halfLength: UInt64) -> Stimulus {
    .body(
      body(
        ActionField.newMatch,
        blob(1, id(1)) + text(2, "Ajax") + text(3, "Bayern") + number(4, halfLength)))
  }

  private static func log(_ start: Int64, _ end: Int64, _ more: [UInt8] = []) -> Stimulus {
    .body(
      body(
        ActionField.logWorkout,
        blob(1, id(1)) + text(2, "running") + signed(4, start) + signed(5, end) + more))
  }

  static let choices: [BytesRow] =
    [("0", 0), ("99", 99), ("-1", UInt64.max)].map { name, value in
      BytesRow("B7 \(name)", .body(theme(value)), invalid("mode"))
    } + [
      BytesRow("B7 2^31", .body(theme(1 << 31)), invalid("body")),
      BytesRow("B7 2^31 - 1", .body(theme(1 << 31 - 1)), invalid("mode")),
      BytesRow("B7 258 is not 2", .body(theme(258)), invalid("mode")),
      BytesRow(
        "B7 in an envelope",
        .welcomed(frame(blob(MessageField.fetch, number(1, 99) + number(2, 1) + number(3, 1)))),
        .goodbye(.malformed), by: choiceRule),
      BytesRow("B7 not there", .body(body(ActionField.setTheme, [])), invalid("mode")),
      BytesRow(
        "B17 envelope without incarnation",
        .welcomed(frame(blob(MessageField.act, number(2, 1) + number(3, 0) + blob(5, theme(2))))),
        .goodbye(.malformed), by: envelopeRule),
      BytesRow(
        "B17 envelope without number",
        .welcomed(frame(blob(MessageField.act, blob(1, id(1)) + number(3, 0) + blob(5, theme(2))))),
        .goodbye(.malformed), by: envelopeRule),
      BytesRow(
        "B17 envelope without confirmed",
        .welcomed(frame(blob(MessageField.act, blob(1, id(1)) + number(2, 1) + blob(5, theme(2))))),
        .goodbye(.malformed), by: envelopeRule),
      BytesRow("B17 empty act", .welcomed(frame(blob(MessageField.act, []))), .goodbye(.malformed)),
      BytesRow(
        "B17 empty ping", .welcomed(frame(blob(MessageField.ping, []))), .goodbye(.malformed)),
      BytesRow(
        "B17 empty fetch", .welcomed(frame(blob(MessageField.fetch, []))), .goodbye(.malformed)),
      BytesRow(
        "B17 empty Hello", .first(frame(blob(MessageField.hello, []))), .goodbye(.malformed)),
      BytesRow(
        "B17 Hello without token", .first(frame(blob(MessageField.hello, number(1, 1)))),
        .goodbye(.malformed)),
      BytesRow(
        "B17 Hello without version",
        .greeting { blob(MessageField.hello, blob(2, $0)) }, .goodbye(.malformed)),
      BytesRow(
        "B17 body without moment", .body(blob(ActionField.setTheme, number(1, 2))),
        invalid("occurred")),
      BytesRow(
        "B17 mark without workout", .body(body(ActionField.markWorkout, blob(1, id(1)))),
        invalid("workout")),
      BytesRow(
        "B17 mark with an empty workout",
        .body(body(ActionField.markWorkout, blob(1, id(1)) + blob(2, []))), invalid("workout")),
      BytesRow(
        "B17 schedule without workout",
        .body(body(ActionField.scheduleWorkout, blob(1, id(1)) + signed(3, bodyMoment))),
        invalid("workout")),
      BytesRow("B17 empty action", .body(body(ActionField.newMatch, [])), invalid("id")),
    ]
    + MessageField.ofServer.flatMap { field in
      [
        BytesRow(
          "B18 message \(field)", .welcomed(frame(blob(field, []))), .goodbye(.protocolError)),
        BytesRow(
          "B18 message \(field) before Hello", .first(frame(blob(field, []))),
          .goodbye(.protocolError)),
      ]
    }

  static let values: [BytesRow] = texts + ids + numbers + moments + lists + lineUps

  private static let texts: [BytesRow] =
    [
      ("a byte that no UTF-8 has", [0xFF]), ("overlong", [0xC0, 0xAF]),
      ("overlong of three bytes", [0xE0, 0x80, 0xAF]), ("surrogate", [0xED, 0xA0, 0x80]),
      ("past U+10FFFF", [0xF4, 0x90, 0x80, 0x80]), ("cut within a character", [0x41, 0xE2, 0x82]),
      ("lone byte order mark", [0xEF, 0xBB, 0xBF]),
      ("byte order mark in front", [0xEF, 0xBB, 0xBF, 0x41]),
    ].map { BytesRow("B8 \($0)", define($1), invalid("title")) }
    + [
      ("NUL", "admin\0x"), ("control character", "a\u{7}b"), ("escape", "\u{1B}[31mred"),
      ("line feed", "a\nb"), ("line separator", "a\u{2028}b"), ("C1", "a\u{85}b"),
      ("delete", "a\u{7F}b"), ("right-to-left override", "a\u{202E}b"),
      ("isolate", "a\u{2066}b"), ("nothing visible", "\u{200B}\u{200D}\u{FEFF}"),
    ].map { BytesRow("B9 \($0)", define(Array($1.utf8)), invalid("title")) }
    + [
      BytesRow("B9 joined emoji are text", define(Array("👩‍👩‍👧 run".utf8)), .applied),
      BytesRow(
        "B9 NUL in a Goodbye is not looked at", .welcomed(ping(3, text(60, "\0"))), .pong(3)),
      BytesRow("B10 at the limit", define(repeated([0x61], 128)), .applied),
      BytesRow("B10 above the limit", define(repeated([0x61], 129)), invalid("title")),
      BytesRow(
        "B10 emoji ends at the limit", define(repeated([0x61], 124) + Array("🏃".utf8)), .applied),
      BytesRow(
        "B10 emoji over the limit", define(repeated([0x61], 125) + Array("🏃".utf8)),
        invalid("title")),
      BytesRow("B10 nothing", define([]), invalid("title")),
      BytesRow("B11 é twice", .script(canonicallyEqualNames)),
      BytesRow("B12 blank title", define(Array(" \u{A0}\u{3000}".utf8)), invalid("title")),
    ]

  /// A weekly schedule of a workout that nobody defined.
  private static func weekly(
    weekdays: UInt64 = 1, time: UInt64 = 0, day: Int64 = 0
  ) -> BytesRow.Stimulus {
    .body(
      body(
        57,
        blob(1, id(5)) + blob(2, text(2, "Run")) + number(3, weekdays) + number(4, time)
          + signed(5, day)))
  }

  private static let ids: [BytesRow] =
    [
      ("empty", []), ("one byte", [1]), ("15 bytes", Array(id(1).dropLast())),
      ("17 bytes", id(1) + [0]), ("a kilobyte", repeated([7], 1_024)),
      ("all zero", repeated([0], 16)),
    ].map { (name: String, bytes: [UInt8]) in
      BytesRow(
        "B12 id, \(name)",
        .body(body(ActionField.defineWorkout, blob(1, bytes) + text(2, "Legs"))), invalid("id"))
    } + [
      BytesRow(
        "B12 incarnation of 15 bytes",
        .welcomed(act(incarnation: Array(id(1).dropLast()), body: theme(2))), .goodbye(.malformed)),
      BytesRow(
        "B12 incarnation of zeros",
        .welcomed(act(incarnation: repeated([0], 16), body: theme(2))), .goodbye(.malformed)),
    ]
    + [
      "", " ", "../../etc/passwd", "..", "/etc/localtime", "Europe//Berlin", "Europe/", "#",
      "Europe/Berlin ",
      "Europe/Berlin\0", "Europe\\Berlin", "posixrules.", String(repeating: "A", count: 65),
    ].map {
      BytesRow(
        "B12 zone \"\($0)\"", .body(body(ActionField.setZone, text(1, $0))), invalid("zone_id"))
    }
    + ["Europe/Atlantis", "+", "right", "zone1970", "Europe"].map {
      BytesRow(
        "B12 no such zone \"\($0)\"", .body(body(ActionField.setZone, text(1, $0))),
        invalid("zone_id")
      )
    }

  private static let numbers: [BytesRow] =
    [
      ("NaN", Double.nan), ("signalling NaN", .signalingNaN), ("infinity", .infinity),
      ("-infinity", -.infinity), ("-1", -1), ("1e9", 1e9),
      ("the largest", .greatestFiniteMagnitude), ("less than nothing", -.leastNonzeroMagnitude),
    ].map { BytesRow("B13 \($0)", goal($1), invalid("value")) }
    + [
      BytesRow("B13 the smallest", goal(.leastNonzeroMagnitude), .applied),
      BytesRow("B13 -0 is 0", .script(negativeZero)),
    ]
    + [
      ("0", 0), ("59,999", 59_999), ("10,800,001", 10_800_001), ("2^63", 1 << 63),
      ("2^64 - 1", .max),
    ]
    .map { (name: String, value: UInt64) in
      BytesRow("B14 half of \(name) ms", match(halfLength: value), invalid("half_length_ms"))
    }
    + [
      BytesRow("B7 no weekday", weekly(weekdays: 0), invalid("weekdays")),
      BytesRow("B7 an eighth weekday", weekly(weekdays: 128), invalid("weekdays")),
      BytesRow("B14 a wall time of 24:00", weekly(time: 86_400_000), invalid("time_of_day_ms")),
      BytesRow("B15 a civil day before 1970", weekly(day: -1), invalid("first_day")),
      BytesRow("B15 a civil day after 2199", weekly(day: 84_006), invalid("first_day")),
      BytesRow(
        "B15 the last civil day", weekly(time: 86_399_999, day: 84_005), .refused(.notFound)),
      BytesRow("B14 shortest half", match(halfLength: 60_000), .applied),
      BytesRow("B14 longest half", match(halfLength: 10_800_000), .applied),
      BytesRow("B14 end before start", log(bodyMoment, bodyMoment - 1), invalid("end_ms")),
      BytesRow("B14 start is end", log(bodyMoment, bodyMoment), .applied),
      BytesRow("B14 more than a week", log(0, 7 * 86_400_000 + 1), invalid("end_ms")),
      BytesRow(
        "B14 active longer than the workout", log(0, 60_000, number(7, 60_001)), .applied,
        by: "Active, span and pauses are three numbers."),
      BytesRow("B14 active of 2^64 - 1", log(0, 60_000, number(7, .max)), invalid("active_ms")),
      BytesRow(
        "B14 weekday 8", .body(body(ActionField.setPreferences, number(2, 8))),
        invalid("first_weekday")),
      BytesRow(
        "B14 weekday 0", .body(body(ActionField.setPreferences, number(2, 0))),
        invalid("first_weekday")),
      BytesRow(
        "B14 weekday 2^32", .body(body(ActionField.setPreferences, number(2, 1 << 32))),
        invalid("body")),
      BytesRow(
        "B14 number 0", .welcomed(act(number: 0, body: theme(2))), .goodbye(.malformed),
        by: envelopeRule),
      BytesRow(
        "B14 number 2^53", .welcomed(act(number: 1 << 53, confirmed: 1, body: theme(2))),
        .goodbye(.malformed), by: "oldest <= confirmed + 1 <= next < 2^53, else Goodbye."),
      BytesRow(
        "B14 confirmed 2^64 - 1", .welcomed(act(number: 1, confirmed: .max, body: theme(2))),
        .goodbye(.malformed), by: "oldest <= confirmed + 1 <= next < 2^53, else Goodbye."),
      BytesRow(
        "B14 next of 0",
        .greeting { hello(token: $0, blob(3, outbox(confirmed: 0, oldest: 1, next: 0))) },
        .goodbye(.malformed)),
      BytesRow(
        "B14 oldest after confirmed + 1",
        .greeting { hello(token: $0, blob(3, outbox(confirmed: 1, oldest: 3, next: 4))) },
        .goodbye(.malformed)),
      BytesRow(
        "B14 next not after confirmed",
        .greeting { hello(token: $0, blob(3, outbox(confirmed: 3, oldest: 1, next: 3))) },
        .goodbye(.malformed)),
      BytesRow(
        "B14 next of 2^53",
        .greeting { hello(token: $0, blob(3, outbox(confirmed: 0, oldest: 1, next: 1 << 53))) },
        .goodbye(.malformed)),
    ]

  private static let moments: [BytesRow] =
    [
      ("-1", -1), ("year 1", -62_135_596_800_000), ("Int64.min", .min), ("Int64.max", .max),
      ("year 9999", late), ("2200", 7_258_118_400_001), ("microseconds", bodyMoment * 1_000),
    ].map { (name: String, moment: Int64) in
      BytesRow("B15 \(name)", log(moment, moment), invalid("start_ms"), by: instantsRule)
    }
    + [
      ("0", 0), ("2^31 ms", 1 << 31), ("2^31 s", 1_000 << 31), ("2^32 s", 1_000 << 32),
      ("2199", 7_258_118_399_999),
    ].map { (name: String, moment: Int64) in
      BytesRow("B15 \(name)", log(moment, moment), .applied, by: instantsRule)
    }
    + [("0", 0), ("Int64.min", .min), ("Int64.max", .max), ("year 9999", late)].map {
      (name: String, moment: Int64) in
      BytesRow(
        "B15 device clock at \(name)",
        .body(body(ActionField.setTheme, number(1, 2), at: moment)), .applied,
        by: "A corrected time in the future is clamped to now and flagged.")
    }
    + [("Int64.min", Int64.min), ("Int64.max", .max)].map { name, moment in
      BytesRow(
        "B15 expiry at \(name)",
        .body(
          blob(1, signed(1, bodyMoment)) + signed(4, moment)
            + blob(ActionField.setTheme, number(1, 2))), .applied,
        by: "What is a fact never expires.")
    }
    + [
      BytesRow(
        "B15 zone offset of 19 h",
        .body(
          blob(1, signed(1, bodyMoment)) + text(2, "Europe/Berlin") + signed(3, 19 * 3_600)
            + blob(ActionField.setTheme, number(1, 2))), invalid("zone_offset_seconds")),
      BytesRow(
        "B15 zone without offset",
        .body(
          blob(1, signed(1, bodyMoment)) + text(2, "Europe/Berlin")
            + blob(ActionField.setTheme, number(1, 2))), invalid("zone_offset_seconds")),
      BytesRow(
        "B15 boot time of 2^53 ms",
        .body(
          blob(1, signed(1, bodyMoment) + blob(2, id(8)) + number(3, 1 << 53))
            + blob(ActionField.setTheme, number(1, 2))), invalid("boottime_ms")),
    ]

  private static let lists: [BytesRow] = [
    BytesRow("B19 64 exercises", exercises(64), .applied),
    BytesRow("B19 65 exercises", exercises(65), invalid("exercises")),
    BytesRow("B19 10,000 exercises", exercises(10_000), invalid("body"), by: bodyRule),
    BytesRow(
      "B19 five incarnations",
      .greeting { token in
        hello(
          token: token,
          Array(
            (1...5).map { blob(3, outbox(UInt8($0), confirmed: 0, oldest: 1, next: 1)) }.joined()))
      }, .goodbye(.malformed)),
    BytesRow(
      "B20 one incarnation twice",
      .greeting {
        hello(token: $0, repeated(blob(3, outbox(confirmed: 0, oldest: 1, next: 1)), 2))
      },
      .goodbye(.malformed)),
  ]

  /// A watch does not say who plays: a squad that is well formed gets as far as that.
  private static let lineUps: [BytesRow] =
    [
      BytesRow("B19 23 players", squad((0..<23).map { player($0) }), .refused(.forbidden)),
      BytesRow(
        "B19 500 players", squad(Array(repeating: player(1), count: 500)), invalid("body"),
        by: bodyRule),
      BytesRow("B14 shirt 1,000", squad([player(1, number(3, 1_000))]), invalid("number")),
      BytesRow("B17 an empty player", squad([[]]), invalid("id")),
      BytesRow("B17 a player without a name", squad([blob(1, id(1))]), invalid("name")),
      BytesRow("B7 a command that nobody knows", keymap([key(1, 20)]), invalid("command")),
      BytesRow("B7 a gesture that nobody knows", keymap([key(1, 1, 4)]), invalid("gesture")),
      BytesRow("B14 button 256", keymap([key(256, 1)]), invalid("button")),
      BytesRow("B17 a mark without a title", keymap([key(1, 9)]), invalid("title")),
      BytesRow("B19 32 bindings", keymap((0..<32).map { key($0, 1) }), .applied),
      BytesRow(
        "B19 33 bindings", keymap((0..<33).map { key($0, 1) }), .refused(.limit(of: "bindings"))),
      BytesRow("B20 one key twice", keymap([key(1, 1), key(1, 2)]), invalid("bindings")),
      BytesRow(
        "B14 press of button 2^32 - 1",
        .body(body(ActionField.press, number(1, 1 << 32 - 1) + number(2, 1))), invalid("button")),
      BytesRow(
        "B7 press without a gesture", .body(body(ActionField.press, number(1, 1))),
        invalid("gesture")),
    ]

  private static func squad(_ players: [[UInt8]]) -> Stimulus {
    .body(
      body(
        ActionField.setSquad,
        blob(1, id(99)) + number(2, 1) + Array(players.map { blob(3, $0) }.joined())))
  }

  private static func player(_ last: UInt8, _ more: [UInt8] = []) -> [UInt8] {
    blob(1, id(last)) + text(2, "Ada") + more
  }

  private static func keymap(_ bindings: [[UInt8]]) -> Stimulus {
    .body(body(ActionField.setKeymap, Array(bindings.map { blob(1, $0) }.joined())))
  }

  private static func key(_ button: UInt64, _ command: UInt64, _ gesture: UInt64 = 1) -> [UInt8] {
    number(1, button) + number(2, gesture) + number(3, command)
  }

  private static func exercises(_ count: Int) -> Stimulus {
    .body(
      body(
        ActionField.defineWorkout,
        blob(1, id(1)) + text(2, "Legs") + blob(3, repeated(text(1, "A"), count))))
  }

  private static func outbox(_ last: UInt8 = 1, confirmed: UInt64, oldest: UInt64, next: UInt64)
    -> [UInt8]
  {
    blob(1, id(last)) + number(2, confirmed) + number(3, oldest) + number(4, next)
  }
}

/// Names that Unicode calls equal and bytes do not are two names.
private func canonicallyEqualNames(_ stage: BytesStage) throws {
  let client = try stage.welcomed(stage.watch)
  for (index, name) in ["é", "e\u{301}"].enumerated() {
    let goal = text(1, name) + double(2, Double(index) + 1)
    try client.send(
      bytes: act(
        number: UInt64(index) + 1, confirmed: UInt64(index), body: body(ActionField.setGoal, goal)))
    let receipt = try client.receipt()
    stage.check(receipt.outcome.word == "applied", "\(receipt.outcome)")
  }
  let goals = try stage.goals()
  stage.check(goals.count == 2, "\(goals.count) goals")
  stage.check(Set(goals.map { Array($0.name.utf8) }).count == 2, "the names are one")
  try stage.leave(client)
}

private func negativeZero(_ stage: BytesStage) throws {
  let client = try stage.welcomed(stage.watch)
  try client.send(
    bytes: act(body: body(ActionField.setGoal, text(1, "steps") + double(2, -0.0))))
  let receipt = try client.receipt()
  stage.check(receipt.outcome.word == "applied", "\(receipt.outcome)")
  let goals = try stage.goals()
  stage.check(goals.count == 1, "\(goals.count) goals")
  stage.check(goals.allSatisfy { $0.target.sign == .plus }, "-0 is kept")
  try stage.leave(client)
}

extension BytesStage {
  /// The goals that the phone is shown.
  fileprivate func goals() throws -> [GoalsFacet.Goal] {
    guard let content = try view().facets[.goals],
      case .goals(let facet) = try MessageDecoder(limits: .fromServer).decodeFacet(
        EncodedFacet(kind: .goals, revision: 1, content: content))
    else { return [] }
    return facet.goals
  }
}
