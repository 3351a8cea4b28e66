internal import Storage
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// What a record says, in words.
final class ReplayWords {
  private let fromClient = MessageDecoder()
  private let fromServer = MessageDecoder(limits: .fromServer)

  /// A command from outside.
  func line(_ command: OutsideCommand) -> String {
    let words =
      switch command {
      case .receive(let peer): "a socket was accepted from \(peer)"
      case .redeemed(let id, let outcome): "the code of \(id) came to \(text(outcome))"
      case .registry(.account(let account)): "account \(account.id) was added"
      case .registry(.device(let device, _)): "device \(device.id), \(device.kind.word), was paired"
      case .registry(.revoked(let device)): "device \(device) was revoked"
      case .registry(.erased(let account)): "account \(account) was erased"
      case .erase(let account): "account \(account) is to be cut off and forgotten"
      case .export(let account): "everything of account \(account) is asked for"
      case .setZone(let account, let zone): "account \(account) is to be in \(zone)"
      case .backups: "what is known of backups changed"
      case .setClock: "the test clock was set"
      case .clockWasSet(let partition): "partition \(partition) is told of the clock"
      case .whenDurable(let account): "account \(account) is wanted"
      case .mend(let account): "account \(account) is to be stored anew"
      case .importBodies(let device, let bodies):
        "\(bodies.count) workouts are imported by device \(device.id)"
      case .cut(let device): "connections of device \(device.id) are to be cut"
      }
    return "        outside: \(words)"
  }

  private func text(_ outcome: PairingDesk.Outcome) -> String {
    switch outcome {
    case .device(let device): "device \(device.id)"
    case .revoked: "a revoked device"
    case .refused: "nothing"
    case .delayed(let milliseconds): "a wait of \(milliseconds) ms"
    case .noRoom: "no room"
    case .failed: "a failure"
    }
  }

  /// An event: when and where, then what came and went. `taken` is what it took of each input.
  func lines(
    _ event: TapeEvent, number: Int, queue: String, taken: [[UInt8]]
  ) -> [String] {
    var inputs = taken.makeIterator()
    var lines: [String] = []
    var moment = ""
    for entry in event.entries {
      switch entry {
      case .wall(let milliseconds): moment = " \(Instant(milliseconds: milliseconds).rfc3339)"
      case .received(let id, let bytes):
        let frames = clientFrames(inputs.next() ?? [])
        lines.append("  < \(id) \(bytes.count) bytes")
        lines += frames.map { "  < \(id) \($0)" }
      case .now, .random, .accepts, .unsent, .backlogged, .count, .turnEnded, .consumed: break
      default: lines.append("  \(text(entry))")
      }
    }
    return ["\(number)\(moment) \(queue): \(text(event.cause))"] + lines
  }

  private func text(_ cause: TapeEvent.Cause) -> String {
    switch cause {
    case .ready: "connections are ready"
    case .tick: "tick"
    case .work(nil): "work from outside"
    case .work(let giver?): "work from queue \(giver)"
    }
  }

  /// What the core did or asked.
  func text(_ got: ReplayHead.Parting.Got?) -> String {
    switch got {
    case .did(let entry): text(entry)
    case .asked(let question): "the core asked: \(question)"
    case nil: "nothing"
    }
  }

  /// An entry.
  func text(_ entry: TapeEntry) -> String {
    switch entry {
    case .now(let value): "the monotonic clock showed \(value) ns"
    case .wall(let value): "the wall clock showed \(Instant(milliseconds: value).rfc3339)"
    case .random: "a random number was drawn"
    case .accepts(let accepts): accepts ? "acts were taken" : "there was no room for acts"
    case .adopted(let id, let stream): "\(id) was adopted: stream \(stream)"
    case .released(let id, let isDone):
      isDone ? "\(id) was handed over" : "\(id) could not be handed over"
    case .unsent(let id, let bytes): "\(id) still owed \(bytes) bytes"
    case .backlogged(let id, let isBacklogged):
      isBacklogged ? "\(id) took no more" : "\(id) took more"
    case .securing(let id, let isSecuring):
      isSecuring ? "\(id) was being secured" : "\(id) was not being secured"
    case .count(let count): "there were \(count) connections"
    case .received(let id, let bytes): "\(id) had sent \(bytes.count) bytes"
    case .endOfInput(let id): "\(id) finished its side"
    case .drained(let id): "\(id) took all it was owed"
    case .closed(let id, let reason): "\(id) was closed: \(reason)"
    case .turnEnded: "the round of the connections was over"
    case .consumed(let id, let bytes): "\(bytes) bytes of \(id) were taken"
    case .sent(let id, let frame): "> \(id) \(serverFrame(frame))"
    case .close(let id): "> \(id) is closed"
    case .closeAfterSending(let id): "> \(id) is closed once all is sent"
    case .offerAgain(let id): "\(id) has its turn again"
    case .setReading(let id, let isOn): isOn ? "\(id) is read again" : "\(id) is not read"
    }
  }

