import Testing

@testable import HealthImport

/// Texts turned into numbers, dates, names and pauses.
struct ValueTests {
  @Test(arguments: [
    ("0", 0.0), ("-0.5", -0.5), ("+7", 7), ("0.4971749504535062", 0.497_174_950_453_506_2),
    ("1e3", 1_000), ("1.5E-2", 0.015), ("007", 7),
  ])
  func `decimals`(text: String, value: Double) {
    #expect(DecimalText.parse(text) == value)
  }

  @Test(arguments: [
    "", " 1", "1 ", "nan", "inf", "-inf", "0x10", "1,5", "1.", ".5", ".", "-", "e5", "1e", "1e+",
    "1e999", "1.2.3", "１", String(repeating: "1", count: 65),
  ])
  func `texts that are no decimals`(text: String) {
    #expect(DecimalText.parse(text) == nil)
  }

  @Test(arguments: ["nan", "inf", "-5", "1e308", "99999999999999999999", "", "much"])
  func `a bad number is absent and the workout stays`(number: String) throws {
    let run = try workout(
      of: element(
        """
        duration="\(number)" durationUnit="hr" totalDistance="\(number)" totalDistanceUnit="mi" \
        totalEnergyBurned="\(number)" totalEnergyBurnedUnit="furlong"
        """,
        children: statistics("HeartRate", "average=\"\(number)\" unit=\"count/s\"")))
    #expect(run.statedActiveMilliseconds == nil)
    #expect(run.energyKilocalories == nil)
    #expect(run.distanceMeters.map { $0.isFinite } ?? true)
    #expect(run.averageHeartRate.map { $0.isFinite } ?? true)
  }

  @Test(
    arguments: [
      ("418.4", "kJ", 100.0), ("418400", "J", 100), ("1", "kcal", 1), ("1", nil, 1),
      ("1", "oz", nil),
    ] as [(String, String?, Double?)])
  func `energies`(text: String, unit: String?, kilocalories: Double?) {
    #expect(Quantity.kilocalories(text, unit: unit) == kilocalories)
  }

  @Test(
    arguments: [
      ("1", "km", 1_000.0), ("1", "mi", 1_609.344), ("1", "m", 1), ("100", "cm", 1),
      ("1", "yd", 0.9144), ("1", "ft", 0.3048), ("1", nil, nil), ("0", nil, 0), ("1", "au", nil),
    ] as [(String, String?, Double?)])
  func `distances`(text: String, unit: String?, meters: Double?) {
    #expect(Quantity.meters(text, unit: unit) == meters)
  }

  @Test func `heart rates`() {
    #expect(Quantity.beatsPerMinute("60", unit: "count/min") == 60)
    #expect(Quantity.beatsPerMinute("1", unit: "count/s") == 60)
    #expect(Quantity.beatsPerMinute("0", unit: "count/min") == nil)
    #expect(Quantity.beatsPerMinute("60", unit: "hertz") == nil)
  }

  @Test func `durations`() {
    #expect(Quantity.milliseconds("1.5", unit: "hr", span: 0) == 5_400_000)
    #expect(Quantity.milliseconds("1.5", unit: "h", span: 0) == 5_400_000)
    #expect(Quantity.milliseconds("5", unit: nil, span: 0) == 300_000)
    #expect(Quantity.milliseconds("5000", unit: nil, span: 300_000) == nil)
    #expect(Quantity.milliseconds("5", unit: "weeks", span: 0) == nil)
    #expect(Quantity.milliseconds("1e300", unit: "min", span: 0) == nil)
  }

  @Test(arguments: [
    ("1970-01-01 00:00:00 +0000", 0), ("1969-12-31T23:59:59.999Z", -1),
    ("2024-02-29 12:00:00 +0530", 1_709_188_200_000), ("2000-02-29T00:00:00z", 951_782_400_000),
    ("2016-12-31T23:59:60Z", 1_483_228_800_000),
    ("2023-03-04T22:30:00.1239-0500", 1_677_987_000_123),
    ("0001-01-01T00:00:00Z", -62_135_596_800_000), ("9999-12-31T23:59:59Z", 253_402_300_799_000),
  ])
  func `dates`(text: String, milliseconds: Int64) {
    #expect(ExportDate.parse(text) == milliseconds)
  }

