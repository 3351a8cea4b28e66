internal import WatchTransfer

extension Decider {
  /// Gives a log its photo, whose bytes must be there; one that is offered again after a restore is
  /// the log's photo although they are missing, and although the log itself is.
  func attachPhoto(_ log: LogID, _ hash: AttachmentHash) throws(Rejection) -> [Event] {
    try requireLog(log)
    if let photo = state.attachments.photo(of: log) {
      guard photo.hash == hash else { throw .refused(.limit(of: "photos")) }
      return []
    }
    try requireRoom(state.attachments.photos.count, AuthorityLimits.photosMax, of: "photos")
    if state.wholeBytes(of: hash) == nil, !context.isReoffered { throw .refused(.incomplete) }
    return [.attachment(.photoAttached(log: log, hash, by: by))]
  }

  /// Takes a log's photo away, and its bytes unless another log shows them.
  func removePhoto(_ log: LogID) throws(Rejection) -> [Event] {
    try requireLog(log)
    guard let photo = state.attachments.photo(of: log) else { throw .refused(.notFound) }
    try requireWinner(wins(over: photo.stamp))
    return removalOfPhoto(of: log)
  }

  /// What goes with a log that goes: its photo, and the bytes unless another log shows them.
  func removalOfPhoto(of log: LogID) -> [Event] {
    guard let photo = state.attachments.photo(of: log) else { return [] }
    var events = [Event.attachment(.photoRemoved(log: log, by: by))]
    // An upload that is under way is not the log's.
    if state.attachments.uses(of: photo.hash) == 1, state.wholeBytes(of: photo.hash) != nil {
      events.append(.attachment(.attachmentDropped(photo.hash)))
    }
    return events
  }

  private func requireLog(_ id: LogID) throws(Rejection) {
    if state.log(id) != nil { return }
    switch state.thing(id) {
    case .gone(.log), .gone(.session): throw .refused(.gone)
    case nil where context.isReoffered: break
    // Its session is back, its finish is not yet.
    case .session where context.isReoffered: break
    default: throw .refused(.notFound)
    }
  }
}
