public import WatchTransfer

/// What an emulated device is told about the photo of a log.
public enum ScriptedPhoto: Hashable, Sendable {
  case attach(Place, file: String)
  case remove(Place)
  /// No action: writes the photo's bytes into a file.
  case fetch(Place, file: String)
  /// No action: shows what deleting the log would take away.
  case preview(Place)

  /// Whose photo.
  public enum Place: Hashable, Sendable {
    case log(LogID)
    /// The first of the history.
    case newest
  }

  /// Its forms, for a person.
  public static let forms = [
    "attach-photo LOG FILE", "remove-photo LOG", "photo LOG > FILE", "preview-log LOG",
  ]

  /// What the forms mean by their words, a line each.
  public static let notes = [
    "LOG: a log's id, which \"history\" shows, or \"newest\". Photos need a connection."
  ]

  /// Reads what follows `verb`; nil when the verb is none of these.
  init?(verb: String, _ words: ArraySlice<ScriptWord>) throws(ScriptError) {
    let texts = words.map(\.text)
    switch verb {
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
