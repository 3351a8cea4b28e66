import Glibc
import Testing

@testable import Transport

/// The descriptors of this process.
enum Descriptors {
  /// How many are open.
  static func count() throws -> Int {
    let directory = try #require(opendir("/proc/self/fd"))
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    return count
  }

  /// How many are open once that has not changed for 50 ms: a process that has just begun still
  /// opens and closes some of its own.
  static func settledCount() throws -> Int {
    var last = try count()
    var steady = 0
    while steady < 10 {
      usleep(5_000)
      let now = try count()
      steady = now == last ? steady + 1 : 0
      last = now
    }
    return last
  }

  /// Lowers the soft limit to just above what is open, fills what is left, and returns so many
  /// fillers that closing each makes room for one descriptor.
  static func exhaust() throws -> [Int32] {
    let probe = try #require(dup(0) as Int32?)
    close(probe)
    try DescriptorLimit.set(soft: UInt64(try count()) + 8)
    var fillers: [Int32] = []
    while true {
      let filler = open("/dev/null", O_RDONLY | O_CLOEXEC)
      if filler < 0 { break }
      fillers.append(filler)
    }
    return fillers
  }
}
