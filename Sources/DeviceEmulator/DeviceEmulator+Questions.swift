internal import CommandLineTool
internal import WatchClient
internal import WatchTransfer

/// Questions: asked page by page, printed as they come.
extension DeviceEmulator {
  /// Prints what the authority answers.
  func ask(_ question: ScriptedQuestion) async throws {
    do {
      switch question {
      case .history(let count): try await showHistory(count)
      case .trace(let question):
        show(lines.trace(try await client.streakTrace(of: question.span, policy: question.policy)))
      case .library(let equipment, let text): try await showLibrary(equipment, text)
      case .records(let name): try await showRecords(name)
      case .workouts(let text): try await showWorkouts(text)
      case .preview(let workout):
        show(lines.deletion(try await client.previewDeletion(of: try await self.workout(workout))))
      }
    } catch let error as QueryError {
      throw ToolFailure("no answer: \(error)")
    }
  }

  private func showHistory(_ count: Int) async throws {
    var left = count
    var before: HistoryKey?
    repeat {
      let page = try await client.history(
        before: before, limit: min(left, QueryLimits.historyEntries.upperBound))
      for entry in page.entries { show(lines.history(entry)) }
      left -= page.entries.count
      before = page.next
    } while before != nil && left > 0
  }

  private func showLibrary(_ equipment: Equipment?, _ text: String) async throws {
    try await everyPage(
      { try await client.exercises(named: text, equipment: equipment, after: $0) },
      take: { show(lines.exercise($0)) })
  }

  private func showWorkouts(_ text: String) async throws {
    try await everyPage(
      { try await client.workouts(named: text, after: $0) }, take: { show(lines.workout($0)) })
  }

  private func showRecords(_ name: String?) async throws {
    var exercise: ExerciseID?
    if let name {
      exercise = try await self.exercise(name)
      guard exercise != nil else {
        throw ToolFailure("no exercise \"\(printable(name))\" is in the library")
      }
    }
    try await everyPage(
      {
        let page = try await client.records(of: exercise, after: $0)
        return (page.records, page.next)
      }, take: { show(lines.record($0)) })
  }

  /// Takes every entry of a list as its pages come; `page` asks for the one behind a key.
  func everyPage<Entry, Key>(
    _ page: (Key?) async throws -> (entries: [Entry], next: Key?), take: (Entry) -> Void
  ) async throws {
    var after: Key?
    repeat {
      let (entries, next) = try await page(after)
      for entry in entries { take(entry) }
      after = next
    } while after != nil
  }
}
