import SQLite
import Testing

struct SQLiteErrorTests {
  /// Result codes by number, as https://www.sqlite.org/rescode.html lists them.
  @Test(
    "after these errors nothing can be said about the disk",
    arguments: [
      (10, .inputOutput), (1_034, .inputOutput), (778, .inputOutput), (11, .corrupt),
      (267, .corrupt), (26, .notADatabase), (8, .readOnly), (776, .readOnly), (3, .readOnly),
      (15, .other), (14, .cannotOpen), (5, .busy), (22, .other), (2, .other), (21, .other),
      (7, .other),
    ] as [(Int32, SQLiteError.Kind)])
  func fatal(code: Int32, kind: SQLiteError.Kind) {
    let error = SQLiteError(code: code, message: "", operation: "")
    #expect(error.isFatalForWriter)
    #expect(error.kind == kind)
  }

  @Test(
    "these errors leave the disk as it was",
    arguments: [
      (13, .full), (19, .constraint), (2_067, .constraint), (1, .other), (18, .other), (6, .busy),
    ] as [(Int32, SQLiteError.Kind)])
  func clean(code: Int32, kind: SQLiteError.Kind) {
    let error = SQLiteError(code: code, message: "", operation: "")
    #expect(!error.isFatalForWriter)
    #expect(error.kind == kind)
  }
}
