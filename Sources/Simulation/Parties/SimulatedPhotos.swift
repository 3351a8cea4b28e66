internal import Storage
internal import WatchTransfer

/// Few photos, so that those of several devices meet: of one byte, of one chunk, of several.
enum SimulatedPhotos {
  /// All of them, with their hashes.
  static let all: [(hash: AttachmentHash, bytes: [UInt8])] = [1, 700, 61_441, 130_000].compactMap {
    count in
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ count) }
    return AttachmentDigest.hash(of: bytes).map { ($0, bytes) }
  }

  /// The bytes of one.
  static func bytes(of hash: AttachmentHash) -> [UInt8]? {
    all.first { $0.hash == hash }?.bytes
  }
}
