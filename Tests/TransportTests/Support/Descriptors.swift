import Dispatch
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

  /// How many are open once libdispatch has opened its own, and closed what was cancelled before: a
  /// source that is made now has had its event and its cancellation by then.
  static func settledCount() throws -> Int {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let cancelled = DispatchSemaphore(value: 0)
    let source = DispatchSource.makeReadSource(
      fileDescriptor: ends[0], queue: DispatchQueue(label: "settling"))
    source.setEventHandler { source.cancel() }
    source.setCancelHandler { cancelled.signal() }
    source.activate()
    try #require(write(ends[1], [1], 1) == 1)
    cancelled.wait()
    close(ends[0])
    close(ends[1])
    return try count()
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