  @Test(arguments: [
    "", "2024-05-01", "2024-05-01 10:00:00", "2024-05-01 7:25:41 am -0700",
    "2023-02-29 00:00:00 +0000", "1900-02-29T00:00:00Z", "2024-13-01T00:00:00Z",
    "2024-00-01T00:00:00Z", "2024-04-31T00:00:00Z", "2024-05-01T24:00:00Z", "2024-05-01T00:60:00Z",
    "2024-05-01T00:00:61Z", "2024-05-01T00:00:00.Z", "2024-05-01T00:00:00+2400",
    "2024-05-01T00:00:00+01", "2024-05-01T00:00:00Z ", "0000-01-01T00:00:00Z",
  ])
  func `texts that are no dates`(text: String) {
    #expect(ExportDate.parse(text) == nil)
  }

  @Test(arguments: [
    ("HKWorkoutActivityTypeRunning", "Running"), ("HKWorkoutActivityTypeTaiChi", "Tai Chi"),
    ("HKWorkoutActivityTypeBMXRiding", "BMX Riding"), ("HKWorkoutActivityType", "Other"),
    ("HKWorkoutActivityType83", "Other"), ("Parkour", "Parkour"),
    ("HKWorkoutActivityTypeHighIntensityIntervalTraining", "High Intensity Interval Training"),
  ])
  func `activity names`(type: String, name: String) {
    #expect(ActivityName.readable(type) == name)
  }

  @Test(
    arguments: [
      ([], 0), ([(10, true), (20, false)], 10), ([(20, false), (10, true)], 10),
      ([(10, true), (10, true), (20, false), (20, false)], 10), ([(20, false)], 0),
      ([(10, true), (20, false), (30, true)], 80), ([(-50, true), (200, false)], 100),
      ([(200, true)], 0), ([(10, true), (10, false)], 0),
    ] as [([(Int64, Bool)], Int64)])
  func `pauses of a workout from 0 to 100`(marks: [(Int64, Bool)], paused: Int64) {
    var tally = PauseTally()
    for (at, pauses) in marks { tally.note(at: at, pauses: pauses) }
    #expect(tally.pausedMilliseconds(from: 0, to: 100) == paused)
  }

  @Test func `pauses of parts and automatic pauses do not count`() throws {
    let children =
      event("Pause", "10:10:00") + event("Resume", "10:15:00") + event("MotionPaused", "10:20:00")
      + event("Segment", "10:20:00") + "<WorkoutEvent type=\"HKWorkoutEventTypePause\" date=\"?\"/>"
      + "<WorkoutActivity>\(event("Pause", "10:20:00"))</WorkoutActivity>"
    #expect(try workout(of: element(children: children)).pausedMilliseconds == 300_000)
  }

  @Test func `totals come before statistics and types of distance are not added up`() throws {
    let children =
      statistics("ActiveEnergyBurned", #"sum="9" unit="kcal""#)
      + statistics("DistanceCycling", #"sum="20" unit="km""#)
      + statistics("DistanceCycling", #"sum="99" unit="km""#)
      + statistics("DistanceWalkingRunning", #"sum="1" unit="km""#)
    let ride = try workout(
      of: element(
        #"totalEnergyBurned="7" totalEnergyBurnedUnit="kcal""#,
        type: "HKWorkoutActivityTypeCycling", children: children))
    #expect(ride.energyKilocalories == 7)
    #expect(ride.distanceMeters == 20_000)
    let multisport = try workout(
      of: element(type: "HKWorkoutActivityTypeSwimBikeRun", children: children))
    #expect(multisport.distanceMeters == 21_000)
  }
}
