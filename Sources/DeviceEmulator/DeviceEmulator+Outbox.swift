internal import CommandLineTool
internal import WatchClient
internal import WatchTransfer

/// What a person does about the outbox.
extension DeviceEmulator {
  /// Shows the outbox, or decides about an action whose outcome is unknown.
  mutating func handle(_ word: OutboxWord) async throws {
    switch word {
    case .show:
      for kept in await client.actions(newest: OutboxWord.shownMax) {
        show(
          lines.kept(
            kept.id, action: kept.action, stage: kept.stage.word, reason: kept.stage.reason))
      }
    case .release(let number):
      let new = try await client.releaseQuarantined(try await quarantined(number))
      awaited.insert(new)
      show(lines.queued(new))
    case .forget(let number):
      let id = try await quarantined(number)
      try await client.discardQuarantined(id)
      show(lines.forgotten(id))
    }
  }

  /// The oldest of that number that waits for the person.
  private func quarantined(_ number: ActionNumber) async throws -> IncarnationNumber {
    let found = await client.queued.first { $0.number == number && $0.quarantine != nil }
    guard let found else { throw OutboxError.notQuarantined(number) }
    return found.id
  }
}

extension ActionStage {
  /// Why it did not take effect, or waits.
  fileprivate var reason: String? {
    switch self {
    case .durable(.refused(let reason)): reason.word
    case .quarantined(let reason): reason.word
    case .queued, .received, .durable, .applied, .shown: nil
    }
  }
}
