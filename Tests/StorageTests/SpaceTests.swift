import Glibc
import Storage
import Testing

struct SpacePolicyTests {
  private let policy = SpacePolicy(
    reserveBytes: 100, marginBytes: 20, ballastBytes: 50, startBytesMin: 30)

  @Test("the defaults are the limits of the layer")
  func defaults() {
    #expect(
      SpacePolicy()
        == SpacePolicy(
          reserveBytes: 64 << 20, marginBytes: 16 << 20, ballastBytes: 32 << 20,
          startBytesMin: 16 << 20))
  }

  @Test(
    "a start needs room, and gives the ballast up for it",
    arguments: [
      (30, 0, .start), (1_000, 50, .start), (29, 50, .freeBallastAndStart),
      (0, 30, .freeBallastAndStart), (0, 29, .refuse(freeBytes: 0, neededBytes: 30)),
      (29, 0, .refuse(freeBytes: 29, neededBytes: 30)),
    ] as [(Int64, Int64, SpacePolicy.StartDecision)])
  func start(free: Int64, ballast: Int64, decision: SpacePolicy.StartDecision) {
    #expect(policy.start(freeBytes: free, heldBallastBytes: ballast) == decision)
  }

  @Test(
    "acts are held under the reserve and taken again above it",
    arguments: [
      (100, false, true), (99, false, false), (0, false, false), (119, true, false),
      (120, true, true),
    ] as [(Int64, Bool, Bool)])
  func acts(free: Int64, areHeld: Bool, accepts: Bool) {
    #expect(policy.acceptsActs(freeBytes: free, areHeld: areHeld) == accepts)
  }

  @Test(
    "the ballast is made from room that acts do not need",
    arguments: [
      (170, 0, true), (169, 0, false), (130, 40, true), (129, 40, false), (1_000, 50, false),
      (1_000, 60, false),
    ] as [(Int64, Int64, Bool)])
  func ballast(free: Int64, held: Int64, makes: Bool) {
    #expect(policy.makesBallast(freeBytes: free, heldBallastBytes: held) == makes)
  }

  @Test("a ballast of nothing is never made")
  func none() {
    let policy = SpacePolicy(ballastBytes: 0)
    #expect(!policy.makesBallast(freeBytes: .max, heldBallastBytes: 0))
  }
}

struct BallastTests {
  let temporary: TemporaryDirectory
  let ballast: Ballast

  init() throws {
    temporary = try TemporaryDirectory()
    ballast = Ballast(in: try temporary.locked())
  }

  @Test("it takes up real room, and gives it back")
  func make() throws {
    #expect(try ballast.heldBytes() == 0)
    #expect(try ballast.make(bytes: 1 << 20) == .made)
    #expect(try ballast.heldBytes() == 1 << 20)
    try ballast.free()
    #expect(try ballast.heldBytes() == 0)
    try ballast.free()
  }

  @Test("a file that only claims its size holds nothing, and is made whole")
  func sparse() throws {
    try temporary.write("ballast", [])
    truncate(temporary.path + "/ballast", 1 << 20)
    #expect(try ballast.heldBytes() == 0)
    #expect(try ballast.make(bytes: 1 << 20) == .made)
    #expect(try ballast.heldBytes() == 1 << 20)
  }

  @Test("more than the disk has is no room, and leaves no file")
  func noRoom() throws {
    #expect(try ballast.make(bytes: 1 << 60) == .noRoom)
    #expect(!temporary.names().contains("ballast"))
  }

  @Test("a ballast of nothing traps")
  func misuse() async {
    await #expect(processExitsWith: .failure) {
      _ = try Ballast(in: TemporaryDirectory().locked()).make(bytes: 0)
    }
  }

  @Test("something else in its place is an error")
  func inTheWay() throws {
    let path = temporary.path + "/ballast"
    mkdir(path, 0o700)
    defer { rmdir(path) }
    #expect(throws: StorageError.directoryUnusable(path: path, errno: EISDIR)) {
      try ballast.make(bytes: 1)
    }
    #expect(throws: StorageError.directoryUnusable(path: path, errno: EISDIR)) {
      try ballast.free()
    }
  }
}

struct FreeSpaceTests {
  let temporary: TemporaryDirectory
  let directory: DataDirectory
  private let policy = SpacePolicy(
    reserveBytes: 1_000_000, marginBytes: 1_000, ballastBytes: 8_192, startBytesMin: 10_000)

  init() throws {
    temporary = try TemporaryDirectory()
    directory = try temporary.locked()
  }

  private func space(_ freeBytes: Int64...) -> FreeSpace {
    let answers = Answers(freeBytes)
    return FreeSpace(of: directory, policy: policy, measuredBy: { _ in answers.next() })
  }

  @Test("the disk's free bytes are read")
  func measure() throws {
    let bytes = try FreeSpace.bytes(of: directory)
    #expect(bytes > 0)
    #expect(bytes < 1 << 60)
  }

  @Test("a directory that is gone is an error")
  func gone() throws {
    let path = temporary.path + "/gone"
    let directory = try DataDirectory(path: path)
    unlink(path + "/lock")
    rmdir(path)
    #expect(throws: StorageError.directoryUnusable(path: path, errno: ENOENT)) {
      try FreeSpace.bytes(of: directory)
    }
  }

  @Test("a look says whether acts are taken, and when that changed")
  func looks() throws {
    var space = space(2_000_000, 999_999, 1_000_500, 1_001_000)
    var accepts: [Bool] = []
    var changed: [Bool] = []
    for _ in 0..<4 {
      let reading = try space.look()
      accepts.append(reading.acceptsActs)
      changed.append(reading.changed)
    }
    #expect(accepts == [true, false, false, true])
    #expect(changed == [false, true, false, true])
  }

  @Test("something else in the ballast's place does not make the watch blind")
  func blind() throws {
    mkdir(directory.path + "/ballast", 0o700)
    defer { rmdir(directory.path + "/ballast") }
    let policy = SpacePolicy(
      reserveBytes: 100, marginBytes: 10, ballastBytes: 4_096, startBytesMin: 0)
    var free = FreeSpace(of: directory, policy: policy) { _ in 1 << 40 }
    var full = FreeSpace(of: directory, policy: policy) { _ in 5 }
    let accepts = try [free.look().acceptsActs, full.look().acceptsActs]
    #expect(accepts == [true, false])
  }

  @Test("a start without room frees the ballast; a look with room makes it again")
  func ballast() throws {
    var space = space(2_000_000, 20_000, 5_000, 1_000_000, 2_000_000)
    _ = try space.look()
    #expect(try Ballast(in: directory).heldBytes() == 8_192)
    try space.prepareStart()
    #expect(try Ballast(in: directory).heldBytes() == 8_192)
    try space.prepareStart()
    #expect(try Ballast(in: directory).heldBytes() == 0)
    _ = try space.look()
    #expect(try Ballast(in: directory).heldBytes() == 0)
    _ = try space.look()
    #expect(try Ballast(in: directory).heldBytes() == 8_192)
  }

  @Test("a start without room and without ballast is refused")
  func refused() {
    #expect(throws: StorageError.full(.journal)) { try space(9_999).prepareStart() }
  }
}
