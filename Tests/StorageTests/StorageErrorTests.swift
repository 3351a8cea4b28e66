import Storage
import Testing

struct StorageErrorTests {
  private let errors: [StorageError] = [
    .directoryUnusable(path: "/d", errno: 2), .notADirectory(path: "/d"),
    .wrongOwner(path: "/d", owner: 5), .openToOthers(path: "/d", mode: 0o755),
    .alreadyRunning(pid: 7), .alreadyRunning(pid: nil), .notWritable(.journal, code: 14),
    .heldByAnotherProgram(.journal), .notADatabase(.journal), .corrupt(.journal, detail: "x"),
    .foreignDatabase(.journal, application: 1), .newerVersion(.journal, found: 2, known: 1),
    .logWithoutDatabase(.journal), .epochReused, .corruptRow(sequence: 4),
    .missingRow(sequence: 5), .corruptCheckpoint(account: id(1)), .tooLarge(bytes: 2, max: 1),
    .corruptAccount(id(1)), .corruptDevice(id(1)),
    .full(.journal), .logBusy(.journal), .outcomeUnknown(code: 1_034),
    .failed(.journal, code: 1), .refused(.nameTaken), .refused(.nameLength(bytes: 0)),
    .refused(.idTaken), .refused(.zoneLength(bytes: 0)), .refused(.tokenHashLength(bytes: 1)),
    .refused(.tokenTaken), .refused(.unknownAccount), .refused(.accountErased),
    .refused(.unknownDevice),
  ]

  @Test("every error is one line of its own")
  func lines() {
    let lines = errors.map(\.description)
    #expect(Set(lines).count == errors.count)
    #expect(lines.allSatisfy { !$0.isEmpty && !$0.contains("\n") })
  }

  @Test(
    "an error a start can meet says what to do",
    arguments: [
      (.wrongOwner(path: "/d", owner: 5), "run as that user"),
      (.openToOthers(path: "/d", mode: 0o755), "has mode 755; make it private with chmod 700"),
      (.notADatabase(.journal), "it was left as it is: restore a backup"),
      (.corrupt(.journal, detail: "x"), "it was left as it is: restore a backup"),
      (.newerVersion(.journal, found: 2, known: 1), "run the newer program"),
      (.full(.journal), "free some space"),
      (.directoryUnusable(path: "/d", errno: 2), "cannot use /d: No such file or directory"),
    ] as [(StorageError, String)])
  func hint(error: StorageError, words: String) {
    #expect(error.description.contains(words))
  }
}
