/// Why an import as a whole ended; what is wrong with one workout is an `ImportProblem` instead.
public enum HealthImportError: Error {
  /// The file could not be opened, read or listed; `errno` as the system gave it.
  case fileUnreadable(errno: Int32)
  /// The input holds neither a `HealthData` element nor a workout.
  case notAnExport
  /// The folder holds no file whose head is that of an export.
  case noExportInFolder
  /// There was no memory for the XML parser.
  case outOfMemory
  /// The receiver of the items threw this; nothing was read after that item.
  case receiverFailed(any Error)
}
