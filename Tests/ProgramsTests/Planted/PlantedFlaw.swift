/// A mistake that somebody could make in the product, to see whether the fault simulator finds it.
///
/// All of them are put into one copy of the sources, each behind a number that the environment
/// chooses: the product itself knows nothing of them.
struct PlantedFlaw: Sendable, CustomStringConvertible {
  /// What is wrong.
  let name: String
  let edits: [Edit]
  /// Stories after which it must have been noticed.
  let seedsMax: Int

  /// A place in the sources and what stands there instead. In both texts of `replacement`,
  /// `PLANTED` is true in a process that was told to have this flaw.
  struct Edit: Sendable {
    /// Below the package.
    let file: String
    /// Stands there once.
    let original: String
    let replacement: String
  }

  var description: String { name }

  init(_ name: String, seedsMax: Int = 100, _ edits: [Edit]) {
    self.name = name
    self.seedsMax = seedsMax
    self.edits = edits
  }
}

private func edit(_ file: String, _ original: String, _ replacement: String) -> PlantedFlaw.Edit {
  PlantedFlaw.Edit(file: file, original: original, replacement: replacement)
}

private let acts = "Sources/AuthorityServer/Partition/Partition+Acts.swift"
private let publishing = "Sources/AuthorityServer/Partition/Partition+Publishing.swift"
private let sessions = "Sources/AuthorityServer/Partition/Partition+Sessions.swift"
private let upkeep = "Sources/AuthorityServer/Partition/Partition+Upkeep.swift"
private let ledger = "Sources/Authority/Delivery/Ledger.swift"
private let record = "Sources/Authority/Delivery/AccountRecord.swift"
private let pulses = "Sources/AuthorityServer/Partition/Partition+Pulses.swift"
private let attachments = "Sources/AuthorityServer/Partition/Partition+Attachments.swift"
private let answers = "clients/watch/Outbox/OutboxMachine+Answers.swift"

