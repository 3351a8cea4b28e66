import Transport
import WatchTransfer

@testable import WatchClient

/// An outbox and what its program hears, against a ledger, without files and sockets.
struct Desk {
  var machine = OutboxMachine()
  var notices: [OutboxMachine.Notice] = []
  var now = moment(0)
  var lastFresh: UInt64
  var sent: [Act] = []

  init(first: UInt64 = 100) {
    lastFresh = first
    _ = machine.opened(fresh: incarnation(first))
  }

  var receipts: [Receipt] {
    notices.compactMap { if case .receipt(let receipt) = $0 { receipt } else { nil } }
  }

  mutating func submit(_ bodies: ClosedRange<Int>) {
    for number in bodies { machine.submitted(body: body(number)) }
  }

  mutating func take(_ reaction: OutboxMachine.Reaction) {
    notices += reaction.notices
    machine.synced()
  }

  /// Ends the process and starts it again with what is on disk.
  mutating func restart() {
    let records = machine.records
    machine = OutboxMachine()
    for record in records { machine.restore(record) }
    _ = machine.opened(fresh: fresh())
  }

  mutating func connect(to ledger: inout ModelLedger) {
    machine.disconnected()
    let answer = ledger.greet(machine.greeting)
    receive(.welcome(answer))
  }

  /// Connects and goes on until nothing moves any more; `cutAfter` messages the connection is lost.
  mutating func run(against ledger: inout ModelLedger, cutAfter: Int = .max) {
    connect(to: &ledger)
    var left = cutAfter
    while true {
      let acts = machine.acts(at: now)
      sent += acts
      if acts.isEmpty {
        guard let deadline = machine.deadline else { return }
        now = deadline
        continue
      }
      var answers: [ServerMessage] = []
      for act in acts {
        guard left > 0 else { return machine.disconnected() }
        left -= 1
        if let answer = ledger.receive(act) { answers.append(answer) }
      }
      for answer in answers {
        guard left > 0 else { return machine.disconnected() }
        left -= 1
        receive(answer)
      }
    }
  }

  mutating func receive(_ message: ServerMessage) {
    var last = lastFresh
    let fresh = { () -> IncarnationID in
      last += 1
      return incarnation(last)
    }
    switch message {
    case .welcome(let welcome): take(machine.received(welcome, fresh: fresh))
    case .receipt(let receipt): take(machine.received(receipt))
    case .conflict(let stored): take(machine.receivedConflict(stored, fresh: fresh))
    case .settled(let settled): take(machine.receivedSettled(settled))
    case .hold(let hold): take(machine.received(hold, at: now, fresh: fresh))
    default: break
    }
    lastFresh = last
  }

  private mutating func fresh() -> IncarnationID {
    lastFresh += 1
    return incarnation(lastFresh)
  }
}
