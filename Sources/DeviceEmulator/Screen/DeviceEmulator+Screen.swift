internal import AuthorityLink
internal import CommandLineTool
internal import WatchClient
internal import WatchTransfer

/// The watch on a terminal: the loop between keys, the client and the screen.
extension DeviceEmulator {
  /// Shows the screen until the person quits; how the program ends.
  mutating func showScreen(on terminal: Terminal) async throws -> ExitStatus {
    var screen = WatchScreen()
    var scene = WatchScene(now: clock.now().wall)
    var keys = KeyReader()
    var shown: [WatchScreen.Line] = []
    happenings.feed(from: terminal)
    awaited = Set(await waiting())
    if options.isOffline {
      scene.link = .offline
    } else {
      scene.link = .connecting(nil)
      await client.start()
    }
    while true {
      await refresh(&scene)
      let size = terminal.size
      let lines = screen.lines(of: scene, columns: size.columns, rows: size.rows)
      if lines != shown { terminal.show(lines) }
      shown = lines
      switch await happenings.next() {
      case .event(let event): await note(event, in: &scene)
      case .input(.keys(let bytes)):
        for key in keys.read(bytes) {
          await refresh(&scene)
          scene.message = ""
          guard let wish = screen.pressed(key, over: scene) else { continue }
          if wish == .quit { return .ok }
          await grant(wish, in: &scene)
        }
      case .input(.resized): shown = []
      case .input(.tick), .alarm: break
      case .input(.ended): return .ok
      case .clientEnded: return .failed
      case .interrupted(let signal): return .interrupted(by: signal)
      }
    }
  }

  private func refresh(_ scene: inout WatchScene) async {
    let state = await client.state
    let counts = await client.outboxCounts
    scene.isStale = state.isStale
    scene.revision = state.revision
    scene.facets = state.facets
    scene.readings = state.readings
    scene.now = state.correctedNow(clock.now())
    scene.queued = counts.queued
    scene.received = counts.received
    scene.quarantined = counts.quarantined
    scene.kept = await client.actions(newest: OutboxWord.shownMax).map { kept in
      WatchScene.Kept(
        id: kept.id, kind: kept.action?.kindWord ?? "unreadable", stage: kept.stage.word,
        isQuarantined: kept.quarantine != nil)
    }
  }

  private mutating func note(_ event: WatchEvent, in scene: inout WatchScene) async {
    switch event {
    case .receipt(let receipt):
      awaited.remove(IncarnationNumber(incarnation: receipt.incarnation, number: receipt.number))
      if case .applied = receipt.outcome { return }
      scene.message = lines.receipt(receipt).joined()
    case .quarantined(let id, let reason):
      scene.message = lines.quarantined(id, reason: reason.word).joined()
    case .connected:
      notePairing { try $0.welcomed(credential) }
      scene.link = .connected
    case .disconnected(let failure):
      if scene.link != .offline { scene.link = .connecting(failure.word) }
    case .ended(let goodbye):
      scene.link = .ended(goodbye.reason.word)
      scene.message = text(of: goodbye)
    case .failed(let error):
      scene.link = .ended("outbox")
      scene.message = "\(error)"
    case .update, .stage, .movedToNewIncarnation: break
    }
  }

  private mutating func grant(_ wish: ScreenWish, in scene: inout WatchScene) async {
    do {
      switch wish {
      case .quit: break
      case .tell(let text): scene.message = text
      case .toggleOffline:
        if scene.link == .offline {
          scene.link = .connecting(nil)
          await client.start()
        } else {
          scene.link = .offline
          await client.disconnect()
        }
      case .act(let scripted):
        // What the person sees, not what is on its way: another device may have been faster.
        let number = try await queue(scripted, match: scene.match, scene: scene.strength)
        scene.message = lines.queued(number).joined()
      case .release(let id):
        let new = try await client.releaseQuarantined(id)
        awaited.insert(new)
        scene.message = lines.queued(new).joined()
      case .forget(let id):
        try await client.discardQuarantined(id)
        scene.message = lines.forgotten(id).joined()
      }
    } catch {
      scene.message = "\(error)"
    }
  }
}
