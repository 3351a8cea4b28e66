import HealthImport
import Testing

/// One test for each case of the collected bug reports that concerns reading an export.
struct CaseTests {
  @Test func `XML-01: an ATTLIST without its end does not stop the import`() throws {
    let documentType = """
      <!DOCTYPE HealthData [
      <!-- HealthKit Export Version: 12 -->
      <!ELEMENT HealthData (ExportDate,Me,(Record|Workout)*)>
      <!ATTLIST VisionPrescription
        type CDATA #REQUIRED
        brand CDATA #IMPLIED
      <!ELEMENT RightEye EMPTY>
      ]>
      """
    #expect(
      try workout(of: export(element(), documentType: documentType)).activityName == "Running")
  }

  @Test func `XML-03: a record with blanks in attribute names does not stop the import`() throws {
    let record = """
      <Record type="HKQuantityTypeIdentifierStepCount" Health Mate App Version="2.6.0" value="1"/>
      """
    #expect(try workout(of: export(record + element())).activityName == "Running")
  }

  @Test func `XML-09: figures come from statistics when there are no totals`() throws {
    let children =
      statistics("ActiveEnergyBurned", #"sum="512" unit="kcal""#)
      + statistics("BasalEnergyBurned", #"sum="90" unit="kcal""#)
      + statistics("DistanceWalkingRunning", #"sum="7.42" unit="km""#)
      + statistics("HeartRate", #"average="148" minimum="90" maximum="171" unit="count/min""#)
    let run = try workout(of: export(element(children: children)))
    #expect(run.energyKilocalories == 512)
    #expect(run.distanceMeters == 7_420)
    #expect(run.averageHeartRate == 148)
    #expect(run.maximumHeartRate == 171)
  }

  @Test func `XML-11: absent is absent and 0 is 0`() throws {
    let yoga = try workout(of: export(element(type: "HKWorkoutActivityTypeYoga")))
    #expect(yoga.energyKilocalories == nil)
    #expect(yoga.distanceMeters == nil)
    let run = try workout(of: export(element(#"totalEnergyBurned="0" totalDistance="0""#)))
    #expect(run.energyKilocalories == 0)
    #expect(run.distanceMeters == 0)
  }

  @Test func `XML-12: unknown activities are kept under their raw name`() throws {
    let types = ["HKWorkoutActivityTypeSwimBikeRun", "HKWorkoutActivityTypeMoonWalk"]
    let elements = types.map { element(type: $0) } + [element()]
    let workouts = try items(of: export(elements.joined(separator: "\n"))).compactMap(\.workout)
    #expect(workouts.map(\.activityType) == types + ["HKWorkoutActivityTypeRunning"])
    #expect(workouts.map(\.activityName) == ["Swim Bike Run", "Moon Walk", "Running"])
  }

  @Test func `XML-16: odd units in metadata are harmless`() throws {
    let strength = try workout(
      of: export(
        element(
          #"duration="46.25" durationUnit="min""#,
          type: "HKWorkoutActivityTypeTraditionalStrengthTraining",
          start: "2023-11-07 07:20:10 +0100", end: "2023-11-07 08:06:25 +0100",
          children: metadata("HKWeatherHumidity", "8800 %")
            + metadata("HKAverageMETs", "5.2 kcal/hr·kg"))))
    #expect(strength.activityName == "Traditional Strength Training")
    #expect(strength.activeMilliseconds == 2_775_000)
    #expect(strength.spanMilliseconds == 2_775_000)
  }

  @Test(arguments: [
    "2023-03-04 22:30:00 -0500", "2023-03-04T22:30:00-05:00", "2023-03-05T03:30:00Z",
    "2023-03-05T03:30:00.000Z",
  ])
  func `XML-18: both forms of a date are the same instant`(start: String) throws {
    let run = try workout(of: export(element(start: start, end: "2023-03-05T04:00:00Z")))
    #expect(run.startMilliseconds == 1_677_987_000_000)
  }

  @Test func `XML-20: instants come from the offset, the zone from metadata`() throws {
    let run = try workout(
      of: export(
        element(
          start: "2025-09-16 16:14:50 +0100", end: "2025-09-16 17:15:43 +0100",
          children: metadata("HKTimeZone", "Europe/Paris"))))
    #expect(run.startMilliseconds == 1_758_035_690_000)
    #expect(run.endMilliseconds == 1_758_039_343_000)
    #expect(run.timeZoneName == "Europe/Paris")
  }

  @Test func `XML-21: repeated metadata is no clash and the first stands`() throws {
    let block =
      metadata("HKTimeZone", "Europe/Paris") + metadata("meal", "1") + metadata("Meal", "2")
      + metadata("HKExternalUUID", "A")
    let run = try workout(
      of: export(
        "<Record>\(metadata("meal", "1"))\(metadata("Meal", "2"))</Record>"
          + element(
            children: block + block + metadata("HKTimeZone", "UTC")
              + metadata("HKExternalUUID", "B"))))
    #expect(run.timeZoneName == "Europe/Paris")
    #expect(run.externalUUID == "A")
  }

  @Test func `XML-25: an attribute declared twice does not stop the import`() throws {
    let documentType = """
      <!DOCTYPE HealthData [
      <!ATTLIST Record
        type CDATA #REQUIRED
        type CDATA #REQUIRED
        device CDATA #IMPLIED ">
      ]>
      """
    #expect(try items(of: export(element() + element(), documentType: documentType)).count == 2)
    #expect(try items(of: export("<Record/>", documentType: documentType)).isEmpty)
  }

  @Test(arguments: [("cal", 0.056), ("Cal", 56), ("kcal", 56)])
  func `UNI-03: small and large calories differ`(unit: String, kilocalories: Double) throws {
    let run = try workout(
      of: export(element("totalEnergyBurned=\"56\" totalEnergyBurnedUnit=\"\(unit)\"")))
    #expect(run.energyKilocalories == kilocalories)
  }

  @Test func `UNI-01: a comma never turns into another number`() throws {
    for text in ["58,7272727272", "1,234"] {
      let run = try workout(
        of: export(element("totalEnergyBurned=\"\(text)\" totalEnergyBurnedUnit=\"kcal\"")))
      #expect(run.energyKilocalories == nil)
    }
  }

  @Test(arguments: [
    #"duration="5" durationUnit="min""#, #"duration="300" durationUnit="s""#, #"duration="5""#,
    #"duration="300""#,
  ])
  func `UNI-05: minutes, seconds and no unit give the same duration`(duration: String) throws {
    let run = try workout(of: export(element(duration, end: "2024-05-01 10:05:00 +0200")))
    #expect(run.statedActiveMilliseconds == 300_000)
  }

  @Test func `DUR-01: a pause never resumed ends with the workout`() throws {
    let ride = try workout(
      of: export(
        element(end: "2024-05-01 11:00:00 +0200", children: event("Pause", "10:20:00"))))
    #expect(ride.pausedMilliseconds == 2_400_000)
    #expect(ride.activeMilliseconds == 1_200_000)
  }

  @Test func `DUR-04: a workout typed in with start = end keeps its figures`() throws {
    let run = try workout(
      of: export(
        element(
          """
          duration="0" durationUnit="min" totalDistance="5" totalDistanceUnit="km" \
          totalEnergyBurned="300" totalEnergyBurnedUnit="kcal"
          """, end: "2024-05-01 10:00:00 +0200",
          children: metadata("HKWasUserEntered", "1"))))
    #expect(run.spanMilliseconds == 0)
    #expect(run.activeMilliseconds == 0)
    #expect(run.distanceMeters == 5_000)
    #expect(run.energyKilocalories == 300)
    #expect(run.wasUserEntered)
  }

  @Test func `DUR-06: copies keep their own spans and active times`() throws {
    let watch = element(#"duration="45" durationUnit="min""#, end: "2024-05-01 11:00:00 +0200")
    let phone = element(
      #"duration="58" durationUnit="min""#, start: "2024-05-01 10:01:00 +0200",
      end: "2024-05-01 10:59:00 +0200")
    let workouts = try items(of: export(watch + phone)).compactMap(\.workout)
    #expect(workouts.map(\.spanMilliseconds) == [3_600_000, 3_480_000])
    #expect(workouts.map(\.activeMilliseconds) == [2_700_000, 3_480_000])
  }

  @Test func `DED-07: the same element twice is the same workout on two lines`() throws {
    let workouts = try items(of: export(element() + "\n" + element())).compactMap(\.workout)
    try #require(workouts.count == 2)
    var second = workouts[1]
    #expect(second.line == workouts[0].line + 1)
    second.line = workouts[0].line
    #expect(second == workouts[0])
  }
}
