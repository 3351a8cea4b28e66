internal import AuthorityServer
internal import CommandLineTool
internal import Glibc
internal import Guards
internal import Storage
internal import Transport
internal import WatchTransfer

// A server with a defect, for tests:
//
//     trapping-server serve --data DIR --listen ADDRESS --unix PATH
//       [--trap PHASE/ACCOUNT/NUMBER/HOW] [--backup-to DIR]
//
// It ends where a rule or a projection would run: in PHASE, for ACCOUNT (32 hexadecimal digits),
// for action NUMBER (0: any); of a projection: where what that action changed is projected. HOW:
// trap, abort, overflow (of the stack) or kill.

/// Where to end, and how.
struct Trap: Sendable {
  let phase: AccountWork.Phase
  let account: AccountID
  let number: ActionNumber
  let how: Substring

  init?(_ text: String) {
    let parts = text.split(separator: "/")
    guard parts.count == 4,
      let phase = AccountWork.Phase.allCases.first(where: { $0.word.elementsEqual(parts[0]) }),
      let account = AccountID(hex: parts[1]), let number = ActionNumber(parts[2])
    else { return nil }
    self.phase = phase
    self.account = account
    self.number = number
    how = parts[3]
  }

  func matches(_ work: AccountWork, decided: Set<ActionNumber>) -> Bool {
    guard work.phase == phase, work.account == account else { return false }
    if number == 0 { return true }
    return work.phase == .projecting ? decided.contains(number) : work.number == number
  }

  func spring() {
    switch how {
    case "abort": abort()
    case "overflow": _ = sink(1)
    case "kill": kill(getpid(), SIGKILL)
    default: fatalError("a planted trap")
    }
  }

  /// Runs out of stack.
  private func sink(_ depth: Int) -> Int {
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { bytes in
      bytes[0] = UInt8(truncatingIfNeeded: depth)
      return sink(depth + 1) + Int(bytes[0])
    }
  }
}

/// The server's own slots, and a trap behind them.
struct TrappingSlots: WorkSlots {
  let slots: any WorkSlots
  let traps: [Trap]
  /// Of each account, the actions that were decided and are not projected yet.
  private let decided = Lock<[AccountID: Set<ActionNumber>]>([:])

  init(slots: any WorkSlots, traps: [Trap]) {
    self.slots = slots
    self.traps = traps
  }

  func write(_ work: AccountWork?, in slot: Int) {
    slots.write(work, in: slot)
    guard let work else { return }
    let decided = decided.withLock { decided in
      switch work.phase {
      case .deciding: decided[work.account, default: []].insert(work.number)
      case .projecting: return decided.removeValue(forKey: work.account) ?? []
      case .turning, .folding, .verifying: break
      }
      return []
    }
    for trap in traps where trap.matches(work, decided: decided) { trap.spring() }
  }
}

func values(of option: String) -> [String] {
  zip(CommandLine.arguments, CommandLine.arguments.dropFirst()).compactMap {
    $0 == option ? $1 : nil
  }
}

do {
  let interruption = Interruption(outlivesTerminal: true)
  let traps = values(of: "--trap").compactMap { Trap($0) }
  guard traps.count == values(of: "--trap").count else { throw ToolFailure("a bad --trap") }
  let addresses = try values(of: "--listen").map { try SocketAddress(parsing: $0) }
  let paths = try values(of: "--unix").map { try SocketAddress(parsing: "unix:\($0)") }
  let server = try AuthorityServer(
    ServerConfiguration(
      directory: values(of: "--data").first ?? "", addresses: addresses + paths, partitions: 1,
      backup: values(of: "--backup-to").first.map {
        BackupPlan(target: $0, everyMilliseconds: 86_400_000, keep: 7)
      }),
    wrapSlots: { TrappingSlots(slots: $0, traps: traps) }, onFailure: { _ in _exit(74) })
  try server.listen()
  for address in server.addresses { printLine("ready \(address)") }
  for await _ in interruption.signals { break }
  await server.stop()
} catch {
  printError("trapping-server: \(error)")
  exit(1)
}
