import Testing

@testable import HealthImport

/// What a text yields when it is fed in chunks of a size.
func items(
  of bytes: [UInt8], limits: ImportLimits = ImportLimits(), chunkBytes: Int = .max
) throws -> [ImportItem] {
  var items: [ImportItem] = []
  var parser = try ExportParser(limits: limits)
  var rest = bytes[...]
  while !rest.isEmpty {
    let chunk = Array(rest.prefix(chunkBytes))
    try chunk.withUnsafeBytes { bytes in try parser.feed(bytes) { items.append($0) } }
    rest = rest.dropFirst(chunkBytes)
  }
  let counts = try parser.finish { items.append($0) }
  #expect(counts.workouts + counts.skipped == items.count)
  #expect(counts.bytes == bytes.count)
  return items
}

func items(of text: String, limits: ImportLimits = ImportLimits()) throws -> [ImportItem] {
  try items(of: Array(text.utf8), limits: limits)
}

/// The one workout of a text, and nothing else.
func workout(of text: String) throws -> ImportedWorkout {
  let items = try items(of: text)
  try #require(items.count == 1)
  return try #require(items[0].workout)
}

/// The one problem of a text, and nothing else.
func problem(of text: String, limits: ImportLimits = ImportLimits()) throws -> ImportProblem {
  let items = try items(of: text, limits: limits)
  try #require(items.count == 1)
  return try #require(items[0].problem)
}

extension ImportItem {
  var workout: ImportedWorkout? {
    if case .workout(let workout) = self { workout } else { nil }
  }

  var problem: ImportProblem? {
    if case .skipped(let problem) = self { problem } else { nil }
  }
}

/// A `<Workout>` of half an hour, with what a test is about put in.
func element(
  _ attributes: String = "", type: String = "HKWorkoutActivityTypeRunning",
  start: String = "2024-05-01 10:00:00 +0200", end: String = "2024-05-01 10:30:00 +0200",
  children: String = ""
) -> String {
  """
  <Workout workoutActivityType="\(type)" sourceName="Watch" startDate="\(start)" \
  endDate="\(end)" \(attributes)>\(children)</Workout>
  """
}

/// An export around some elements.
func export(_ content: String, documentType: String = "") -> String {
  """
  <?xml version="1.0" encoding="UTF-8"?>
  \(documentType)
  <HealthData locale="en_US">
   <ExportDate value="2024-06-01 08:10:05 +0200"/>
  \(content)
  </HealthData>

  """
}

func metadata(_ key: String, _ value: String) -> String {
  "<MetadataEntry key=\"\(key)\" value=\"\(value)\"/>"
}

func event(_ type: String, _ time: String) -> String {
  "<WorkoutEvent type=\"HKWorkoutEventType\(type)\" date=\"2024-05-01 \(time) +0200\"/>"
}

func statistics(_ type: String, _ attributes: String) -> String {
  "<WorkoutStatistics type=\"HKQuantityTypeIdentifier\(type)\" \(attributes)/>"
}
