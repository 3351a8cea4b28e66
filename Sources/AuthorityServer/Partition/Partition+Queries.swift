internal import Authority
internal import Storage
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// Queries: computed at once on what is decided, and sent when that is durable.
extension Partition {
  /// Answers a query.
  func ask(_ query: Query, by session: Session) {
    let account = session.account
    account.usedAt = monotonic
    ensureCurrent(account)
    guard let record = account.record else { return }
    if case .attachment(let question) = query.question {
      return read(query.id, question, by: session)
    }
    let outer = begin(AccountWork(.projecting, of: account.id))
    let page = Page(
      id: query.id, revision: record.revision,
      answer: Authority.answer(record.state, query.question, now: now))
    resume(outer)
    answer(.frame(encoder.frame(.page(page))), to: session)
  }
}