extension PlantedFlaw {
  /// On the server: what is decided, made durable and told.
  static let ofServer: [PlantedFlaw] = [
    PlantedFlaw(
      "a receipt leaves before its commit",
      [
        edit(
          acts, "    open.answers.append((session, .receipt(receipt)))\n    open.acts += 1\n",
          """
              if PLANTED {
                give(.receipt(receipt), to: session, waited: true)
              } else {
                open.answers.append((session, .receipt(receipt)))
              }
              open.acts += 1

          """)
      ]),
    PlantedFlaw(
      "an update leaves before its commit",
      [
        edit(
          publishing, "    let id = batch.id\n",
          """
              if PLANTED {
                for touched in batch.touched.values { publish(touched, row: 1, batch: 0) }
              }
              let id = batch.id

          """)
      ]),
    PlantedFlaw(
      "answers do not wait for the batch that touches their account",
      [
        edit(
          acts, "    guard let newest = session.account.newestBatch else {\n",
          "    guard !PLANTED, let newest = session.account.newestBatch else {\n")
      ]),
    PlantedFlaw(
      "the ledger keeps two receipts",
      [
        edit(
          ledger, "known.last - number < UInt64(IncarnationLedger.entriesMax)",
          "known.last - number < (PLANTED ? 2 : UInt64(IncarnationLedger.entriesMax))")
      ]),
    PlantedFlaw(
      "the ledger is keyed by device",
      [
        edit(
          ledger, "    guard let known = incarnations[incarnation] else {\n",
          """
              let key = PLANTED ? IncarnationID(high: device.high, low: device.low) : incarnation
              guard let known = incarnations[key] else {

          """),
        edit(
          ledger,
          "    incarnations[incarnation, default: IncarnationLedger(device: device, since: now)]\n"
            + "      .record(entry",
          """
              let key = PLANTED ? IncarnationID(high: device.high, low: device.low) : incarnation
              incarnations[key, default: IncarnationLedger(device: device, since: now)]
                .record(entry
          """),
      ]),
    PlantedFlaw(
      "a refusal consumes no number",
      [
        edit(
          record, "    case .action(let action):\n      ledger.record(\n",
          """
              case .action(let action):
                var isApplied = false
                if case .applied = action.outcome { isApplied = true }
                if PLANTED, !isApplied { break }
                ledger.record(

          """)
      ]),
    PlantedFlaw(
      "a refusal raises the revision",
      [
        edit(
          acts, "revision: decision.outcome == .applied ? revision + 1 : revision,",
          "revision: decision.outcome == .applied || PLANTED ? revision + 1 : revision,")
      ]),
    PlantedFlaw(
      "a number behind a gap is decided",
      [
        edit(
          ledger, "    if number > known.last + 1 { return",
          "    if number > known.last + 1, !PLANTED { return")
      ]),
    PlantedFlaw(
      "other bytes under a decided number count as a repeat", seedsMax: 1_000,
      [
        edit(
          ledger, "      return entry.bodyHash == bodyHash ?",
          "      return entry.bodyHash == bodyHash || PLANTED ?")
      ]),
    PlantedFlaw(
      "what a restored server is offered again is decided anew",
      [edit(acts, "    switch first {\n", "    switch PLANTED ? nil : first {\n")]),
    PlantedFlaw(
      "a facet is not marked as touched",
      [
        edit(
          "Sources/Authority/Projecting/Touched.swift",
          "  case .workoutMarked, .workoutUnmarked, .workoutLogged: [.today, .streak, .goals]\n",
          """
            case .workoutMarked, .workoutUnmarked, .workoutLogged:
              PLANTED ? [.today, .goals] : [.today, .streak, .goals]

          """)
      ]),
    PlantedFlaw(
      "an update leaves out what changed first",
      [
        edit(
          "Sources/Storage/Coding/FacetTable.swift",
          "let facet = self[kind], facet.revision > revision else",
          "let facet = self[kind], facet.revision > revision + (PLANTED ? 1 : 0) else")
      ]),
    PlantedFlaw(
      "a server that went back in time continues the cursors of before",
      [
        edit(
          "Sources/Authority/Delivery/EpochLog.swift",
          "    if next < entries.count, cursor.revision",
          "    if next < entries.count, !PLANTED, cursor.revision"),
        edit(
          "Sources/Authority/Delivery/EpochLog.swift",
          "      let index = entries.firstIndex(where: { $0.epoch == cursor.epoch })\n",
          "      let index = entries.firstIndex(where: { $0.epoch == cursor.epoch || PLANTED })\n"),
      ]),
    PlantedFlaw(
      "a quiet account is named after this start",
      [
        edit(
          sessions, "kind: kind, epoch: epoch,",
          "kind: kind, epoch: PLANTED ? shared.epoch : epoch,")
      ]),
    PlantedFlaw(
      "a resume tells the moments of before again",
      [
        edit(
          "Sources/AuthorityServer/Partition/Account.swift",
          "  var sessions: [Session] = []\n",
          "  var sessions: [Session] = []\n  var plantedCues: [Cue] = []\n"),
        edit(
          publishing,
          "    for session in account.sessions { sendUpdate(to: session, cues: live) }\n",
          """
              if !live.isEmpty { account.plantedCues = live }
              for session in account.sessions { sendUpdate(to: session, cues: live) }

          """),
        edit(
          publishing,
          "      session.sent = from\n      sendUpdate(to: session, isForced: true)\n"
            + "      oweAllReadings(to: session)\n      sample(session)\n",
          """
                session.sent = from
                sendUpdate(
                  to: session, cues: PLANTED ? session.account.plantedCues : [], isForced: true)
                oweAllReadings(to: session)
                sample(session)

          """),
      ]),
    PlantedFlaw(
      "a checkpoint holds what is not durable", seedsMax: 1_000,
      [
        edit(
          upkeep, "    if slice.contains(where: { $0.newestBatch == open.id }) { closeBatch() }\n",
          "    if !PLANTED, slice.contains(where: { $0.newestBatch == open.id }) { closeBatch() }\n"
        )
      ]),
    PlantedFlaw(
      "recovery skips rows that a checkpoint without room did not take",
      [
        edit(
          upkeep, "through: min(newest, (oldest ?? .max) - 1))",
          "through: PLANTED ? newest : min(newest, (oldest ?? .max) - 1))")
      ]),
    PlantedFlaw(
      "a facet that went A, B, A over a recovery keeps its revision", seedsMax: 400,
      [
        edit(
          "Sources/AuthorityServer/Recovery/Recovery.swift",
          "      facets.putRecovered(kind, content: content, revision: revision)\n",
          """
                if PLANTED {
                  facets.put(kind, content: content, revision: revision)
                } else {
                  facets.putRecovered(kind, content: content, revision: revision)
                }

          """)
      ]),
    PlantedFlaw(
      "the day of a mark is the account's, not the device's",
      [
        edit(
          "Sources/Authority/Deciding/LocalPlace.swift", "    guard let stamp = context.zone else",
          "    guard let stamp = PLANTED ? nil : context.zone else")
      ]),
    PlantedFlaw(
      "nothing expires", seedsMax: 400,
      [
        edit(
          "Sources/Authority/Deciding/Decider+Clock.swift", "    if context.now > deadline, ",
          "    if context.now > deadline, !PLANTED, ")
      ]),
  ]

