import Glibc

/// Finds the export in an unpacked Apple Health archive.
///
/// The file's name follows the phone's language (`export.xml`, `eksport.xml`, `exportar.xml`), and
/// a clinical document lies beside it, so what counts is how a file begins.
public enum ExportFolder {
  /// Path of the first file, by name, whose head is that of an export; subfolders are not searched.
  ///
  /// - Throws: `fileUnreadable` if the folder or one of its XML files cannot be read;
  ///   `noExportInFolder`.
  public static func exportPath(in folder: String) throws(HealthImportError) -> String {
    for name in try names(in: folder).sorted() where name.lowercased().hasSuffix(".xml") {
      let path = folder + "/" + name
      if try isExport(path: path) { return path }
    }
    throw .noExportInFolder
  }

  /// Whether the first 64 KiB of a file hold the `<HealthData` of an export; the DTD before it has
  /// about 10.
  ///
  /// - Throws: `fileUnreadable`.
  public static func isExport(path: String) throws(HealthImportError) -> Bool {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: ImportLimits.pieceBytes, alignment: 16)
    defer { buffer.deallocate() }
    let count = try FileReading.withFile(path) { descriptor throws(HealthImportError) in
      try FileReading.read(descriptor, into: buffer)
    }
    var scanner = WorkoutScanner(markupBytesMax: ImportLimits.pieceBytes)
    let head = UnsafeRawBufferPointer(rebasing: buffer[..<count])
    while scanner.next(in: head) != nil {}
    return scanner.hasRoot
  }

  private static func names(in folder: String) throws(HealthImportError) -> [String] {
    guard let stream = opendir(folder) else { throw .fileUnreadable(errno: errno) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      names.append(name)
    }
    return names
  }
}
