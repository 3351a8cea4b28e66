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

  /// Threads.
  static func threads(of id: pid_t) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task"))?.count ?? -1
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

  /// Whether it has made a socket.
  static func hasSocket(_ id: pid_t) -> Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd")) ?? []
    return names.contains { name in
      let target = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/\(id)/fd/\(name)")
      return target?.hasPrefix("socket:") == true
    }
  }

  /// Whether the default action of a signal is off: somebody in the program looks after it.
  static func looksAfter(_ signal: Int32, _ id: pid_t) -> Bool {
    let text = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").contains { line in
      guard line.hasPrefix("SigIgn:") || line.hasPrefix("SigCgt:"),
        let mask = UInt64(line.dropFirst(7).drop { $0.isWhitespace }, radix: 16)
      else { return false }
      return mask >> UInt64(signal - 1) & 1 == 1
    }
  }

  /// Waits until something holds of another process, which nothing tells; whether it does.
  static func wait(milliseconds: Int64 = 10_000, until holds: () -> Bool) -> Bool {
    let deadline = monotonicMilliseconds() + milliseconds
    while !holds() {
      if monotonicMilliseconds() > deadline { return false }
      poll(nil, 0, 10)
    }
    return true
  }

  /// Waits until a process that is not this one's child has ended; whether it has.
  static func waitForEnd(of id: pid_t, milliseconds: Int64) -> Bool {
    wait(milliseconds: milliseconds) { kill(id, 0) != 0 }
  }
}
