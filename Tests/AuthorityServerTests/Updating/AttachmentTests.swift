import AuthorityLink
import Foundation
import SQLite
import Storage
import TestSupport
import Testing
import Transport
import WatchClient
import WatchTransfer
import WireFormat

@testable import AuthorityServer

/// Photos over sockets: uploaded, named, read back, through cuts, restarts and restores.
@Suite(.timeLimit(.minutes(2))) struct AttachmentTests {
  private let fixture: ServerFixture
  private let watch: TestDevice
  private let bytes: [UInt8]
  private let hash: AttachmentHash
  private let log = LogID(high: 5, low: 5)

  init() async throws {
    fixture = try await Scene.server()
    watch = try await fixture.device(.watch)
    try watch.connect()
    bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
    hash = AttachmentHash(bytes: ContentDigest.sha256(of: bytes))!
    try watch.perform(.markWorkout(log: log, workout: .title("Legs")))
  }

  private func chunk(_ range: Range<Int>) -> Chunk {
    Chunk(
      hash: hash, totalBytes: Int64(bytes.count), offset: Int64(range.lowerBound),
      bytes: Array(bytes[range]))
  }

  private func offer(_ chunk: Chunk, by device: TestDevice? = nil) throws -> ChunkState {
    let device = device ?? watch
    try device.send(.chunk(chunk))
    return try device.wait { if case .chunkState(let state) = $0 { state } else { nil } }
  }

  private func upload(by device: TestDevice? = nil) throws {
    #expect(try offer(chunk(0..<60_000), by: device).offset == 60_000)
    #expect(try offer(chunk(60_000..<100_000), by: device).isComplete)
  }

  private func ask(_ question: Question, by device: TestDevice? = nil) throws -> Page.Answer {
    let device = device ?? watch
    try device.send(.query(Query(id: 7, question: question)))
    return try device.wait { if case .page(let page) = $0 { page.answer } else { nil } }
  }

  private func read(by device: TestDevice? = nil) throws -> [UInt8]? {
    var read: [UInt8] = []
    while read.count < bytes.count {
      let question = AttachmentQuestion(hash: hash, offset: Int64(read.count), length: 40_000)
      guard case .attachment(let range) = try ask(.attachment(question), by: device) else {
        return nil
      }
      #expect(range.totalBytes == bytes.count && range.offset == read.count)
      read += range.bytes
    }
    return read
  }

  private func shown() throws -> LogPhoto? {
    guard case .history(let entries, _) = try ask(.history(HistoryQuestion())) else { return nil }
    return entries.first?.photo
  }

  @Test func `a photo is uploaded, named, shown and read back, and goes with its log`()
    async throws
  {
    #expect(
      try watch.perform(.attachPhoto(log: log, hash)).outcome == .refused(.incomplete))
    try upload()
    #expect(try watch.perform(.attachPhoto(log: log, hash)).outcome.word == "applied")
    #expect(try shown() == LogPhoto(hash: hash, totalBytes: 100_000))
    #expect(try read() == bytes)
    let phone = try await fixture.device(.phone)
    try phone.connect()
    #expect(try read(by: phone) == bytes)
    // Behind its end there is nothing; another account has none of it.
    let end = AttachmentQuestion(hash: hash, offset: 100_000)
    #expect(
      try ask(.attachment(end))
        == .attachment(AttachmentRange(hash: hash, totalBytes: 100_000, offset: 100_000, bytes: []))
    )
    #expect(
      try ask(.attachment(AttachmentQuestion(hash: hash, offset: 100_001)))
        == .refused(.notFound))
    try await fixture.addAccount("bert")
    let other = try await fixture.device(.phone, account: "bert")
    try other.connect()
    #expect(try read(by: other) == nil)
    #expect(try phone.perform(.deleteLog(log: log)).outcome.word == "applied")
    #expect(try read() == nil)
    #expect(try await fixture.check() == [])
    await fixture.stop()
    #expect(try fixture.offlineCheck() == [])
    let journal = try Data(contentsOf: URL(filePath: "\(fixture.dataPath)/journal.db"))
    #expect(journal.range(of: Data(bytes[1_000..<1_100])) == nil, "its bytes are overwritten")
  }

  @Test func `an upload goes on where it was, over cuts, restarts and devices`() async throws {
    #expect(try offer(chunk(0..<30_000)).offset == 30_000)
    watch.client?.reset()
    try await fixture.restart()
    let phone = try await fixture.device(.phone)
    try phone.connect()
    #expect(try offer(chunk(0..<0), by: phone) == ChunkState(hash: hash, offset: 30_000))
    #expect(try offer(chunk(50_000..<60_000), by: phone).refusal == .wrongOffset)
    #expect(try offer(chunk(30_000..<90_000), by: phone).offset == 90_000)
    try watch.connect()
    #expect(try offer(chunk(90_000..<100_000)).isComplete)
    #expect(try read() == bytes)
    #expect(try offer(chunk(0..<30_000)).isComplete, "offered again it is there")
    await fixture.stop()
  }

  @Test func `chunks sent one behind the other are all answered, in order`() async throws {
    let frames = stride(from: 0, to: 100_000, by: 25_000).flatMap {
      MessageEncoder().frame(.chunk(chunk($0..<$0 + 25_000)))
    }
    let ping = MessageEncoder().frame(ClientMessage.ping(Ping(nonce: 9)))
    try watch.client?.send(bytes: frames + ping)
    var states: [ChunkState] = []
    while true {
      let message = try watch.next()
      if case .chunkState(let state) = message { states.append(state) }
      if case .pong(let pong) = message, pong.nonce == 9 { break }
    }
    #expect(states.map(\.offset) == [25_000, 50_000, 75_000, 100_000])
    #expect(states.map(\.isComplete) == [false, false, false, true])
    await fixture.stop()
  }

  @Test func `what is said to be kept is on disk`() async throws {
    let held = Gate()
    fixture.faults.holdAppends { held.open() }
    try watch.send(.chunk(chunk(0..<30_000)))
    try held.wait()
    // Nobody hears of it before.
    #expect(!watch.log.contains { if case .chunkState = $0 { true } else { false } })
    fixture.faults.letAppendsGo()
    let state = try watch.wait { if case .chunkState(let state) = $0 { state } else { nil } }
    #expect(state.offset == 30_000)
    await fixture.stop()
  }

  @Test func `bytes of another hash are refused, and gone`() async throws {
    var wrong = chunk(60_000..<100_000)
    wrong.bytes[7] ^= 1
    #expect(try offer(chunk(0..<60_000)).offset == 60_000)
    #expect(try offer(wrong) == ChunkState(hash: hash, offset: 0, refusal: .mismatch))
    try upload()
    #expect(try read() == bytes)
    await fixture.stop()
  }

  @Test func `without room on the disk a chunk waits, and what is there can be read`()
    async throws
  {
    try upload()
    // More than any disk has free: a start holds acts from then on.
    fixture.limits.freeSpaceReserveBytes = 1 << 60
    try await fixture.restart()
    try watch.connect()
    let other = AttachmentHash(bytes: Array(repeating: 3, count: 32))!
    let state = try offer(Chunk(hash: other, totalBytes: 1, offset: 0, bytes: [1]))
    #expect(state.refusal == .storageUnavailable && state.retryAfterMilliseconds > 0)
    #expect(try read() == bytes)
    await fixture.stop()
  }

  @Test(arguments: [DeviceKind.widget, .activity, .health, .controller])
  func `a kind without photos that sends a chunk is sent away`(kind: DeviceKind) async throws {
    let device = try await fixture.device(kind)
    try device.connect()
    try device.send(.chunk(chunk(0..<1)))
    #expect(try device.goodbye().reason == .forbidden)
    await fixture.stop()
  }

  @Test func `a backup has the photos, and an erased account's are gone`() async throws {
    try upload()
    try watch.perform(.attachPhoto(log: log, hash))
    let backup = try await fixture.backUp(to: try fixture.backupTarget()).path
    try watch.perform(.removePhoto(log: log))
    #expect(try read() == nil)
    await fixture.stop()
    try fixture.restore(backup)
    try fixture.start()
    try watch.connect(cursor: nil)
    #expect(try read() == bytes)
    let answer = await fixture.server?.admin.perform(.eraseAccount(name: "anna"))
    guard case .done = answer else {
      Issue.record("\(answer as Any)")
      return
    }
    await fixture.stop()
    let journal = try Data(contentsOf: URL(filePath: "\(fixture.dataPath)/journal.db"))
    #expect(journal.range(of: Data(bytes[1_000..<1_100])) == nil)
  }

  @Test func `a photo whose bytes are damaged is missing, and heals when it is sent again`()
    async throws
  {
    try upload()
    try watch.perform(.attachPhoto(log: log, hash))
    await fixture.stop()
    let connection = try Connection(path: "\(fixture.dataPath)/journal.db")
    try connection.execute("UPDATE pieces SET bytes = zeroblob(60000) WHERE start = 0")
    try connection.close()
    #expect(try fixture.offlineCheck().contains { $0.contains("bytes of a photo of account") })
    try fixture.start()
    try watch.connect()
    #expect(try read() == nil)
    try watch.sync()
    #expect(try shown() == LogPhoto(hash: hash, totalBytes: nil))
    #expect(try await fixture.status().alarms.contains { $0.contains("a photo of account") })
    try upload()
    #expect(try shown() == LogPhoto(hash: hash, totalBytes: 100_000))
    #expect(try read() == bytes)
    await fixture.stop()
    #expect(try fixture.offlineCheck() == [])
  }

  @Test func `a photo that a restored server lacks is missing until its owner sends it again`()
    async throws
  {
    var link = LinkConfiguration(
      address: try SocketAddress(parsing: "unix:\(fixture.unixPath)"),
      token: try await fixture.pair(.phone))
    link.firstBackoffMilliseconds = 5
    link.backoffMaxMilliseconds = 50
    let phone = try WatchClient(
      WatchConfiguration(link: link, directory: "\(fixture.directory.path)/phone"))
    let backup = try await fixture.backUp(to: try fixture.backupTarget()).path
    let events = await phone.events()
    await phone.start()
    #expect(try await phone.upload(bytes) == hash)
    let number = try await phone.attachPhoto(hash, to: log)
    for await event in events {
      if case .receipt(let receipt) = event, receipt.number == number.number { break }
    }
    #expect(try await phone.photo(hash) == bytes)
    await fixture.stop()
    try fixture.restore(backup)
    try fixture.start()
    // The outbox offers again what it has a receipt of.
    for await event in events { if case .connected = event { break } }
    while try await phone.history().entries.first?.photo == nil { await Task.yield() }
    #expect(
      try await phone.history().entries.first?.photo == LogPhoto(hash: hash, totalBytes: nil))
    await #expect(throws: QueryError.refused(.notFound)) { try await phone.photo(hash) }
    #expect(try await phone.upload(bytes) == hash)
    #expect(try await phone.photo(hash) == bytes)
    #expect(try await phone.previewDeletion(of: log).goes.contains("Its photo"))
    await phone.stop()
    await fixture.stop()
  }
}
