import TestSupport
import WatchTransfer

// Chunks and questions for their bytes: what is wrong with one ends the connection, as with every
// envelope; what no rule takes is answered. Hashes in bodies are values.
extension BytesRow {
  private static let hash = repeated([7], 32)

  private static func chunk(
    hash: [UInt8]? = hash, total: [UInt8] = number(2, 5), offset: [UInt8] = number(3, 0),
    bytes: [UInt8] = text(4, "photo")
  ) -> [UInt8] {
    frame(blob(MessageField.chunk, (hash.map { blob(1, $0) } ?? []) + total + offset + bytes))
  }

  private static func range(
    hash: [UInt8] = hash, offset: [UInt8] = number(2, 0), length: [UInt8] = number(3, 1)
  ) -> [UInt8] {
    frame(
      blob(MessageField.query, number(1, 9) + blob(4, blob(1, hash) + offset + length)))
  }

  static let photos: [BytesRow] =
    [
      ("B1 a chunk without a hash", chunk(hash: nil)),
      ("B1 a chunk without a total", chunk(total: [])),
      ("B1 a chunk without an offset", chunk(offset: [])),
      ("B4 a chunk's hash twice", chunk(bytes: blob(1, hash))),
      ("B12 a chunk's hash of 31 bytes", chunk(hash: repeated([7], 31))),
      ("B12 a chunk's hash of 33 bytes", chunk(hash: repeated([7], 33))),
      ("B12 a chunk's hash of zeros", chunk(hash: repeated([0], 32))),
      ("B14 a chunk of 61,441 bytes", chunk(bytes: blob(4, repeated([1], 61_441)))),
      ("B15 a total of 2^53", chunk(total: number(2, 1 << 53))),
      ("B15 an offset of 2^64 - 1", chunk(offset: number(3, .max))),
      ("B12 a range's hash of 31 bytes", range(hash: repeated([7], 31))),
      ("B14 a range of 0 bytes", range(length: number(3, 0))),
      ("B14 a range of 65,537 bytes", range(length: number(3, 65_537))),
      ("B15 a range from 2^53 on", range(offset: number(2, 1 << 53))),
      (
        "B5 a preview of both",
        frame(
          blob(
            MessageField.query,
            number(1, 9) + blob(3, blob(1, repeated([7], 16)) + blob(2, repeated([7], 16)))))
      ),
    ].map { name, bytes in
      BytesRow(name, .welcomed(bytes), .goodbye(.malformed), by: envelopeRule)
    } + [
      BytesRow(
        "B14 a chunk of 61,440 bytes",
        .script {
          try refused($0, chunk(bytes: blob(4, repeated([1], 61_440))), .tooLarge)
        }),
      BytesRow(
        "B14 a photo of no bytes",
        .script {
          try refused($0, chunk(total: number(2, 0)), .tooLarge)
        }),
      BytesRow(
        "B14 a photo of 4 MiB and a byte",
        .script {
          try refused($0, chunk(total: number(2, 4_194_305)), .tooLarge)
        }),
      BytesRow(
        "B15 an offset of 2^53 - 1",
        .script {
          try refused($0, chunk(offset: number(3, 1 << 53 - 1)), .wrongOffset)
        }),
      BytesRow(
        "B12 a photo's hash of 31 bytes",
        .body(body(ActionField.attachPhoto, blob(1, id(1)) + blob(2, repeated([7], 31)))),
        .refused(.invalid(field: "content_hash"))),
      BytesRow(
        "B12 a photo without a log",
        .body(body(ActionField.attachPhoto, blob(2, hash))),
        .refused(.invalid(field: "log_id"))),
      BytesRow(
        "B12 a photo of no log", .body(body(ActionField.removePhoto, blob(1, id(1)))),
        .refused(.notFound)),
    ]

  /// The chunk is answered by a state that says why nothing of it was kept.
  private static func refused(
    _ stage: BytesStage, _ bytes: [UInt8], _ refusal: ChunkRefusal
  ) throws {
    let client = try stage.welcomed(stage.watch)
    try client.send(bytes: bytes)
    while true {
      guard case .chunkState(let state) = try client.next() else { continue }
      stage.check(state.refusal == refusal, "\(state)")
      return
    }
  }
}
