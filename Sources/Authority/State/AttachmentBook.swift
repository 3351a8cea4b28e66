public import WatchTransfer

/// Bytes that devices have uploaded: photos, by their SHA-256. The bytes themselves are not part of
/// the state; they are rows of the journal's database.
package struct Attachment: Sendable, Equatable {
  package let hash: AttachmentHash
  package let totalBytes: Int64
  /// From the beginning on, without a gap.
  package var storedBytes: Int64
  /// Whether all bytes are there and were compared with the hash.
  package var isComplete: Bool
  /// When the newest of them came, or when they were complete.
  package var touchedAt: Instant

  /// An attachment as it is kept.
  package init(
    hash: AttachmentHash, totalBytes: Int64, storedBytes: Int64, isComplete: Bool,
    touchedAt: Instant
  ) {
    self.hash = hash
    self.totalBytes = totalBytes
    self.storedBytes = storedBytes
    self.isComplete = isComplete
    self.touchedAt = touchedAt
  }
}

/// Which attachment is a log's photo.
package struct PhotoOfLog: Sendable, Equatable {
  package let log: LogID
  package let hash: AttachmentHash
  package var stamp: FieldStamp

  /// A photo that somebody attached.
  package init(log: LogID, hash: AttachmentHash, stamp: FieldStamp) {
    self.log = log
    self.hash = hash
    self.stamp = stamp
  }
}

/// Attachments, and the photos of logs that name them. A photo may name one that is not there: its
/// bytes are missing until they are offered again.
package struct AttachmentBook: Sendable, Equatable {
  /// In order of arrival.
  package private(set) var all: [Attachment] = []
  /// In order of log; of a log that has not come back after a restore, too.
  package private(set) var photos: [PhotoOfLog] = []
  /// How many logs show each; only looked up.
  private var shown: [AttachmentHash: Int] = [:]

  /// No attachments.
  package init() {}

  /// One by its hash.
  func find(_ hash: AttachmentHash) -> Attachment? { all.first { $0.hash == hash } }

  /// The photo of a log.
  func photo(of log: LogID) -> PhotoOfLog? {
    let position = photos.partitionIndex { $0.log < log }
    return position < photos.count && photos[position].log == log ? photos[position] : nil
  }

  /// How many logs show an attachment.
  func uses(of hash: AttachmentHash) -> Int { shown[hash] ?? 0 }

  /// What counts to the account's quota: from the first chunk on, all that an upload announced.
  var bytes: Int64 { all.reduce(0) { $0 + $1.totalBytes } }

  /// Uploads that are not complete.
  var unfinished: Int { all.count { !$0.isComplete } }

  /// Adds one behind the others.
  package mutating func add(_ attachment: Attachment) {
    if find(attachment.hash) == nil { all.append(attachment) }
  }

  /// More bytes of an attachment, which is begun when they are the first.
  mutating func store(
    _ hash: AttachmentHash, totalBytes: Int64, offset: Int64, count: Int64, at moment: Instant
  ) {
    guard let index = all.firstIndex(where: { $0.hash == hash }) else {
      if offset == 0 {
        all.append(
          Attachment(
            hash: hash, totalBytes: totalBytes, storedBytes: count, isComplete: false,
            touchedAt: moment))
      }
      return
    }
    guard all[index].storedBytes == offset, !all[index].isComplete else { return }
    all[index].storedBytes = offset + count
    all[index].touchedAt = moment
  }

  /// All bytes are there.
  mutating func complete(_ hash: AttachmentHash, at moment: Instant) {
    guard let index = all.firstIndex(where: { $0.hash == hash }) else { return }
    all[index].isComplete = true
    all[index].touchedAt = moment
  }

  /// Its bytes are gone.
  mutating func drop(_ hash: AttachmentHash) { all.removeAll { $0.hash == hash } }

  /// A log shows a photo, in place of the one before.
  package mutating func attach(_ photo: PhotoOfLog) {
    removePhoto(of: photo.log)
    photos.insert(photo, at: photos.partitionIndex { $0.log < photo.log })
    shown[photo.hash, default: 0] += 1
  }

  /// A log shows none.
  mutating func removePhoto(of log: LogID) {
    guard let photo = photo(of: log) else { return }
    photos.removeAll { $0.log == log }
    let left = uses(of: photo.hash) - 1
    shown[photo.hash] = left > 0 ? left : nil
  }

  /// The clock went back to `moment`: nothing is later than that.
  mutating func bringBack(to moment: Instant) {
    for index in all.indices { all[index].touchedAt = min(all[index].touchedAt, moment) }
    for index in photos.indices { photos[index].stamp.bringBack(to: moment) }
  }

  /// When a turn has to look for bytes that nobody wants; nil: there are none.
  var nextEnd: Instant? { all.compactMap { end(of: $0) }.min() }

  /// What nobody wants any more at `now`, the oldest first: some of it, so that one commit does not
  /// take long.
  func unwanted(at now: Instant) -> [AttachmentHash] {
    var bytes: Int64 = 0
    var hashes: [AttachmentHash] = []
    for attachment in all {
      guard let end = end(of: attachment), end <= now else { continue }
      bytes += attachment.storedBytes
      let isTooMuch = bytes > AuthorityLimits.droppedBytesMax || hashes.count == 128
      if !hashes.isEmpty, isTooMuch { break }
      hashes.append(attachment.hash)
    }
    return hashes
  }

  /// When it goes by itself: an upload that does not go on, and what no log shows.
  private func end(of attachment: Attachment) -> Instant? {
    if !attachment.isComplete {
      return attachment.touchedAt.advanced(milliseconds: AuthorityLimits.uploadIdleMilliseconds)
    }
    if uses(of: attachment.hash) > 0 { return nil }
    return attachment.touchedAt.advanced(milliseconds: AuthorityLimits.unattachedMilliseconds)
  }
}

extension AccountState {
  /// A log's photo as it is shown.
  package func shownPhoto(of log: LogID) -> LogPhoto? {
    guard let photo = attachments.photo(of: log) else { return nil }
    let known = attachments.find(photo.hash)
    return LogPhoto(
      hash: photo.hash, totalBytes: known.flatMap { $0.isComplete ? $0.totalBytes : nil })
  }

  /// Bytes of a whole attachment; nil: it is not there, or not whole.
  public func wholeBytes(of hash: AttachmentHash) -> Int64? {
    guard let known = attachments.find(hash), known.isComplete else { return nil }
    return known.totalBytes
  }
}
