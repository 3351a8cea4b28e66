import Foundation
import Glibc
import Testing
import WatchTransfer

@testable import Storage

@Suite("what is being done, in shared memory")
struct WorkMapTests {
  private let temporary: TemporaryDirectory
  private let act = AccountWork(
    deciding: 9, of: IncarnationID(high: 3, low: 4), bodyHash: 5,
    account: AccountID(high: 1, low: 2))

  init() throws {
    temporary = try TemporaryDirectory()
  }

  private var path: String { temporary.path + "/deciding.map" }

  @Test("a clean end leaves nothing, a sudden one what was written, of every slot")
  func found() throws {
    let directory = try temporary.locked()
    let (map, first) = try #require(try WorkMap.open(in: directory))
    #expect(first == WorkMap.Found())
    map.begin()
    let turn = AccountWork(.turning, of: AccountID(high: 7, low: 7))
    map.write(act, in: 0)
    map.write(turn, in: WorkMap.slotsMax - 1)
    map.write(act, in: 3)
    map.write(nil, in: 3)
    let (_, second) = try #require(try WorkMap.open(in: directory))
    #expect(
      second.works == [WorkFound(act, hasCrashed: false), WorkFound(turn, hasCrashed: false)])
    #expect(second.start != 0)
    // Not counted yet: still there.
    let (again, third) = try #require(try WorkMap.open(in: directory))
    #expect(third == second)
    again.begin()
    let (_, fourth) = try #require(try WorkMap.open(in: directory))
    #expect(fourth.works.isEmpty && fourth.start != second.start)
  }

  @Test("once it is released the file is empty, whatever is written still")
  func released() throws {
    let directory = try temporary.locked()
    let (map, _) = try #require(try WorkMap.open(in: directory))
    map.begin()
    let last = WorkMap.slotsMax - 1
    for slot in [0, last] { map.write(act, in: slot) }
    map.release()
    for slot in [1, last] { map.write(act, in: slot) }
    let (next, found) = try #require(try WorkMap.open(in: directory))
    #expect(found.works.isEmpty && found.start != 0)
    // Nor does it reach into what the next server writes.
    next.begin()
    next.write(act, in: last)
    map.write(nil, in: last)
    let (_, other) = try #require(try WorkMap.open(in: directory))
    #expect(other.works == [WorkFound(act, hasCrashed: false)])
  }

  @Test("a slot of which any word is another is not believed")
  func torn() throws {
    let directory = try temporary.locked()
    let (map, _) = try #require(try WorkMap.open(in: directory))
    map.begin()
    map.write(act, in: 0)
    let whole = try Data(contentsOf: URL(filePath: path))
    for word in 0..<8 {
      var bytes = whole
      bytes[64 + 8 * word] ^= 2
      try bytes.write(to: URL(filePath: path))
      let (_, found) = try #require(try WorkMap.open(in: directory))
      #expect(found.works.isEmpty, "word \(word)")
    }
    // The mark of a crash is not part of what is checked.
    var marked = whole
    marked[65] |= 1
    try marked.write(to: URL(filePath: path))
    let (_, found) = try #require(try WorkMap.open(in: directory))
    #expect(found.works == [WorkFound(act, hasCrashed: true)])
  }

  @Test("what another boot of the machine left is not believed")
  func otherBoot() throws {
    let directory = try temporary.locked()
    let (map, _) = try #require(try WorkMap.open(in: directory))
    map.begin()
    map.write(act, in: 0)
    try temporary.edit("deciding.map") { $0[8] ^= 1 }
    let (_, found) = try #require(try WorkMap.open(in: directory))
    #expect(found.works.isEmpty && !found.isDamaged)
  }

  @Test(
    "a file that is not a map is told, and made again whole", arguments: [1, 8_191, 8_192, 9_000])
  func damaged(bytes: Int) throws {
    let directory = try temporary.locked()
    try Data(repeating: 7, count: bytes).write(to: URL(filePath: path))
    let (map, found) = try #require(try WorkMap.open(in: directory))
    #expect(found == WorkMap.Found(isDamaged: true))
    map.begin()
    var facts = stat()
    #expect(stat(path, &facts) == 0 && facts.st_size == 8_192)
    map.write(act, in: 126)
    let (_, next) = try #require(try WorkMap.open(in: directory))
    #expect(next.works == [WorkFound(act, hasCrashed: false)])
  }

  @Test("something else in its place is an error, and left as it is")
  func inTheWay() throws {
    let directory = try temporary.locked()
    symlink("/dev/null", path)
    #expect(throws: StorageError.directoryUnusable(path: path, errno: ELOOP)) {
      try WorkMap.open(in: directory)
    }
    unlink(path)
    mkdir(path, 0o700)
    defer { rmdir(path) }
    #expect(throws: StorageError.directoryUnusable(path: path, errno: EISDIR)) {
      try WorkMap.open(in: directory)
    }
  }

  @Test("naming costs next to nothing")
  func cost() throws {
    let directory = try temporary.locked()
    let (map, _) = try #require(try WorkMap.open(in: directory))
    map.begin()
    let clock = ContinuousClock()
    let took = clock.measure {
      for _ in 0..<1_000_000 {
        map.write(act, in: 1)
        map.write(nil, in: 1)
      }
    }
    print("naming one act and clearing it: \(took / 1_000_000)")
    // Far below the microseconds that deciding takes, in a debug build too.
    #expect(took < .seconds(10))
  }
}
