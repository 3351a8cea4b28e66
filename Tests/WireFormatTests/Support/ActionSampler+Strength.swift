import WatchTransfer

extension Sampler {
  mutating func weight() -> Weight {
    let scale = upTo(Weight.scaleMax)
    let max = (0..<scale).reduce(Int(Weight.unitsMax)) { bound, _ in bound * 10 }
    return Weight(
      digits: Int64(upTo(2 * max) - max), scale: scale, unit: pick(WeightUnit.allCases))!
  }

  mutating func targetSet() -> TargetSet {
    TargetSet(
      reps: 1 + upTo(999), weight: maybe { $0.weight() }, restSeconds: maybe { 1 + $0.upTo(3_599) })
  }

  mutating func entries() -> [RoutineEntry] {
    list(upTo: 4) { sampler in
      RoutineEntry(exercise: sampler.id(), sets: sampler.list(upTo: 12) { $0.targetSet() })
    }
  }

  mutating func points() -> [SamplePoint] {
    list(upTo: 64) { SamplePoint(at: $0.anyInstant(), value: $0.figure()) }
  }

  mutating func strengthAction() -> Action {
    switch upTo(17) {
    case 0:
      .defineExercise(Exercise(id: id(), name: name(), equipment: pick(Equipment.allCases)))
    case 1:
      .editExercise(
        id: id(), name: maybe { $0.name() }, equipment: maybe { $0.pick(Equipment.allCases) })
    case 2: .deleteExercise(id: id())
    case 3: .defineRoutine(id: id(), title: name(), entries: entries())
    case 4:
      .editRoutine(id: id(), title: maybe { $0.name() }, entries: maybe { $0.entries() })
    case 5: .deleteRoutine(id: id())
    case 6: .startSession(id: id(), plan: flip() ? .routine(id()) : .activity(name()))
    case 7:
      .completeSet(
        session: id(),
        set: PerformedSet(
          id: id(), position: upTo(31), reps: upTo(1_000), weight: maybe { $0.weight() },
          isWarmUp: flip()))
    case 8:
      .editSet(
        session: id(), set: id(), reps: maybe { $0.upTo(1_000) }, weight: maybe { $0.weight() })
    case 9: .uncompleteSet(session: id(), set: id())
    case 10:
      .adjustSet(
        session: id(), position: upTo(31), reps: maybe { $0.upTo(1_000) },
        weight: maybe { $0.weight() })
    case 11: .selectExercise(session: id(), position: upTo(31))
    case 12: .restSession(session: id(), seconds: maybe { 1 + $0.upTo(3_599) })
    case 13: .controlSession(session: id(), control: pick(SessionControl.allCases))
    case 14: .addSessionExercise(session: id(), exercise: id())
    case 15: .dismissSummary(session: id())
    case 16:
      .recordSamples(
        session: id(),
        block: SampleBlock(
          number: UInt32(upTo(100_000)), heartRate: points(), energy: points()))
    default: .takeOverSession(session: id())
    }
  }

  mutating func routines() -> RoutinesFacet {
    RoutinesFacet(
      routines: list(upTo: 4) { sampler in
        RoutinesFacet.Routine(
          id: sampler.id(), title: sampler.name(),
          entries: sampler.list(upTo: 4) { sampler in
            RoutinesFacet.Entry(
              exercise: sampler.id(), name: sampler.name(),
              equipment: sampler.pick(Equipment.allCases),
              groups: sampler.list(upTo: 3) {
                SetGroup(count: 1 + $0.upTo(11), set: $0.targetSet())
              })
          }, text: sampler.text())
      }, omitted: upTo(3))
  }

  mutating func shownSets() -> [SessionFacet.Set] {
    list(upTo: 24) {
      SessionFacet.Set(
        id: $0.id(), reps: $0.upTo(1_000), weight: $0.maybe { $0.weight() }, isWarmUp: $0.flip(),
        text: $0.text())
    }
  }

  mutating func session() -> SessionFacet {
    var facet = SessionFacet(
      session: id(), title: name(), activityType: text(), phase: pick(SessionPhase.allCases),
      startedAt: anyInstant(), activeMilliseconds: Int64(number()),
      runningSince: maybe { $0.anyInstant() }, recorder: maybe { $0.id() })
    facet.position = upTo(31)
    facet.exercises = list(upTo: 32) {
      SessionFacet.Exercise(
        name: $0.name(), equipment: $0.pick(Equipment.allCases), targetSets: $0.upTo(12),
        doneSets: $0.upTo(12))
    }
    facet.reps = maybe { $0.upTo(1_000) }
    facet.weight = maybe { $0.weight() }
    facet.sets = shownSets()
    facet.lastTime = shownSets()
    facet.lastTimeAt = maybe { $0.anyInstant() }
    facet.rest = maybe { SessionFacet.Rest(since: $0.anyInstant(), overAt: $0.anyInstant()) }
    facet.progress = text()
    facet.spoken = text()
    return facet
  }

  mutating func lastSession() -> LastSessionFacet {
    var facet = LastSessionFacet(
      session: id(), title: name(), activityType: text(), startedAt: anyInstant(),
      endedAt: anyInstant())
    facet.activeMilliseconds = maybe { Int64($0.number()) }
    facet.spanMilliseconds = Int64(number())
    facet.pausedMilliseconds = maybe { Int64($0.number()) }
    facet.energyKilocalories = maybe { $0.figure() }
    facet.averageHeartRate = maybe { $0.figure() }
    facet.maximumHeartRate = maybe { $0.figure() }
    facet.setCount = upTo(256)
    facet.volumeKilograms = figure()
    facet.exercises = list(upTo: 32) {
      LastSessionFacet.Exercise(
        name: $0.name(), targetSets: $0.upTo(12), doneSets: $0.upTo(12), text: $0.text())
    }
    facet.records = list(upTo: 8) { $0.text() }
    facet.text = text()
    facet.spoken = text()
    return facet
  }
}
