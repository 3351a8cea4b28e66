import Foundation
import Glibc
import TestSupport

/// What the kernel tells of other processes, proc(5).
enum Processes {
  /// Processes that `id` started and that still run.
  static func children(of id: pid_t) -> [pid_t] {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task")) ?? []
    return tasks.flatMap { task -> [pid_t] in
      let list = try? String(contentsOfFile: "/proc/\(id)/task/\(task)/children", encoding: .utf8)
      return (list ?? "").split(separator: " ").compactMap { pid_t($0) }
    }
  }

  /// Open descriptors.
  static func descriptors(of id: pid_t) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd"))?.count ?? -1
  }

  /// Processor time used so far, in milliseconds.
  static func processorMilliseconds(of id: pid_t) -> Int {
    guard let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
      // The name, in parentheses, may hold anything.
      let end = text.lastIndex(of: ")")
    else { return -1 }
    let fields = text[end...].split(separator: " ")
    // utime and stime are fields 14 and 15; the first one here is ")".
    guard fields.count > 13, let user = Int(fields[12]), let system = Int(fields[13]) else {
      return -1
    }
    return (user + system) * 1_000 / sysconf(Int32(_SC_CLK_TCK))
  }

  /// Resident memory, in KiB.
  static func residentKiB(of id: pid_t) -> Int {
    let text = try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
    let line = (text ?? "").split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? -1
  }

  /// Waits until a process that is not this one's child has ended; whether it has.
  static func waitForEnd(of id: pid_t, milliseconds: Int64) -> Bool {
    let deadline = monotonicMilliseconds() + milliseconds
    while kill(id, 0) == 0, monotonicMilliseconds() < deadline { poll(nil, 0, 20) }
    return kill(id, 0) != 0
  }
}
