public import WatchTransfer

/// What an emulated device is told about a log that is there, and about its photo.
public enum LogWord: Hashable, Sendable {
  case edit(Place, LogChange)
  case delete(Place)
  case attach(Place, file: String)
  case remove(Place)
  /// No action: writes the photo's bytes into a file.
  case fetch(Place, file: String)
  /// No action: shows what deleting the log would take away.
  case preview(Place)

  /// Which log.
  public enum Place: Hashable, Sendable {
    case log(LogID)
    /// The first of the history.
    case newest
  }

  /// Whether it can be queued without a connection.
  public var isOffline: Bool {
    switch self {
    case .edit(.log, _), .delete(.log), .remove(.log): true
    case .edit, .delete, .remove, .attach, .fetch, .preview: false
    }
  }

  /// Its forms, for a person.
  public static let forms = [
    editForm, "delete-log LOG", "attach-photo LOG FILE", "remove-photo LOG", "photo LOG > FILE",
    "preview-log LOG",
  ]

  private static let editForm =
    "edit-log LOG title|type|notes|tags|start|end|active|energy|distance VALUE"

  /// What the forms mean by their words, a line each.
  public static let notes = [
    "LOG: a log's id, which \"history\" shows, or \"newest\"; that and photos need a connection."
  ]

  /// Reads what follows `verb`; nil when the verb is none of these.
  init?(verb: String, _ words: ArraySlice<ScriptWord>) throws(ScriptError) {
    let texts = words.map(\.text)
    switch verb {
    case "edit-log":
      guard texts.count >= 2 else { throw .badForm(Self.editForm) }
      let change = try ScriptedConsistency.logChange(texts[1], words.dropFirst(2), Self.editForm)
      self = .edit(try Self.place(texts[0]), change)
    case "delete-log":
      guard texts.count == 1 else { throw .badForm("delete-log LOG") }
      self = .delete(try Self.place(texts[0]))
    case "attach-photo":
      guard texts.count == 2 else { throw .badForm("attach-photo LOG FILE") }
      self = .attach(try Self.place(texts[0]), file: texts[1])
    case "remove-photo":
      guard texts.count == 1 else { throw .badForm("remove-photo LOG") }
      self = .remove(try Self.place(texts[0]))
    case "photo":
      guard texts.count == 3, texts[1] == ">" else { throw .badForm("photo LOG > FILE") }
      self = .fetch(try Self.place(texts[0]), file: texts[2])
    case "preview-log":
      guard texts.count == 1 else { throw .badForm("preview-log LOG") }
      self = .preview(try Self.place(texts[0]))
    default: return nil
    }
  }

  private static func place(_ text: String) throws(ScriptError) -> Place {
    if text == "newest" { return .newest }
    guard let log = LogID(hex: text) else { throw .badLog(text) }
    return .log(log)
  }
}
