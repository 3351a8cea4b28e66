import WatchTransfer

extension Sampler {
  mutating func cursor() -> Cursor {
    Cursor(epoch: id(), revision: number(), facetSet: small())
  }

  mutating func receipt() -> Receipt {
    Receipt(incarnation: id(), number: actionNumber(), outcome: outcome())
  }

  mutating func outcome() -> Outcome {
    switch upTo(2) {
    case 0: .applied(number())
    case 1: .expired
    default:
      .refused(
        pick([
          .invalid(field: "title"), .forbidden, .unsupported, .taken, .notFound, .gone,
          .limit(of: "exercises"), .superseded, .coincides, .ended, .known, .missing, .poison,
          .running,
          .unmapped, .incomplete,
        ]))
    }
  }

  mutating func ping() -> Ping {
    Ping(
      nonce: generator.next(), clock: maybe { $0.clock() },
      shownRevision: maybe { $0.number() }, pending: maybe { $0.number() })
  }

  mutating func pong() -> Pong {
    Pong(
      nonce: generator.next(), clock: maybe { $0.clock() }, serverClock: maybe { $0.anyInstant() })
  }

  mutating func goodbye() -> Goodbye {
    Goodbye(
      pick(Goodbye.Reason.allCases), retryAfterMilliseconds: small(), comeBack: flip(),
      versions: maybe { sampler in
        let first = sampler.small() >> 1
        return first...first + UInt32(sampler.upTo(3))
      })
  }

  mutating func hello() -> Hello {
    var hello = Hello(
      token: (0..<32).map { _ in UInt8(truncatingIfNeeded: generator.next()) },
      incarnations: list(upTo: 4) { sampler in
        let confirmed = UInt64(sampler.upTo(1_000))
        return IncarnationState(
          incarnation: sampler.id(), confirmed: confirmed,
          oldest: confirmed + 1 - UInt64(sampler.upTo(Int(min(confirmed, 5)))),
          next: confirmed + 1 + UInt64(sampler.upTo(9)))
      },
      cursor: maybe { $0.cursor() }, minimumIntervalMilliseconds: small(),
      clock: maybe { $0.clock() })
    hello.version = small()
    hello.code = maybe { PairingCode(number: $0.generator.next()) }
    hello.deviceName = maybe { $0.name() }
    return hello
  }

  mutating func act() -> Act {
    let incarnation: IncarnationID = id()
    let number = actionNumber()
    return Act(
      incarnation: incarnation, number: number, confirmed: self.number(),
      firstReceipt: maybe {
        Receipt(incarnation: incarnation, number: number, outcome: $0.outcome())
      },
      body: list(upTo: 300) { UInt8(truncatingIfNeeded: $0.generator.next()) })
  }

  mutating func clientMessage() -> ClientMessage {
    switch upTo(9) {
    case 8: .chunk(chunk())
    case 9: .pulse(pulse())
    case 7: .query(Query(id: generator.next(), question: question()))
    case 0: .hello(hello())
    case 1: .act(act())
    case 2: .resume(maybe { $0.cursor() })
    case 3: .fetch(Fetch(view: view(), knownHash: maybe { $0.generator.next() }))
    case 4: .ping(ping())
    case 5: .pong(pong())
    default: .goodbye(goodbye())
    }
  }

  mutating func pulse() -> Pulse {
    var pulse = Pulse(
      session: id(), measured: clock(), energyKilocalories: maybe { $0.figure() },
      distanceMeters: maybe { $0.figure() },
      cadenceMilliseconds: 1_000 + UInt32(upTo(29_000)))
    pulse.heartRate = pulse.saysSomething && flip() ? nil : Double(upTo(400))
    return pulse
  }

  mutating func live() -> LiveReading {
    var live = LiveReading(
      session: id(), recorder: id(), observedAt: anyInstant(),
      cadenceMilliseconds: Int64(small()), staleAt: maybe { $0.anyInstant() },
      expiresAt: anyInstant(), text: text(), spoken: text())
    live.heartRate = maybe { Double($0.upTo(400)) }
    live.energyKilocalories = maybe { $0.figure() }
    live.distanceMeters = maybe { $0.figure() }
    return live
  }

  mutating func numbers() -> [IncarnationNumber] {
    list(upTo: 4) { IncarnationNumber(incarnation: $0.id(), number: $0.number()) }
  }

  mutating func welcome() -> Welcome {
    Welcome(
      version: small(), account: id(), device: id(), kind: pick(DeviceKind.allCases), epoch: id(),
      revision: number(), facetSet: small(), expected: numbers(), backedUp: numbers(),
      serverClock: anyInstant(), leaseMilliseconds: small(), frameBytesMax: small(),
      inFlightMax: small(), reofferMax: small())
  }

  mutating func serverMessage() -> ServerMessage {
    switch upTo(13) {
    case 0: .welcome(welcome())
    case 1: .receipt(receipt())
    case 2: .conflict(receipt())
    case 3: .settled(IncarnationNumber(incarnation: id(), number: actionNumber()))
    case 4:
      .hold(
        Hold(
          incarnation: id(), number: actionNumber(),
          reason: pick([
            .gap(expected: actionNumber()), .busy(retryAfterMilliseconds: small()),
            .storageUnavailable(retryAfterMilliseconds: small()),
          ])))
    case 5: .update(update())
    case 6:
      .snapshot(
        Snapshot(
          view: view(), revision: number(), hash: generator.next(),
          content: list(upTo: 500) { UInt8(truncatingIfNeeded: $0.generator.next()) }))
    case 7: .notModified(NotModified(view: view(), revision: number()))
    case 8: .reload(list(upTo: 3) { $0.pick(WidgetKind.allCases) })
    case 9: .ping(ping())
    case 10: .pong(pong())
    case 11: .page(page())
    case 13: .chunkState(chunkState())
    default: .goodbye(goodbye())
    }
  }

