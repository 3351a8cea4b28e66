internal import Foundation
internal import Simulation

extension Harness {
  /// Whole client libraries, told whatever a hostile server says.
  static let talks = Harness(
    "talks", "moves of a watch's and a widget's program, and of a server that lies",
    bytesMax: 1_024,
    mutations: 150
  ) {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "wristwire-talks-\(UUID().uuidString)")
    return { bytes in
      defer { try? FileManager.default.removeItem(at: folder) }
      if let promise = try ClientTalk(bytes, folder: folder.path).run() {
        throw BrokenProperty(promise)
      }
    }
  }
}