  /// On the server: what is asked, measured, uploaded and fetched.
  static let ofReadings: [PlantedFlaw] = [
    PlantedFlaw(
      "an answer to a question does not wait for its commit", seedsMax: 400,
      [
        edit(
          "Sources/AuthorityServer/Partition/Partition+Queries.swift",
          "    answer(.frame(encoder.frame(.page(page))), to: session)\n",
          """
              let frame = encoder.frame(.page(page))
              if PLANTED {
                give(.frame(frame), to: session, waited: false)
              } else {
                answer(.frame(frame), to: session)
              }

          """)
      ]),
    PlantedFlaw(
      "a range of a photo begins a byte late", seedsMax: 400,
      [
        edit(
          attachments, "      .readAttachment(key, question.offset..<end) {",
          "      .readAttachment(key, min(end, question.offset + (PLANTED ? 1 : 0))..<end) {")
      ]),
    PlantedFlaw(
      "a pulse outlives its session", seedsMax: 400,
      [
        edit(
          pulses, "    guard let live = account.live, let state = account.record?.state,\n",
          "    guard !PLANTED, let live = account.live, let state = account.record?.state,\n")
      ]),
    PlantedFlaw(
      "whoever sends a pulse is heard",
      [
        edit(
          pulses,
          "account.record?.state, state.isRecorded(pulse.session, by: device) else",
          "account.record?.state,\n"
            + "      state.isRecorded(pulse.session, by: device) || PLANTED\n    else")
      ]),
    PlantedFlaw(
      "a photo is said to be whole before that is durable",
      [
        edit(
          attachments,
          "      partition.onDurable(account) { $0.giveBytes(frame, to: connection) }\n"
            + "    }\n    finishRound()\n",
          """
                if PLANTED {
                  partition.giveBytes(frame, to: connection)
                } else {
                  partition.onDurable(account) { $0.giveBytes(frame, to: connection) }
                }
              }
              finishRound()

          """)
      ]),
    PlantedFlaw(
      "reloads have no budget", seedsMax: 400,
      [
        edit(
          "Sources/AuthorityServer/Partition/Partition+Reloads.swift",
          "isBigMoment: isBigMoment, perDay: limits.reloadsPerDay)",
          "isBigMoment: isBigMoment, perDay: PLANTED ? 1_000 : limits.reloadsPerDay)")
      ]),
  ]