  /// How many frames stand in what the core took.
  func frames(in bytes: [UInt8]) -> Int {
    var count = 0
    eachFrame(of: bytes) { _ in count += 1 }
    return count
  }

  private func eachFrame(of bytes: [UInt8], _ body: (UnsafeRawBufferPointer) -> Void) {
    bytes.withUnsafeBytes { all in
      var position = 0
      while case .frame(let length) = scanFrame(
        UnsafeRawBufferPointer(rebasing: all[position...]), payloadBytesMax: .max / 2)
      {
        body(UnsafeRawBufferPointer(rebasing: all[position + 4..<position + 4 + length]))
        position += 4 + length
      }
    }
  }

  private func clientFrames(_ bytes: [UInt8]) -> [String] {
    var words: [String] = []
    eachFrame(of: bytes) { payload in
      do throws(WireError) {
        words.append(text(try fromClient.decodeClientMessage(payload)))
      } catch {
        words.append("unreadable frame of \(payload.count) bytes: \(error)")
      }
    }
    return words
  }

  private func text(_ message: ClientMessage) -> String {
    switch message {
    case .hello(let hello):
      return "hello: version \(hello.version), \(hello.incarnations.count) outboxes, "
        + "cursor \(hello.cursor.map { "at \($0.revision)" } ?? "none")"
    case .act(let act):
      let body: String
      do throws(BodyError) {
        body = "\(try fromClient.decodeActionBody(act.body).action)"
      } catch {
        body = "unreadable: \(error)"
      }
      return "act \(act.number) of \(act.incarnation): \(body)"
    case .resume(let cursor): return "resume after \(cursor.map { "\($0.revision)" } ?? "nothing")"
    case .fetch(let fetch): return "fetch \(fetch.view.kind.word) \(fetch.view.family.word)"
    case .pulse(let pulse): return "pulse of session \(pulse.session)"
    case .query(let query): return "query \(query.id): \(query.question)"
    case .chunk(let chunk):
      return "chunk of \(chunk.hash): \(chunk.bytes.count) bytes from \(chunk.offset) on"
    case .ping(let ping): return "ping \(ping.nonce)"
    case .pong(let pong): return "pong \(pong.nonce)"
    case .goodbye(let goodbye): return "goodbye: \(goodbye.reason.word)"
    }
  }

  private func serverFrame(_ frame: [UInt8]) -> String {
    let hash = contentHash(frame)
    let size = "\(frame.count) bytes, hash \(String(hash, radix: 16))"
    let message = frame.dropFirst(4).withUnsafeBytes { try? fromServer.decodeServerMessage($0) }
    return message.map { "\(text($0)) (\(size))" } ?? "unreadable frame (\(size))"
  }

  private func text(_ message: ServerMessage) -> String {
    switch message {
    case .welcome(let welcome):
      return "welcome at revision \(welcome.revision) as \(welcome.kind.word) \(welcome.device)"
    case .receipt(let receipt):
      return "receipt of \(receipt.number) of \(receipt.incarnation): \(receipt.outcome)"
    case .conflict(let receipt): return "conflict at \(receipt.number) of \(receipt.incarnation)"
    case .settled(let number): return "settled: \(number.number) of \(number.incarnation)"
    case .hold(let hold): return "hold of \(hold.number) of \(hold.incarnation): \(hold.reason)"
    case .update(let update):
      let facets = update.facets.map { "\($0.kind.word) \($0.revision)" }
      let readings = update.readings.map { "\($0.kind.word)" }
      let cues = update.cues.map { "cue \($0)" }
      return "update from \(update.from) to \(update.to): "
        + (facets + readings + cues).joined(separator: ", ")
    case .snapshot(let snapshot):
      return "snapshot \(snapshot.view.kind.word) \(snapshot.view.family.word) "
        + "at \(snapshot.revision)"
    case .notModified(let same): return "not modified: \(same.view.kind.word) at \(same.revision)"
    case .chunkState(let state):
      return "chunk state of \(state.hash): \(state.offset)\(state.isComplete ? ", complete" : "")"
        + (state.refusal.map { ", \($0.word)" } ?? "")
    case .page(let page): return "page \(page.id) at revision \(page.revision)"
    case .reload(let kinds): return "reload \(kinds.map(\.word).joined(separator: ", "))"
    case .ping(let ping): return "ping \(ping.nonce)"
    case .pong(let pong): return "pong \(pong.nonce)"
    case .goodbye(let goodbye): return "goodbye: \(goodbye.reason.word)"
    }
  }
}
