import Glibc
import Testing

@testable import HealthImport

struct MemoryTests {
  @Test(.timeLimit(.minutes(1)))
  func `XML-07: an export of 120 MB is read, in memory that does not grow with it`() throws {
    let record = "<Record type=\"HKQuantityTypeIdentifierStepCount\" value=\"1\"/>\n"
    let chunk = Array((String(repeating: record, count: 17_000) + element()).utf8)
    let chunks = 120_000_000 / chunk.count + 1
    var parser = try ExportParser(limits: ImportLimits())
    let before = peakKibibytes()
    for _ in 0..<chunks {
      try chunk.withUnsafeBytes { bytes in try parser.feed(bytes) { _ in } }
    }
    let counts = try parser.finish { _ in }
    #expect(counts.workouts == chunks)
    #expect(counts.bytes > 120_000_000)
    // Other tests run beside this one; reading it whole would still show.
    #expect(peakKibibytes() - before < 65_536)
  }

  private func peakKibibytes() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss
  }
}
