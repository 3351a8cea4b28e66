import Foundation
import Glibc
import TestSupport
import Testing
import WatchTransfer

/// G1, G4, G5, D17: every write of a start, of acts, of checkpoints and of a stop goes wrong, one
/// after the other. Afterwards the directory is sound, every receipt that was given is given again,
/// nothing took effect twice, and revisions have no gap.
@Suite(.serialized, .timeLimit(.minutes(60)), .enabled(if: TracedServer.isThere))
struct FaultSweepTests {
  private let folder = try! TemporaryDirectory()

  private var data: String { "\(folder.path)/data" }

  /// A call that goes wrong, and the counts that the short form looks at.
  struct Sweep: Sendable, CustomTestStringConvertible {
    let call: String
    let fault: TracedServer.Fault
    let counts: [Int]
    var onFiles = true

    init(
      _ call: String, _ fault: TracedServer.Fault, _ counts: Int..., onFiles: Bool = true
    ) {
      self.call = call
      self.fault = fault
      self.counts = counts
      self.onFiles = onFiles
    }

    var testDescription: String { "\(fault.testDescription) at \(call)" }
  }

  static let sweeps = [
    Sweep("pwrite64", .kill, 2, 13, 27, 34), Sweep("fdatasync", .kill, 3, 14, 19),
    Sweep("ftruncate", .kill, 2, 5), Sweep("sendto", .kill, 6, 12, onFiles: false),
    Sweep("pwrite64", .error("EIO"), 1, 9, 24, 31),
    Sweep("pwrite64", .error("ENOSPC"), 2, 12, 28, 36),
    Sweep("fdatasync", .error("EIO"), 1, 4, 13, 18),
    Sweep("fdatasync", .error("ENOSPC"), 2, 8, 15), Sweep("ftruncate", .error("EIO"), 1, 3),
    Sweep("ftruncate", .error("ENOSPC"), 2), Sweep("openat", .error("EIO"), 2, 5),
    Sweep("openat", .error("ENOSPC"), 1, 3), Sweep("pread64", .error("EIO"), 3, 11, 25),
    Sweep("mmap", .error("ENOMEM"), 1),
  ]

  /// What may be said of an error: nothing, if it was survived; start it again; look at it first.
  private static let statuses: Set<Int32> = [0, 1, 74]

  /// Counts of the long form: as many as there are calls, and not for ever.
  private static let countsMax = 400

  @Test(arguments: sweeps)
  func `G1 G5 what was acknowledged outlives a fault at any call`(sweep: Sweep) async throws {
    let first = try await ServeProcess(data: data)
    try await first.addAccount()
    var writers: [Writer] = []
    for index in 0..<2 {
      writers.append(Writer(index: index, account: "anna", token: try await first.pair(.watch)))
    }
    #expect(await first.end().status == 0)
    var faults = 0
    for count in isFullForm ? Array(1...Self.countsMax) : sweep.counts {
      let place = "\(sweep.testDescription) \(count)"
      // Left by a kill: there is something to recover, and a record to write.
      let (wasInjected, written) = try await run(sweep, at: count, place, writers)
      writers = written
      if wasInjected { faults += 1 }
      let check = try await wristwire("check", "--data", data)
      #expect(check.output == "ok\n", "\(place): \(check)")
      let again = try await ServeProcess(data: data)
      writers = try await writeAll(writers, to: again, steps: Steps(until: 0) {})
      try await verify(writers, on: again)
      _ = await again.end(count % 2 == 0 ? SIGKILL : SIGTERM)
      if !wasInjected { break }
    }
    print("\(sweep.testDescription): \(faults) faults, \(writers.map(\.receipts.count)) receipts")
    print("claim: faults injected into system calls of the real server: \(faults)")
  }

  /// One life of a server with a fault: a start, acts, checkpoints, a stop.
  private func run(
    _ sweep: Sweep, at count: Int, _ place: String, _ writers: [Writer]
  ) async throws -> (wasInjected: Bool, writers: [Writer]) {
    let limits = "\(folder.path)/limits"
    try write("checkpointSeconds = 1\n", to: limits)
    let traced = try await TracedServer(
      data: data, call: sweep.call, sweep.fault, at: count, onFiles: sweep.onFiles,
      arguments: ["--limits", limits])
    var written = writers
    let isAsked = Flag()
    if let server = traced.server {
      let id = traced.id
      // Once: a second signal ends it at once.
      let steps = Steps(until: 120) {
        isAsked.raise()
        if let id { kill(id, SIGTERM) }
      }
      written = try await visitAll(writers, server, steps)
    }
    let ending = try #require(await traced.end(isAsked: isAsked.isRaised))
    switch sweep.fault {
    case .kill:
      let isKilled = ending.signal == SIGKILL || ending.status == 128 + SIGKILL
      #expect(isKilled || ending.status == 0 && !traced.wasInjected, "\(place): \(ending)")
    case .error:
      #expect(Self.statuses.contains(ending.status ?? -1), "\(place): \(ending)")
      if ending.status != 0 {
        let lines = ending.errors.split(separator: "\n").filter { !$0.hasPrefix("strace: ") }
        #expect(lines.count == 1 && lines[0].hasPrefix("wristwire: "), "\(place): \(ending)")
      }
    }
    return (traced.wasInjected, written)
  }

  /// As `writeAll`, but a goodbye ends a connection as a fault does.
  private func visitAll(_ writers: [Writer], _ server: ServeProcess, _ steps: Steps) async throws
    -> [Writer]
  {
    try await withThrowingTaskGroup(of: Writer.self) { group in
      for writer in writers {
        group.addTask {
          try await onThread {
            var writer = writer
            guard let client = try? server.client(overTCP: writer.index % 2 == 0) else {
              return writer
            }
            do {
              try writer.write(client, steps: steps)
            } catch WireClient.Failure.unexpected(let what) where what.hasPrefix("goodbye") {
              return writer
            }
            return writer
          }
        }
      }
      var done: [Writer] = []
      for try await writer in group { done.append(writer) }
      return done.sorted { $0.index < $1.index }
    }
  }

  private func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
  }
}
