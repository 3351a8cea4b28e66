import TestSupport
import Testing
import Transport
import WatchTransfer

@testable import AuthorityLink
@testable import WatchClient

/// Questions of a whole watch, over real sockets, against a scripted authority.
@Suite(.timeLimit(.minutes(1))) struct QuestionTests {
  private let directory = TemporaryDirectory()
  private let authority = FakeAuthority()

  private func watch(at address: SocketAddress) throws -> WatchClient {
    var link = LinkConfiguration(address: address, token: [UInt8](repeating: 1, count: 32))
    link.firstBackoffMilliseconds = 5
    link.backoffMaxMilliseconds = 50
    return try WatchClient(
      WatchConfiguration(
        link: link, directory: directory.path + "/watch",
        zone: { ZoneStamp(id: "Europe/Berlin", offsetSeconds: 3_600) }))
  }

  private func connected(_ watch: WatchClient) async {
    let events = await watch.events()
    await watch.start()
    for await event in events { if case .connected = event { return } }
  }

  @Test func `the history comes page by page`() async throws {
    let server = try await FakeServer.start { [authority] _, message in authority.answer(message) }
    let watch = try watch(at: server.address)
    await connected(watch)
    var seen: [String] = []
    var before: HistoryKey?
    repeat {
      let page = try await watch.history(before: before, limit: 2)
      seen += page.entries.map(\.title)
      before = page.next
    } while before != nil
    #expect(seen == ["3", "2", "1"])
    #expect(
      try await watch.previewDeletion(of: WorkoutID(high: 1, low: 1)).goes == ["Row"])
    #expect(
      try await watch.streakTrace(of: .last(days: 7), policy: .scheduled).policy == .scheduled)
    let found = try await watch.exercises(named: "row", equipment: .cable, limit: 1)
    #expect(found.entries.map(\.key.name) == ["Seated cable row"] && found.next == nil)
    let key = ExerciseKey(name: "Plank", id: ExerciseID(high: 1, low: 1))
    #expect(try await watch.records(after: key).next == key)
    await #expect(throws: QueryError.refused(.gone)) { try await watch.records(of: key.id) }
    let workout = WorkoutKey(name: "Arms", id: WorkoutID(high: 1, low: 1))
    let workouts = try await watch.workouts(named: "legs", after: workout, limit: 1)
    #expect(workouts.entries.map(\.exercises) == [["Squat"]] && workouts.next == workout)
    await watch.stop()
    await #expect(throws: QueryError.stopped) { try await watch.history() }
    await server.stop()
  }

  @Test func `without a connection nothing can be asked, and nothing waits`() async throws {
    let nowhere = try SocketAddress(parsing: "unix:" + directory.path + "/nobody")
    let watch = try watch(at: nowhere)
    await #expect(throws: QueryError.notConnected) { try await watch.history() }
    await watch.start()
    await #expect(throws: QueryError.notConnected) { try await watch.history() }
    await watch.stop()
  }

  @Test func `a device that is not wanted is told so for each question, until it is started again`()
    async throws
  {
    let goodbye = Goodbye(.forbidden)
    let server = try await FakeServer.start { [authority] connection, message in
      if connection == 1, case .query = message { return [.say(.goodbye(goodbye)), .close] }
      return authority.answer(message)
    }
    let watch = try watch(at: server.address)
    await connected(watch)
    for _ in 1...2 {
      await #expect(throws: QueryError.ended(goodbye)) { try await watch.history() }
    }
    let events = await watch.events()
    await watch.disconnect()
    await watch.start()
    for await event in events { if case .connected = event { break } }
    #expect(try await watch.history().entries.count == 3)
    await watch.stop()
    await server.stop()
  }

  @Test func `a question whose connection ends fails at once, and the next is answered`()
    async throws
  {
    let server = try await FakeServer.start { [authority] connection, message in
      if connection == 1, case .query = message { return [.close] }
      return authority.answer(message)
    }
    let watch = try watch(at: server.address)
    await connected(watch)
    let events = await watch.events()
    await #expect(throws: QueryError.notConnected) { try await watch.history() }
    for await event in events { if case .connected = event { break } }
    #expect(try await watch.history().entries.count == 3)
    await watch.stop()
    await server.stop()
  }

  @Test func `only so many questions wait at once`() async throws {
    let server = try await FakeServer.start { [authority] _, message in
      if case .query = message { return [] }
      return authority.answer(message)
    }
    let watch = try watch(at: server.address)
    await connected(watch)
    let failures = await withTaskGroup(of: QueryError?.self) { group in
      for _ in 0...WatchClient.questionsMax {
        group.addTask {
          do throws(QueryError) {
            _ = try await watch.history()
            return nil
          } catch {
            return error
          }
        }
      }
      var failures: [QueryError?] = []
      for await failure in group {
        failures.append(failure)
        // The others wait for an answer that does not come.
        if failures.count == 1 { await watch.stop() }
      }
      return failures
    }
    #expect(failures.first == .tooMany(max: WatchClient.questionsMax))
    #expect(failures.dropFirst().allSatisfy { $0 == .stopped })
    await server.stop()
  }

  @Test func `a cancelled question leaves nothing, and its answer is nobody's`() async throws {
    let silent = try await FakeServer.start { [authority] _, message in
      if case .query = message { return [] }
      return authority.answer(message)
    }
    let watch = try watch(at: silent.address)
    await connected(watch)
    let asking = Task { try await watch.history() }
    var heard = silent.events.makeAsyncIterator()
    while let event = await heard.next(isolation: nil) {
      if case .message(_, .query) = event { break }
    }
    asking.cancel()
    await #expect(throws: QueryError.cancelled) { try await asking.value }
    #expect(await watch.questionsAsked == 0)
    await silent.setScript { [authority] _, message in authority.answer(message) }
    await silent.say(.page(Page(id: 1, revision: 1, answer: .refused(.gone))), to: 1)
    #expect(try await watch.history().entries.count == 3)
    await watch.stop()
    await silent.stop()
  }
}

extension WatchClient {
  /// How many questions wait.
  fileprivate var questionsAsked: Int { questions.count }
}