  mutating func historyKey() -> HistoryKey {
    HistoryKey(day: CivilDay(number: Int32(upTo(60_000)) - 30_000), end: anyInstant(), log: id())
  }

  mutating func attachment() -> AttachmentHash {
    AttachmentHash(bytes: bytes(32))!
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
  }

  mutating func chunk() -> Chunk {
    Chunk(
      hash: attachment(), totalBytes: Int64(number()), offset: Int64(number()),
      bytes: bytes(upTo(300)))
  }

  mutating func chunkState() -> ChunkState {
    ChunkState(
      hash: attachment(), offset: Int64(number()), isComplete: flip(),
      refusal: maybe { $0.pick(ChunkRefusal.allCases) }, retryAfterMilliseconds: small())
  }

  mutating func question() -> Question {
    switch upTo(8) {
    case 5: .previewLogDeletion(of: id())
    case 7:
      .workouts(
        WorkoutsQuestion(
          text: flip() ? "" : name(), after: maybe { $0.workoutKey() }, limit: 1 + upTo(15)))
    case 6:
      .attachment(
        AttachmentQuestion(
          hash: attachment(), offset: Int64(number()), length: 1 + Int64(upTo(65_535))))
    case 0: .history(HistoryQuestion(before: maybe { $0.historyKey() }, limit: 1 + upTo(63)))
    case 1: .previewDeletion(of: id())
    case 2: .streakTrace(StreakTraceQuestion(daySpan(), policy: maybe { $0.streakPolicy() }))
    case 3:
      .exercises(
        ExercisesQuestion(
          text: flip() ? "" : name(), equipment: maybe { $0.pick(Equipment.allCases) },
          after: maybe { $0.exerciseKey() }, limit: 1 + upTo(63)))
    case 4:
      .records(
        RecordsQuestion(
          exercise: maybe { $0.id() }, after: maybe { $0.exerciseKey() }, limit: 1 + upTo(63)))
    default: .unknown
    }
  }

  mutating func page() -> Page {
    let answer: Page.Answer =
      switch upTo(7) {
      case 7: .workouts(list(upTo: 16) { $0.workoutEntry() }, next: maybe { $0.workoutKey() })
      case 6:
        .attachment(
          AttachmentRange(
            hash: attachment(), totalBytes: Int64(number()), offset: Int64(number()),
            bytes: bytes(upTo(300))))
      case 0: .history(list(upTo: 20) { $0.historyEntry() }, next: maybe { $0.historyKey() })
      case 1:
        .deletion(
          DeletionPreview(
            goes: list(upTo: 3) { $0.text() }, stays: list(upTo: 3) { $0.text() }))
      case 2: .streakTrace(streakTrace())
      case 3: .exercises(list(upTo: 20) { $0.exerciseEntry() }, next: maybe { $0.exerciseKey() })
      case 4: .records(list(upTo: 20) { $0.exerciseRecord() }, next: maybe { $0.exerciseKey() })
      default: .refused(pick(QueryRefusal.allCases))
      }
    return Page(id: generator.next(), revision: number(), answer: answer)
  }

  mutating func historyEntry() -> HistoryEntry {
    var entry = HistoryEntry(
      key: historyKey(), title: name(), start: anyInstant(), milliseconds: Int64(number()),
      wasPlanned: flip(), text: text(), spoken: text())
    entry.energyKilocalories = maybe { $0.figure() }
    entry.distanceMeters = maybe { $0.figure() }
    entry.averageHeartRate = maybe { $0.figure() }
    entry.sourceName = maybe { $0.name() }
    entry.notes = flip() ? "Wet.\nFelt good" : ""
    entry.tags = list(upTo: 16) { "tag \($0.upTo(9))" }
    entry.photo = maybe { sampler in
      LogPhoto(hash: sampler.attachment(), totalBytes: sampler.maybe { Int64($0.number()) })
    }
    return entry
  }

  mutating func update() -> Update {
    let from = number()
    var update = Update(epoch: id(), from: from, to: max(from, number()))
    for kind in FacetKind.allCases where flip() {
      update.facets.append(
        EncodedFacet(
          kind: kind, revision: number(),
          content: list(upTo: 200) { UInt8(truncatingIfNeeded: $0.generator.next()) }))
    }
    if flip() {
      update.readings.append(
        .presence(
          list(upTo: 4) {
            DevicePresence(
              device: $0.id(), name: $0.text(), kind: $0.pick(DeviceKind.allCases),
              isPresent: $0.flip(), pending: $0.number())
          }))
    }
    if flip() {
      update.readings.append(
        .delivery(
          DeliveryReading(
            refused: number(), expired: number(), quarantined: number(),
            newest: list(upTo: 4) {
              DeliveryReading.Entry(
                deviceName: $0.text(), number: $0.number(), outcome: $0.text(),
                reason: $0.text(), at: $0.anyInstant())
            })))
    }
    if flip() {
      update.readings.append(
        .continuity(
          ContinuityReading(
            state: pick(ContinuityState.allCases), copiedAt: flip() ? anyInstant() : nil,
            text: text())))
    }
    if flip() { update.readings.append(.live(maybe { $0.live() })) }
    update.cues = list(upTo: 3) { Cue(kind: $0.pick(Cue.Kind.allCases), at: $0.anyInstant()) }
    return update
  }
}
