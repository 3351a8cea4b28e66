internal import CommandLineTool
internal import WatchClient
internal import WatchTransfer

/// Logs that are there. A photo's bytes go over the connection at once, the action that names them
/// into the outbox.
extension DeviceEmulator {
  /// The bytes of a photo that is to be attached, once the authority has them.
  func upload(_ file: String, before deadline: ContinuousClock.Instant) async throws
    -> AttachmentHash
  {
    let bytes = try PhotoFile.read(file, bytesMax: AttachmentLimits.totalBytes.upperBound)
    do {
      return try await within(deadline) { [client] in try await client.upload(bytes) }
    } catch {
      throw ToolFailure("\(printable(file)): \(error)")
    }
  }

  /// Does work that is given up at the deadline.
  private func within<Value: Sendable>(
    _ deadline: ContinuousClock.Instant, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let task = Task { try await work() }
    let alarm = Task {
      try await Task.sleep(until: deadline, clock: .continuous)
      task.cancel()
    }
    defer { alarm.cancel() }
    return try await task.value
  }

  /// The log that is meant.
  func log(at place: LogWord.Place) async throws -> LogID {
    switch place {
    case .log(let id): return id
    case .newest:
      guard await mayAsk else {
        throw ToolFailure("which log is the newest, the authority says; it has not answered")
      }
      return try await entry(at: place).key.log
    }
  }

  /// The same as the history shows it.
  private func entry(at place: LogWord.Place) async throws -> HistoryEntry {
    var before: HistoryKey?
    repeat {
      let page: (entries: [HistoryEntry], next: HistoryKey?)
      do throws(QueryError) {
        page = try await client.history(before: before)
      } catch {
        throw ToolFailure("no history: \(error)")
      }
      switch place {
      case .newest: if let newest = page.entries.first { return newest }
      case .log(let id):
        if let found = page.entries.first(where: { $0.key.log == id }) { return found }
      }
      before = page.next
    } while before != nil
    throw ToolFailure("there is no such log; \"history\" shows what there is")
  }

  /// Writes a log's photo into a file.
  func fetchPhoto(
    _ place: LogWord.Place, into file: String, before deadline: ContinuousClock.Instant
  ) async throws {
    guard let photo = try await entry(at: place).photo else {
      throw ToolFailure("the log has no photo")
    }
    guard photo.totalBytes != nil else {
      throw ToolFailure("the photo is missing; attach it again to bring it back")
    }
    let bytes: [UInt8]
    do {
      bytes = try await within(deadline) { [client] in try await client.photo(photo.hash) }
    } catch {
      throw ToolFailure("no photo: \(error)")
    }
    try PhotoFile.write(bytes, to: file)
    show(lines.photo(photo.hash, bytes: bytes.count, file: file))
  }

  /// Shows what deleting a log would take away.
  func showDeletion(of place: LogWord.Place) async throws {
    let log = try await log(at: place)
    do throws(QueryError) {
      show(lines.deletion(try await client.previewDeletion(of: log)))
    } catch {
      throw ToolFailure("no preview: \(error)")
    }
  }
}
