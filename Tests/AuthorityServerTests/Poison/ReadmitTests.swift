import Foundation
import Storage
import TestSupport
import Testing
import WatchTransfer

@testable import AuthorityServer

@Suite struct ReadmitTests {
  private let temporary: TestSupport.TemporaryDirectory
  private let anna = AccountID(high: 1, low: 1)

  init() throws {
    temporary = try TestSupport.TemporaryDirectory()
  }

  /// A directory in which anna is set aside.
  private func directory() throws -> DataDirectory {
    let directory = try DataDirectory(path: "\(temporary.path)/data")
    var record = CrashRecord(build: 5)
    for start: UInt64 in 1...2 {
      let found = WorkFound(AccountWork(.turning, of: anna), hasCrashed: true)
      record.count(WorkMap.Found(works: [found], start: start))
    }
    try directory.replace(.crashes, with: record.encoded)
    return directory
  }

  @Test func `a readmission that cannot be written has not happened, and may be tried again`()
    throws
  {
    let directory = try directory()
    let poison = try PoisonGuard.open(in: directory, build: 5, counters: Counters())
    #expect(poison.isSetAside(anna))
    let inTheWay = "\(directory.path)/crashes.new"
    try FileManager.default.createDirectory(
      atPath: inTheWay, withIntermediateDirectories: false)
    #expect(throws: StorageError.self) { try poison.readmit(anna) }
    try FileManager.default.removeItem(atPath: inTheWay)
    #expect(try poison.readmit(anna))
    #expect(try !poison.readmit(anna))
    #expect(try PoisonGuard.notReplayed(in: directory) == NotReplayed())
  }
}
