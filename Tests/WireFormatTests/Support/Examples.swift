import WatchTransfer

/// The examples of proto/README.md, by the headings they stand under there.
enum Examples {
  static let account = AccountID(high: 0xA000_0000_0000_0000, low: 1)
  static let device = DeviceID(high: 0xD000_0000_0000_0000, low: 1)
  static let epoch = EpochID(high: 0xE000_0000_0000_0000, low: 1)
  static let incarnation = IncarnationID(high: 0x1000_0000_0000_0000, low: 1)
  static let boot = BootID(high: 0xB000_0000_0000_0000, low: 1)
  static let match = MatchID(high: 0xC000_0000_0000_0000, low: 1)
  static let entry = EntryID(high: 0xF000_0000_0000_0000, low: 1)
  /// 2026-11-30T17:05:00Z.
  static let now = Instant(milliseconds: 1_796_058_300_000)
  static let clock = DeviceClock(wall: now, boot: BootReading(id: boot, milliseconds: 3_600_000))
  static let log = LogID(high: 0xD000_0000_0000_0000, low: 2)
  static let squat = ExerciseKey(
    name: "Back squat", id: ExerciseID(high: ExerciseLibrary.idHigh, low: 1))
  static let trace = StreakTrace(
    policy: .weekly(days: 3),
    days: [
      StreakTraceDay(
        day: CivilDay(number: 20_786), status: .satisfied(by: log),
        text: "29 Nov 2026: done, Row"),
      StreakTraceDay(
        day: CivilDay(number: 20_787), status: .open, text: "30 Nov 2026: still open"),
    ],
    totals: SpanTotals(
      workouts: 1, activeDays: 1, milliseconds: 1_800_000, days: 2,
      averageMilliseconds: 900_000, averageWorkouts: 0.5,
      text: "1 workout on 1 of 2 days, 30 min, 15 min a day"))
  static let legs = WorkoutKey(name: "Legs", id: WorkoutID(high: 0x7000_0000_0000_0000, low: 7))
  static let best: ExerciseRecord = {
    let day = CivilDay(number: 20_786)
    let weight = Weight(digits: 1_025, scale: 1, unit: .kilograms)
    return ExerciseRecord(
      key: squat,
      heaviest: ExerciseRecord.Heaviest(weight: weight!, reps: 1, day: day, log: log),
      estimatedMaximum: ExerciseRecord.EstimatedMaximum(kilograms: 102.5, day: day, log: log),
      text: "1 × 102.5 kg, 29 Nov 2026; e1RM 102.5 kg",
      spoken: "Back squat, 1 rep at 102.5 kg on 29 Nov 2026, 102.5 kg for one by estimate")
  }()
  static let workout: HistoryEntry = {
    let end = now.advanced(milliseconds: -86_400_000)
    var entry = HistoryEntry(
      key: HistoryKey(day: CivilDay(number: 20_786), end: end, log: log), title: "Row",
      start: end.advanced(milliseconds: -1_800_000), milliseconds: 1_800_000, wasPlanned: true,
      text: "29 Nov 2026, 30 min, 7.4 km", spoken: "Row, 29 Nov 2026, 30 min, 7.4 km")
    entry.distanceMeters = 7_400
    return entry
  }()
  static let session = SessionID(high: 0x5000_0000_0000_0000, low: 1)
  static let live: LiveReading = {
    var live = LiveReading(
      session: session, recorder: device, observedAt: now, cadenceMilliseconds: 5_000,
      staleAt: now.advanced(milliseconds: 15_000), expiresAt: now.advanced(milliseconds: 30_000),
      text: "142 bpm, 210 kcal", spoken: "142 beats a minute, 210 kilocalories")
    live.heartRate = 142
    live.energyKilocalories = 210
    return live
  }()
  static let view = WidgetView(kind: .streak, family: .small, appearance: .both)
  static let receipt = Receipt(incarnation: incarnation, number: 7, outcome: .applied(43))

  static let body = ActionBody(
    occurred: clock, zone: ZoneStamp(id: "Europe/Berlin", offsetSeconds: 3_600),
    action: .addPoint(entry: entry, match: match, team: .home, insist: false))

  static let facet = Facet.teams(TeamsFacet(match: match, home: "Lions", away: "Bears"))

  static let clockFacet: Facet = {
    let over = now.advanced(milliseconds: 2_700_000)
    var clock = MatchClockFacet(
      match: match, phase: .running, half: 2, elapsedMilliseconds: 2_700_000, runningSince: now,
      halfLengthMilliseconds: 2_700_000, halfOverAt: over, recorder: device)
    clock.halves = 4
    clock.stoppage = MatchClockFacet.Stoppage(
      text: "90+", from: over, elapsedMilliseconds: 0, runningSince: over)
    return .matchClock(clock)
  }()

