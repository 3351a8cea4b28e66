internal import Authority
internal import AuthorityServer
internal import WatchClient
internal import WatchTransfer

/// What devices ask: answered by what is durable, and of the newest revision as a fresh look at it
/// says.
extension Checker {
  /// A question, what the server's clock showed when it was asked, and how often that had been set.
  struct Asked: Sendable {
    let question: Question
    let clock: Instant
    let clockSteps: Int
  }

  /// A question that is asked now.
  func asked(_ question: Question) -> Asked {
    Asked(question: question, clock: serverClock, clockSteps: clockSteps)
  }

  /// A question came to something.
  func answered(
    _ asked: Asked, _ result: Result<Page, QueryError>, to device: SimulatedDevice
  ) {
    switch result {
    case .success(let page): answered(asked, page, to: device)
    case .failure(.outOfBounds):
      if asked.question.fieldOutOfBounds == nil {
        broken("\(device.name) may not ask what it may")
      }
    case .failure(.unexpected), .failure(.refused), .failure(.mismatch):
      broken("\(device.name) asked and was told \(result)")
    case .failure(.notConnected), .failure(.ended), .failure(.broken), .failure(.stopped),
      .failure(.tooMany),
      .failure(.cancelled):
      break
    }
  }

  private func answered(_ asked: Asked, _ page: Page, to device: SimulatedDevice) {
    let account = device.paired.account
    server.network.faults.count("answers")
    unanswered[device.name]?.removeAll { $0 == asked.question }
    let known = [store.history] + store.formerHistories
    if !known.contains(where: { $0.records[account]?.revision ?? 0 >= page.revision }) {
      return broken("\(device.name) was answered as of \(page.revision), which is not durable")
    }
    if case .attachment(let question) = asked.question {
      return answered(question, page, to: device)
    }
    // A page does not say of which life it is: after a restore, one on its way may be of another.
    guard let record = store.history.records[account], record.revision == page.revision,
      !serverTurnedBack || unanswered[device.name] != nil
    else { return }
    let fresh = answer(record.state, asked.question, now: asked.clock)
    // What depends on the moment is compared where the moment makes no difference.
    guard asked.clockSteps == clockSteps,
      fresh == answer(record.state, asked.question, now: serverClock)
    else { return }
    projections += 1
    if page.answer != fresh {
      broken(
        "\(device.name) asked \(asked.question) and is told another thing than "
          + "\(record.revision) has")
    }
  }

  /// The bytes of a photo are those that were uploaded, and there as long as the account has them.
  private func answered(
    _ question: AttachmentQuestion, _ page: Page, to device: SimulatedDevice
  ) {
    switch page.answer {
    case .attachment(let range):
      let bytes = SimulatedPhotos.bytes(of: question.hash) ?? []
      let rest = bytes.dropFirst(Int(question.offset)).prefix(Int(question.length))
      if range.totalBytes != Int64(bytes.count) || range.bytes != Array(rest) {
        broken("\(device.name) reads other bytes of a photo than were uploaded")
      }
    case .refused(.notFound):
      let record = store.history.records[device.paired.account]
      if !serverTurnedBack, record?.revision == page.revision,
        record?.state.wholeBytes(of: question.hash) != nil
      {
        broken("\(device.name) cannot read a photo that there is")
      }
    default: broken("\(device.name) asked for a photo and was told \(page.answer)")
    }
  }

  /// From now on this device must be answered.
  func expectsAnswer(to question: Question, by device: SimulatedDevice) {
    unanswered[device.name, default: []].append(question)
  }

  /// What is wrong when questions are not answered at the end.
  var missingAnswer: String? {
    unanswered.filter { !$0.value.isEmpty }.keys.sorted().first.map { "\($0) is not answered" }
  }

  /// What the server's clock shows.
  var serverClock: Instant {
    Instant(
      milliseconds: SimulatedMachine.epochMilliseconds + server.world.now / Span.millisecond
        + server.wallOffset)
  }
}
