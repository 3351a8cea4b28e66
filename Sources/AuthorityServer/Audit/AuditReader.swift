internal import Foundation
internal import Glibc

/// Reads the audit log of a data directory, whether a server runs on it or not.
public enum AuditReader {
  /// Every line of both files, oldest first, without its line feed. Lines are JSON objects in
  /// ASCII; one that a loss of power has cut short is left out.
  ///
  /// - Throws: when a file is there and cannot be read.
  public static func lines(directory: String) throws -> [String] {
    guard access(directory, F_OK) == 0 else { throw NoDirectoryError(path: directory) }
    var lines: [String] = []
    for name in ["\(AuditFile.name).1", AuditFile.name] {
      let path = "\(directory)/\(name)"
      guard access(path, F_OK) == 0 else { continue }
      let bytes = try Data(contentsOf: URL(filePath: path))
      lines += bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        .filter { $0.hasPrefix("{") && $0.hasSuffix("}") }
    }
    return lines
  }
}
