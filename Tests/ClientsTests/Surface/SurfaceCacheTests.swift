import Testing
import WatchTransfer

@testable import AuthorityLink
@testable import WatchClient

/// The last state on disk: cursor and facets in one file.
struct SurfaceCacheTests {
  private let directory = TemporaryDirectory()
  private var path: String { directory.path + "/surface" }
  private var cache: SurfaceCache { SurfaceCache(path: path) }

  private func state(_ revision: Revision) -> SurfaceState {
    var state = SurfaceState.empty
    state.account = account(1)
    state.epoch = epoch(1)
    state.revision = revision
    state.facetSet = 7
    state.clockOffsetMilliseconds = -20
    for kind in [FacetKind.teams, .score] {
      state.encoded[kind] = EncodedFacet(
        kind: kind, revision: revision, content: [1, 2, UInt8(revision)])
    }
    return state
  }

  @Test func whatWasStoredIsLoadedStale() throws {
    try cache.store(state(5))
    var loaded = try #require(cache.load { _ in .teams(nil) })
    #expect(loaded.facets.count == 2)
    loaded.facets = [:]
    #expect(loaded == state(5))
    #expect(loaded.isStale)
  }

  @Test func noFileIsAnEmptyCache() {
    #expect(cache.load { _ in nil } == nil)
  }

  @Test func aBrokenFileIsAnEmptyCacheWhicheverByteIsWrong() throws {
    try cache.store(state(5))
    let whole = try #require(try DurableFile.read(path))
    for index in whole.indices {
      var damaged = whole
      damaged[index] ^= 1
      try DurableFile.replace(path, with: damaged)
      #expect(cache.load { _ in nil } == nil, "byte \(index)")
      try DurableFile.replace(path, with: Array(whole[..<index]))
      #expect(cache.load { _ in nil } == nil, "\(index) bytes")
    }
  }

  @Test func aKillWhileStoringLeavesTheOldStateWhole() throws {
    try cache.store(state(6))
    let new = try #require(try DurableFile.read(path))
    try cache.store(state(5))
    for length in 0...new.count {
      try DurableFile.replace(path + ".new", with: Array(new[..<length]))
      let loaded = try #require(cache.load { _ in nil })
      #expect(loaded.revision == 5)
      #expect(loaded.encoded[.score]?.revision == 5)
    }
  }

  @Test func aStateOfNobodyIsNotStored() throws {
    try cache.store(.empty)
    #expect(try DurableFile.read(path) == nil)
  }
}