  /// SHA-256 of `photo`.
  static let photo = AttachmentHash(
    hex: "55c64d0fcd6f9d5f7c828093857e3fdfda68478bb4e9bd24d481ef391c7804e8")!

  static let timeline: WidgetTimeline = {
    var entry = WidgetTimeline.Entry(
      from: now, lines: ["3 days"], spoken: "Streak of 3 days", symbol: "flame", stale: 0,
      theme: .day)
    entry.number = 3
    return WidgetTimeline(
      kind: .streak, family: .small, reloadAfter: now.advanced(milliseconds: 3_600_000),
      day: Palette(background: 0xFFFFFF, text: 0x111111, secondary: 0x555555, accent: 0xB00020),
      night: nil, entries: [entry])
  }()

  static let client: [(heading: String, message: ClientMessage)] = [
    (
      "Hello",
      .hello(
        Hello(
          token: [UInt8](0x20..<0x40),
          incarnations: [
            IncarnationState(incarnation: incarnation, confirmed: 6, oldest: 1, next: 8)
          ],
          cursor: Cursor(epoch: epoch, revision: 42, facetSet: DeviceKind.watch.facetSet),
          clock: clock))
    ),
    (
      "Hello, with a pairing code",
      .hello(
        Hello(
          token: [UInt8](0x20..<0x40), clock: clock, code: PairingCode(number: 12_345_678),
          deviceName: "Wrist"))
    ),
    ("Act", .act(Act(incarnation: incarnation, number: 7, confirmed: 6, body: [0x0A, 0x00]))),
    (
      "Act, offered again after a restore",
      .act(
        Act(
          incarnation: incarnation, number: 7, confirmed: 9, firstReceipt: receipt,
          body: [0x0A, 0x00]))
    ),
    (
      "Resume",
      .resume(Cursor(epoch: epoch, revision: 42, facetSet: DeviceKind.watch.facetSet))
    ),
    ("Resume, for everything", .resume(nil)),
    ("Fetch", .fetch(Fetch(view: view, knownHash: 0x0102_0304_0506_0708))),
    (
      "Query",
      .query(
        Query(
          id: 3,
          question: .history(
            HistoryQuestion(
              before: HistoryKey(day: CivilDay(number: 20_787), end: now, log: log), limit: 20))))
    ),
    (
      "Query, attachment",
      .query(Query(id: 4, question: .attachment(AttachmentQuestion(hash: photo))))
    ),
    (
      "Query, for a month of a streak",
      .query(
        Query(
          id: 4,
          question: .streakTrace(
            StreakTraceQuestion(.month(of: CivilDay(number: 20_787)), policy: .weekly(days: 3)))))
    ),
    (
      "Query, for exercises",
      .query(
        Query(
          id: 5,
          question: .exercises(
            ExercisesQuestion(text: "row", equipment: .barbell, after: squat, limit: 20))))
    ),
    ("Query, for records", .query(Query(id: 6, question: .records(RecordsQuestion(limit: 1))))),
    (
      "Query, for workouts",
      .query(
        Query(id: 7, question: .workouts(WorkoutsQuestion(text: "leg", after: legs, limit: 5))))
    ),
    (
      "Chunk",
      .chunk(Chunk(hash: photo, totalBytes: 5, offset: 0, bytes: Array("photo".utf8)))
    ),
    ("Ping, from a client", .ping(Ping(nonce: 9, clock: clock, shownRevision: 43, pending: 1))),
    ("Pong, from a client", .pong(Pong(nonce: 5, clock: clock))),
    ("Goodbye, from a client", .goodbye(Goodbye(.shuttingDown))),
    (
      "Pulse",
      .pulse(
        Pulse(
          session: session, measured: clock, heartRate: 142, energyKilocalories: 210,
          cadenceMilliseconds: 5_000))
    ),
  ]

