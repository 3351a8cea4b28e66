import TestSupport
import Testing
import Transport
import WatchTransfer

@testable import AuthorityLink
@testable import WatchClient

/// Photos that are read back, over real sockets, against a scripted authority.
@Suite(.timeLimit(.minutes(1))) struct PhotoReadingTests {
  private let directory = TemporaryDirectory()
  private let authority = FakeAuthority()
  private let bytes = (0..<2_500).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
  private let hash: AttachmentHash
  /// The connection of each question, and where it began.
  private let asked = Recorder<[Int]>()

  init() throws {
    hash = try #require(AttachmentHash(bytes: ContentDigest.sha256(of: bytes)))
  }

  /// An authority with `bytes`, whose first connection ends after 1,000 of them; what it says to
  /// the second greeting is up to the test.
  private func serve(
    _ bytes: [UInt8], cuts: Bool = true, secondWelcome: [FakeServer.Answer]? = nil
  ) async throws -> FakeServer {
    try await FakeServer.start { [authority, asked] connection, message in
      switch message {
      case .hello where connection == 2 && secondWelcome != nil: return secondWelcome ?? []
      case .query(let query):
        guard case .attachment(let question) = query.question else { return [] }
        asked.append([connection, Int(question.offset)])
        if cuts, connection == 1, question.offset > 0 { return [.close] }
        let answer = FakePhotos.range(of: bytes, question)
        return [.say(.page(Page(id: query.id, revision: 1, answer: answer)))]
      default: return authority.answer(message)
      }
    }
  }

  private func connected(to server: FakeServer) async throws -> WatchClient {
    var link = LinkConfiguration(
      address: server.address, token: [UInt8](repeating: 1, count: 32))
    link.firstBackoffMilliseconds = 5
    link.backoffMaxMilliseconds = 50
    let watch = try WatchClient(
      WatchConfiguration(link: link, directory: directory.path + "/watch"))
    let events = await watch.events()
    await watch.start()
    for await event in events { if case .connected = event { break } }
    return watch
  }

  @Test func `a photo is read on over another connection`() async throws {
    let server = try await serve(bytes)
    let watch = try await connected(to: server)
    #expect(try await watch.photo(hash) == bytes)
    #expect(asked.values == [[1, 0], [1, 1_000], [2, 1_000], [2, 2_000]])
    await watch.stop()
    // Nothing was read yet: it is a question like any other.
    await #expect(throws: QueryError.stopped) { try await watch.photo(hash) }
    await server.stop()
  }

  @Test func `bytes that are not those of the hash are no photo`() async throws {
    var others = bytes
    others[1_700] ^= 1
    for wrong in [others, Array(bytes.dropLast()), bytes + [0]] {
      let server = try await serve(wrong, cuts: false)
      let watch = try await connected(to: server)
      await #expect(throws: QueryError.mismatch) { try await watch.photo(hash) }
      await watch.stop()
      await server.stop()
    }
  }

  @Test func `reading ends when the device is not wanted any more`() async throws {
    let server = try await serve(
      bytes, secondWelcome: [.say(.goodbye(Goodbye(.revoked))), .close])
    let watch = try await connected(to: server)
    await #expect(throws: QueryError.ended(Goodbye(.revoked))) { try await watch.photo(hash) }
    await #expect(throws: QueryError.ended(Goodbye(.revoked))) { try await watch.photo(hash) }
    await watch.stop()
    await server.stop()
  }

  @Test(arguments: [QueryError.cancelled, .stopped])
  func `who does not want to wait for the next connection does not have to`(end: QueryError)
    async throws
  {
    let server = try await serve(bytes, secondWelcome: [])
    let watch = try await connected(to: server)
    let reading = Task { [hash] in try await watch.photo(hash) }
    for await event in server.events { if case .message(2, _) = event { break } }
    if end == .cancelled { reading.cancel() } else { await watch.stop() }
    await #expect(throws: end) { try await reading.value }
    await watch.stop()
    await server.stop()
  }
}
