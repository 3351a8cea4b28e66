import Authority
import WatchTransfer

extension SampleEvents {
  private static let hash = AttachmentHash(bytes: Array(repeating: 7, count: 32))!
  private static let moment = Instant(milliseconds: 1_000)

  static let attachments: [(event: Event, bytes: String)] = [
    (
      .attachment(.chunkStored(hash, totalBytes: 5, offset: 0, count: 5, at: moment)),
      """
      8107070707070707070707070707070707070707070707070707070707070707\
      070a000ad00f
      """
    ),
    (
      .attachment(
        .chunkStored(hash, totalBytes: 4_194_304, offset: 61_440, count: 61_440, at: moment)),
      """
      8107070707070707070707070707070707070707070707070707070707070707\
      078080800480c00780c007d00f
      """
    ),
    (
      .attachment(.uploadCompleted(hash, at: moment)),
      "820707070707070707070707070707070707070707070707070707070707070707d00f"
    ),
    (
      .attachment(.attachmentDropped(hash)),
      "830707070707070707070707070707070707070707070707070707070707070707"
    ),
    (
      .attachment(.photoAttached(log: .sample(4), hash, by: by)),
      """
      8400000000000000ab0000000000000004070707070707070707070707070707\
      070707070707070707070707070707070780897a130100000000000000110000\
      000000000022
      """
    ),
    (
      .attachment(.photoRemoved(log: .sample(4), by: by)),
      """
      8500000000000000ab000000000000000480897a130100000000000000110000\
      000000000022
      """
    ),
  ]
}