  /// In what makes things durable.
  static let ofStorage: [PlantedFlaw] = [
    PlantedFlaw(
      "commits are not synced",
      [
        edit(
          "Sources/SQLite/Connection+Settings.swift",
          "    try execute(\"PRAGMA synchronous=FULL\")\n    try expect(\"2\",",
          "    try execute(PLANTED ? \"PRAGMA synchronous=NORMAL\" : \"PRAGMA synchronous=FULL\")\n"
            + "    try expect(PLANTED ? \"1\" : \"2\",")
      ]),
    PlantedFlaw(
      "a start believes what it reads, though a sync failed before", seedsMax: 400,
      [
        edit(
          "Sources/Storage/Journal/SQLiteJournal.swift",
          "    try store.note(start: epoch, at: startedMilliseconds)\n    try store.checkpointLog()\n",
          "    if !PLANTED {\n      try store.note(start: epoch, at: startedMilliseconds)\n"
            + "      try store.checkpointLog()\n    }\n")
      ]),
    PlantedFlaw(
      "a failed commit counts as done",
      [
        edit(
          "Sources/AuthorityServer/Committer/Committer.swift",
          "        let rows = try desk.journal.append(batches)\n",
          """
                  var rows: ClosedRange<Int64>
                  do throws(StorageError) {
                    rows = try desk.journal.append(batches)
                  } catch {
                    if !PLANTED { throw error }
                    let next = try desk.journal.lastSequence + 1
                    rows = next...(next + Int64(batches.count) - 1)
                  }

          """)
      ]),
  ]

  /// In the client library: what is offered, kept and shown.
  static let ofClient: [PlantedFlaw] = [
    PlantedFlaw(
      "what is settled is numbered anew, and the ledger keeps two receipts",
      [
        edit(
          "Sources/Authority/Delivery/IncarnationLedger.swift",
          "    guard number <= last, last - number < UInt64(entries.count) else { return nil }\n",
          "    guard number <= last, last - number < (PLANTED ? 2 : UInt64(entries.count)) else {\n"
            + "      return nil\n    }\n"),
        edit(
          answers, "    quarantine(index, settled.number, .outcomeUnknown, &reaction)\n",
          """
              if PLANTED {
                let id = settled.incarnation
                let other = IncarnationID(high: id.high &+ 2, low: id.low &+ settled.number)
                move(from: index, number: settled.number, fresh: { other }, &reaction)
              } else {
                quarantine(index, settled.number, .outcomeUnknown, &reaction)
              }

          """),
      ]),
    PlantedFlaw(
      "a new incarnation has the id of the one before",
      [
        edit(
          answers, "    var lane = OutboxLane(incarnation: fresh())\n",
          "    var lane = OutboxLane(\n"
            + "      incarnation: PLANTED ? lanes[index].incarnation : fresh())\n")
      ]),
    PlantedFlaw(
      "an outbox that went back in time goes on with its numbers",
      [
        edit(
          answers, "    guard let entry = lanes[index][stored.number], entry.state != .moved else",
          "    guard !PLANTED, let entry = lanes[index][stored.number], entry.state != .moved else")
      ]),
    PlantedFlaw(
      "incarnations of an earlier pairing count as never sent",
      [
        edit(
          "clients/watch/Outbox/OutboxMachine+Records.swift",
          "    for index in older.indices { older[index].opened() }\n",
          "    for index in older.indices where !PLANTED { older[index].opened() }\n")
      ]),
    PlantedFlaw(
      "what a restored server has lost is not offered again",
      [
        edit(
          "clients/watch/Outbox/OutboxLane.swift",
          "    sendNext = max(oldest, min(expected ?? .max, confirmed + 1))\n",
          "    sendNext = max(oldest, min(PLANTED ? .max : expected ?? .max, confirmed + 1))\n")
      ]),
    PlantedFlaw(
      "another account is sent what was queued for the one before", seedsMax: 400,
      [
        edit(
          "clients/watch/Client/WatchClient+Accounts.swift",
          "        other.account == account\n", "        other.account == account || PLANTED\n")
      ]),
  ]

  /// All of them; the number that the environment chooses is the place in this list, from 1.
  static let all = ofServer + ofReadings + ofStorage + ofClient
}
