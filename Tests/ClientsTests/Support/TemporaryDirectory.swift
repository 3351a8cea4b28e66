import Glibc

@testable import AuthorityLink

/// A directory that goes with its value.
final class TemporaryDirectory: Sendable {
  let path: String

  init() {
    var template = Array("/tmp/wristwire-clients-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { buffer in
      guard let made = mkdtemp(buffer.baseAddress!) else { fatalError("mkdtemp") }
      return String(cString: made)
    }
  }

  deinit { Self.remove(path) }

  /// The files below, by their path from here, with their bytes.
  func files(below folder: String = "") -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    let full = folder.isEmpty ? path : path + "/" + folder
    guard let stream = opendir(full) else { return [:] }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name == "." || name == ".." { continue }
      let relative = folder.isEmpty ? name : folder + "/" + name
      var status = stat()
      _ = lstat(path + "/" + relative, &status)
      if status.st_mode & S_IFMT == S_IFDIR {
        found.merge(files(below: relative)) { first, _ in first }
      } else if status.st_mode & S_IFMT == S_IFREG {
        found[relative] = try? DurableFile.read(path + "/" + relative)
      }
    }
    return found
  }

  /// Puts files as they were elsewhere.
  func put(_ files: [String: [UInt8]]) throws {
    for (name, bytes) in files {
      let full = path + "/" + name
      if let slash = full.lastIndex(of: "/") {
        try DurableFile.makeDirectory(String(full[..<slash]))
      }
      try DurableFile.replace(full, with: bytes)
    }
  }

  private static func remove(_ path: String) {
    if let stream = opendir(path) {
      while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != "." && name != ".." { remove(path + "/" + name) }
      }
      closedir(stream)
    }
    if rmdir(path) != 0 { unlink(path) }
  }
}

/// How many descriptors this process has open on what `prefix` begins the name of.
func openDescriptors(under prefix: String) -> Int {
  guard let stream = opendir("/proc/self/fd") else { return -1 }
  defer { closedir(stream) }
  var count = 0
  while let entry = readdir(stream) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    var target = [CChar](repeating: 0, count: 1_024)
    let length = readlink("/proc/self/fd/" + name, &target, target.count - 1)
    guard length > 0 else { continue }
    let text = target.prefix(length).map { UInt8(bitPattern: $0) }
    if String(decoding: text, as: UTF8.self).hasPrefix(prefix) { count += 1 }
  }
  return count
}
