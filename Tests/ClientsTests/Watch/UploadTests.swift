import Glibc
import TestSupport
import Testing
import Transport
import WatchTransfer
import WireFormat

@testable import AuthorityLink
@testable import WatchClient

/// Uploads of a whole watch, over real sockets, against a scripted authority.
@Suite(.timeLimit(.minutes(1))) struct UploadTests {
  private let directory = TemporaryDirectory()
  private let authority = FakeAuthority()
  private let photos = FakePhotos()
  private let bytes = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
  private let hash: AttachmentHash
  private let seen = Recorder<Chunk>()

  init() throws {
    hash = try #require(AttachmentHash(bytes: ContentDigest.sha256(of: bytes)))
  }

  /// An authority that answers chunks as `answer` says, told how many it was sent.
  private func serve(
    frameBytesMax: UInt32 = 65_536,
    _ answer: @escaping @Sendable (Int, Chunk) -> [FakeServer.Answer]
  ) async throws -> FakeServer {
    try await FakeServer.start { [authority, seen] _, message in
      switch message {
      case .hello: return [.say(.welcome(welcome(frameBytesMax: frameBytesMax)))]
      case .chunk(let chunk):
        seen.append(chunk)
        if MessageEncoder().frame(message).count - FrameLimits.prefixBytes > frameBytesMax {
          return [.say(.goodbye(Goodbye(.frameTooLarge))), .close]
        }
        return answer(seen.values.count, chunk)
      default: return authority.answer(message)
      }
    }
  }

  private func watch(at server: FakeServer) throws -> WatchClient {
    var link = LinkConfiguration(
      address: server.address, token: [UInt8](repeating: 1, count: 32))
    link.firstBackoffMilliseconds = 5
    link.backoffMaxMilliseconds = 50
    return try WatchClient(WatchConfiguration(link: link, directory: directory.path + "/watch"))
  }

  /// How many times was asked how far the upload is.
  private var asks: Int { seen.values.count { $0.bytes.isEmpty } }

  /// An upload whose first chunk has come to the authority.
  private func begun(
    _ watch: WatchClient, _ server: FakeServer
  ) async -> Task<AttachmentHash, any Error> {
    let upload = Task { [bytes] in try await watch.upload(bytes) }
    await server.nextChunk()
    return upload
  }

  private func end(_ watch: WatchClient, _ server: FakeServer) async {
    await watch.stop()
    await server.stop()
  }

  @Test func `Welcome with a small frame limit after the upload began`() async throws {
    let server = try await serve(frameBytesMax: 1_024) { [photos] _, chunk in
      photos.answer(chunk)
    }
    let watch = try watch(at: server)
    async let uploaded = watch.upload(bytes)
    while await watch.askers.isEmpty { await Task.yield() }
    await watch.start()
    #expect(try await uploaded == hash)
    #expect(asks == 1)
    #expect(seen.values.allSatisfy { $0.bytes.count <= 1_024 - 64 })
    await end(watch, server)
  }

  @Test func `without room on the disk it waits, and goes on`() async throws {
    let server = try await serve { [photos] count, chunk in
      guard count == 1 || count == 5 else { return photos.answer(chunk) }
      var state = ChunkState(hash: chunk.hash, offset: 0, refusal: .storageUnavailable)
      state.retryAfterMilliseconds = 20
      return [.say(.chunkState(state))]
    }
    photos.put(Array(bytes.prefix(10)), as: hash)
    let watch = try watch(at: server)
    await watch.start()
    #expect(try await watch.upload(bytes) == hash)
    #expect(seen.values.map(\.bytes.count) == [0, 0, 4_990])
    photos.put([], as: hash)
    // In the middle of an upload, too.
    #expect(try await watch.upload(bytes) == hash)
    #expect(seen.values.map(\.bytes.count) == [0, 0, 4_990, 0, 5_000, 0, 5_000])
    await end(watch, server)
  }

  @Test func `wrong bytes that another device sent are replaced`() async throws {
    let server = try await serve { [photos] _, chunk in photos.answer(chunk) }
    photos.put([UInt8](repeating: 0, count: 4_000), as: hash)
    let watch = try watch(at: server)
    await watch.start()
    #expect(try await watch.upload(bytes) == hash)
    #expect(seen.values.map(\.offset) == [0, 4_000, 0])
    await end(watch, server)
  }

  @Test func `bytes that are wrong twice are given up`() async throws {
    let server = try await serve { _, chunk in
      [.say(.chunkState(ChunkState(hash: chunk.hash, offset: 0, refusal: .mismatch)))]
    }
    let watch = try watch(at: server)
    await watch.start()
    await #expect(throws: UploadError.refused(.mismatch)) { try await watch.upload(bytes) }
    await end(watch, server)
  }

  @Test(arguments: [Goodbye.Reason.unauthenticated, .revoked, .forbidden, .codeRefused])
  func `an upload ends with the device's rights, and goes again when it is started again`(
    reason: Goodbye.Reason
  ) async throws {
    let server = try await serve { [photos] count, chunk in
      count == 1 ? [.say(.goodbye(Goodbye(reason))), .close] : photos.answer(chunk)
    }
    let watch = try watch(at: server)
    await watch.start()
    for _ in 1...2 {
      await #expect(throws: UploadError.ended(Goodbye(reason))) { try await watch.upload(bytes) }
    }
    #expect(seen.values.count == 1)
    await watch.disconnect()
    await watch.start()
    #expect(try await watch.upload(bytes) == hash)
    await end(watch, server)
  }

  @Test func `an upload of a connection that was replaced waits for the next one`() async throws {
    let server = try await serve { _, _ in [.say(.goodbye(Goodbye(.replaced))), .close] }
    let watch = try watch(at: server)
    let events = await watch.events()
    await watch.start()
    let upload = Task { [bytes] in try await watch.upload(bytes) }
    for await event in events { if case .ended = event { break } }
    #expect(await watch.askers.count == 1)
    await watch.cancelUploads()
    await #expect(throws: UploadError.cancelled) { try await upload.value }
    await end(watch, server)
  }

  @Test func `an upload ends when the outbox breaks`() async throws {
    let server = try await FakeServer.start { [authority] _, message in
      switch message {
      case .chunk: []
      case .act(let act):
        [
          .say(
            .conflict(
              Receipt(
                incarnation: act.incarnation, number: act.number, outcome: .applied(2))))
        ]
      default: authority.answer(message)
      }
    }
    let watch = try watch(at: server)
    await watch.start()
    let upload = await begun(watch, server)
    // Its file cannot be written anew any more.
    #expect(rename(directory.path + "/watch", directory.path + "/away") == 0)
    _ = try await watch.setGoal("steps", to: 1)
    await #expect(throws: UploadError.broken) { try await upload.value }
    await #expect(throws: UploadError.broken) { try await watch.upload(bytes) }
    await end(watch, server)
  }

  @Test func `a stopped client uploads nothing`() async throws {
    let server = try await serve { _, _ in [] }
    let watch = try watch(at: server)
    await watch.start()
    let upload = await begun(watch, server)
    await watch.stop()
    await #expect(throws: UploadError.stopped) { try await upload.value }
    await #expect(throws: UploadError.stopped) { try await watch.upload(bytes) }
    #expect(await watch.askers.isEmpty)
    await server.stop()
  }

  @Test func `a cancelled upload leaves nothing once its last chunk is answered`() async throws {
    let server = try await serve { _, _ in [] }
    let watch = try watch(at: server)
    await watch.start()
    let upload = await begun(watch, server)
    upload.cancel()
    await #expect(throws: UploadError.cancelled) { try await upload.value }
    await server.say(.chunkState(ChunkState(hash: hash, offset: 0)), to: 1)
    while await !watch.askers.isEmpty { await Task.yield() }
    #expect(seen.values.count == 1)
    // Without a connection there is nothing to wait for.
    await watch.disconnect()
    let offline = Task { [bytes] in try await watch.upload(bytes) }
    while await watch.askers.isEmpty { await Task.yield() }
    offline.cancel()
    await #expect(throws: UploadError.cancelled) { try await offline.value }
    #expect(await watch.askers.isEmpty)
    await end(watch, server)
  }

  @Test func `a photo that is asked for again after a cancel is asked about once`() async throws {
    let server = try await serve { [photos] count, chunk in count == 1 ? [] : photos.answer(chunk) }
    let watch = try watch(at: server)
    await watch.start()
    let first = await begun(watch, server)
    first.cancel()
    await #expect(throws: UploadError.cancelled) { try await first.value }
    async let second = watch.upload(bytes)
    while await watch.askers[hash] != 1 { await Task.yield() }
    await server.say(.chunkState(ChunkState(hash: hash, offset: 0)), to: 1)
    #expect(try await second == hash)
    #expect(seen.values.map(\.bytes.count) == [0, 5_000])
    await end(watch, server)
  }

  @Test func `two uploads of the same bytes are one, which outlives one of them`() async throws {
    let server = try await serve { [photos] count, chunk in count == 1 ? [] : photos.answer(chunk) }
    let watch = try watch(at: server)
    await watch.start()
    let first = await begun(watch, server)
    let others = (0..<2).map { _ in Task { [bytes] in try await watch.upload(bytes) } }
    while await watch.askers[hash] != 3 { await Task.yield() }
    first.cancel()
    await #expect(throws: UploadError.cancelled) { try await first.value }
    await server.say(.chunkState(ChunkState(hash: hash, offset: 0)), to: 1)
    for other in others { #expect(try await other.value == hash) }
    #expect(seen.values.map(\.bytes.count) == [0, 5_000])
    #expect(await watch.askers.isEmpty)
    await end(watch, server)
  }

  @Test func `only so many photos wait at once, and none without bytes`() async throws {
    let server = try await serve { _, _ in [] }
    let watch = try watch(at: server)
    let waiting = (0..<WatchClient.uploadsMax).map { index in
      // The last two are the same.
      Task { try await watch.upload([UInt8(min(index, WatchClient.uploadsMax - 2))]) }
    }
    while await watch.askers.values.reduce(0, +) != waiting.count {
      await Task.yield()
    }
    await #expect(throws: UploadError.tooMany(max: WatchClient.uploadsMax)) {
      try await watch.upload(bytes)
    }
    await #expect(throws: UploadError.size(bytes: 0, max: 4_194_304)) { try await watch.upload([]) }
    await watch.cancelUploads()
    for upload in waiting {
      await #expect(throws: UploadError.cancelled) { try await upload.value }
    }
    await end(watch, server)
  }

  @Test func `every error says what it is in one line`() {
    let errors: [UploadError] = [
      .size(bytes: 0, max: 4), .tooMany(max: 4), .refused(.quota), .ended(Goodbye(.revoked)),
      .broken, .cancelled, .stopped, .unexpected,
    ]
    #expect(Set(errors.map(\.description)).count == errors.count)
    #expect(errors.allSatisfy { !$0.description.contains("\n") })
  }
}

extension FakeServer {
  /// Waits for the next chunk.
  fileprivate func nextChunk() async {
    for await event in events { if case .message(_, .chunk) = event { return } }
  }
}

extension WatchClient {
  /// How many wait for each upload.
  fileprivate var askers: [AttachmentHash: Int] { uploads.mapValues(\.waiting.count) }
}
