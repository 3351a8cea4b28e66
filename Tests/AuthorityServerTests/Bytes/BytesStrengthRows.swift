import TestSupport
import WatchTransfer
import WireFormat

// Values of exercises, routines and sessions that are well encoded and mean nothing.
extension BytesRow {
  private static func invalid(_ field: String) -> Reaction { .refused(.invalid(field: field)) }

  private static func weight(_ digits: Int64, scale: UInt64 = 0, unit: UInt64 = 1) -> [UInt8] {
    signed(1, digits) + number(2, scale) + number(3, unit)
  }

  private static func set(
    position: UInt64 = 0, reps: UInt64 = 5, weight: [UInt8]? = nil, id own: [UInt8] = id(2)
  ) -> Stimulus {
    .body(
      body(
        ActionField.completeSet,
        blob(1, id(1)) + blob(2, own) + number(3, position) + number(4, reps)
          + (weight.map { blob(5, $0) } ?? [])))
  }

  /// A routine of one exercise, the first of the starter set.
  private static func routine(_ groups: [[UInt8]]) -> Stimulus {
    let squat = ExerciseLibrary.starter[0].id.bytes
    let entry = blob(1, squat) + groups.flatMap { blob(2, $0) }
    return .body(
      body(ActionField.defineRoutine, blob(1, id(1)) + text(2, "Legs") + blob(3, blob(1, entry))))
  }

  private static func group(_ count: UInt64, _ reps: UInt64) -> [UInt8] {
    number(1, count) + number(2, reps)
  }

  private static func samples(_ points: [UInt8]) -> Stimulus {
    .body(body(ActionField.recordSamples, blob(1, id(1)) + number(2, 0) + points))
  }

  private static func point(_ value: Double) -> [UInt8] {
    blob(3, signed(1, bodyMoment) + double(2, value))
  }

  static let strength: [BytesRow] = [
    BytesRow("B30 a set", set(weight: weight(8_225, scale: 2)), .applied),
    BytesRow("B30 assistance", set(weight: weight(-21)), .applied),
    BytesRow("B30 position at the limit", set(position: 31), .applied),
    BytesRow("B30 position above it", set(position: 32), invalid("position")),
    BytesRow("B30 position of 2^32 - 1", set(position: 1 << 32 - 1), invalid("position")),
    BytesRow("B30 reps at the limit", set(reps: 1_000), .applied),
    BytesRow("B30 reps above it", set(reps: 1_001), invalid("reps")),
    BytesRow("B30 id of 15 bytes", set(id: Array(id(2).dropLast())), invalid("set_id")),
    BytesRow("B30 weight of five decimals", set(weight: weight(1, scale: 5)), invalid("weight")),
    BytesRow("B30 weight of 10,001 kg", set(weight: weight(10_001)), invalid("weight")),
    BytesRow("B30 weight of Int64.min", set(weight: weight(.min)), invalid("weight")),
    BytesRow("B30 weight in stones", set(weight: weight(1, unit: 3)), invalid("weight")),
    BytesRow("B30 empty weight", set(weight: []), invalid("weight")),
    BytesRow("B31 three sets of five", routine([group(3, 5)]), .applied),
    BytesRow("B31 a group of 13", routine([group(13, 5)]), invalid("groups.count")),
    BytesRow("B31 a group of none", routine([group(0, 5)]), invalid("groups.count")),
    BytesRow(
      "B31 two groups of twelve", routine([group(12, 5), group(12, 5)]),
      invalid("entries[0].sets")),
    BytesRow(
      "B31 no reps", routine([group(3, 0)]),
      invalid(
        "entries[0].sets[0].reps, entries[0].sets[1].reps, entries[0].sets[2].reps")),
    BytesRow("B31 no sets", routine([]), invalid("entries[0].sets")),
    BytesRow(
      "B31 a routine of nothing",
      .body(body(ActionField.defineRoutine, blob(1, id(1)) + text(2, "Legs"))),
      invalid("entries")),
    BytesRow(
      "B32 a session of nothing", .body(body(ActionField.startSession, blob(1, id(1)))),
      invalid("plan")),
    BytesRow(
      "B32 a session of both",
      .body(
        body(ActionField.startSession, blob(1, id(1)) + blob(2, id(2)) + text(3, "rowing"))),
      invalid("body")),
    BytesRow("B33 a heart rate", samples(point(120)), .applied),
    BytesRow("B33 no points", samples([]), invalid("heart_rate")),
    BytesRow("B33 NaN", samples(point(.nan)), invalid("heart_rate")),
    BytesRow("B33 below 0", samples(point(-1)), invalid("heart_rate")),
    BytesRow("B33 above 400", samples(point(401)), invalid("heart_rate")),
    BytesRow(
      "B33 129 points", samples(Array(repeating: point(120), count: 129).flatMap(\.self)),
      invalid("heart_rate")),
    BytesRow(
      "B33 a flood of points", samples(Array(repeating: point(120), count: 171).flatMap(\.self)),
      invalid("body")),
  ]
}