  static let server: [(heading: String, message: ServerMessage)] = [
    (
      "Welcome",
      .welcome(
        Welcome(
          account: account, device: device, kind: .watch, epoch: epoch, revision: 42,
          facetSet: DeviceKind.watch.facetSet,
          expected: [IncarnationNumber(incarnation: incarnation, number: 7)],
          backedUp: [IncarnationNumber(incarnation: incarnation, number: 3)], serverClock: now,
          leaseMilliseconds: 30_000, frameBytesMax: 65_536, inFlightMax: 64, reofferMax: 1_000))
    ),
    ("Receipt, applied", .receipt(receipt)),
    (
      "Receipt, refused",
      .receipt(
        Receipt(
          incarnation: incarnation, number: 7, outcome: .refused(.invalid(field: "title"))))
    ),
    (
      "Receipt, expired",
      .receipt(Receipt(incarnation: incarnation, number: 7, outcome: .expired))
    ),
    ("Conflict", .conflict(receipt)),
    ("Settled", .settled(IncarnationNumber(incarnation: incarnation, number: 7))),
    (
      "Hold, a gap",
      .hold(Hold(incarnation: incarnation, number: 9, reason: .gap(expected: 7)))
    ),
    (
      "Hold, busy",
      .hold(
        Hold(incarnation: incarnation, number: 7, reason: .busy(retryAfterMilliseconds: 500)))
    ),
    (
      "Hold, no storage",
      .hold(
        Hold(
          incarnation: incarnation, number: 7,
          reason: .storageUnavailable(retryAfterMilliseconds: 5_000)))
    ),
    (
      "Update",
      .update(
        Update(
          epoch: epoch, from: 42, to: 43,
          facets: [EncodedFacet(kind: .goals, revision: 43, content: [0x0A, 0x00])],
          readings: [
            .presence([
              DevicePresence(
                device: device, name: "Watch", kind: .watch, isPresent: true, pending: 0)
            ])
          ],
          cues: [Cue(kind: .goal, at: now)]))
    ),
    (
      "Update, a reading alone",
      .update(
        Update(
          epoch: epoch, from: 43, to: 43,
          readings: [
            .continuity(
              ContinuityReading(state: .fresh, copiedAt: now, text: "Backed up 30 Nov, 18:05"))
          ]))
    ),
    (
      "Update, a live value",
      .update(Update(epoch: epoch, from: 43, to: 43, readings: [.live(live)]))
    ),
    (
      "Update, nothing is measured any more",
      .update(Update(epoch: epoch, from: 43, to: 43, readings: [.live(nil)]))
    ),
    ("Update, empty", .update(Update(epoch: epoch, from: 43, to: 44))),
    (
      "Snapshot",
      .snapshot(
        Snapshot(
          view: view, revision: 43, hash: 0x0102_0304_0506_0708, content: [0x08, 0x01, 0x10, 0x01]))
    ),
    ("NotModified", .notModified(NotModified(view: view, revision: 43))),
    ("Reload", .reload([.streak, .match])),
    ("Page", .page(Page(id: 3, revision: 43, answer: .history([workout], next: nil)))),
    ("Page, of a streak", .page(Page(id: 4, revision: 43, answer: .streakTrace(trace)))),
    (
      "Page, of exercises",
      .page(
        Page(
          id: 5, revision: 43,
          answer: .exercises(
            [
              ExerciseEntry(
                key: squat, equipment: .barbell, isOwn: false, text: "Back squat, barbell")
            ], next: squat)))
    ),
    ("Page, of records", .page(Page(id: 6, revision: 43, answer: .records([best], next: nil)))),
    (
      "Page, of workouts",
      .page(
        Page(
          id: 7, revision: 43,
          answer: .workouts(
            [WorkoutEntry(key: legs, exercises: ["Squat", "Leg curl"], text: "Legs, 2 exercises")],
            next: legs)))
    ),
    (
      "Page, attachment",
      .page(
        Page(
          id: 4, revision: 43,
          answer: .attachment(
            AttachmentRange(
              hash: photo, totalBytes: 5, offset: 0, bytes: Array("photo".utf8)))))
    ),
    ("ChunkState", .chunkState(ChunkState(hash: photo, offset: 5, isComplete: true))),
    ("ChunkState, refused", .chunkState(ChunkState(hash: photo, offset: 0, refusal: .quota))),
    ("Ping, from the server", .ping(Ping(nonce: 5))),
    ("Pong, from the server", .pong(Pong(nonce: 9, serverClock: now))),
    (
      "Goodbye, from the server",
      .goodbye(
        Goodbye(.unsupportedVersion, retryAfterMilliseconds: 0, comeBack: false, versions: 1...1))
    ),
    (
      "Goodbye, code refused", .goodbye(Goodbye(.codeRefused))
    ),
    (
      "Goodbye, come back",
      .goodbye(Goodbye(.shuttingDown, retryAfterMilliseconds: 2_000, comeBack: true))
    ),
  ]
}
