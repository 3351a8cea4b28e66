internal import Glibc

/// Why an import as a whole ended; what is wrong with one workout is an `ImportProblem` instead.
public enum HealthImportError: Error, CustomStringConvertible {
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

  /// One line that says what to do.
  public var description: String {
    switch self {
    case .fileUnreadable(let number):
      "the file cannot be read: \(String(cString: strerror(number)))"
    case .notAnExport:
      "this is no Apple Health export: neither a HealthData element nor a workout is in it"
    case .noExportInFolder: "no file of this folder is an Apple Health export"
    case .outOfMemory: "there is not enough memory for the XML parser"
    case .receiverFailed(let error): "\(error)"
    }
  }
}
