internal import AuthorityLink
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// From request to answer.
extension WidgetClient {
  /// Takes a request: sends it, or answers at once when nobody can be asked.
  func begin(_ request: Request, _ id: UInt64) {
    requests[id] = request
    if Task.isCancelled { return finish(id, .failure(.cancelled)) }
    if let refusal { return finish(id, answer(to: request.view, refusal)) }
    ask(request.view)
    wake()
  }

  /// Answers a request, once.
  func finish(_ id: UInt64, _ result: Result<FetchedSnapshot, WidgetError>) {
    guard let request = requests.removeValue(forKey: id) else { return }
    request.done(result)
    wake()
  }

  /// Something happened on the link.
  func handle(_ event: LinkEvent) {
    switch event {
    case .welcomed(let welcome):
      account = welcome.account
      refusal = nil
      if !shownKinds.isEmpty {
        reloadBroadcast.send(shownKinds.sorted { $0.rawValue < $1.rawValue })
      }
      for view in Set(requests.values.map(\.view)) { ask(view) }
    case .message(.snapshot(let snapshot)):
      received(snapshot)
    case .message(.notModified(let answer)):
      received(answer)
    case .message(.reload(let kinds)):
      reloadBroadcast.send(kinds)
    case .clockOffset(let milliseconds):
      clockOffsetMilliseconds = milliseconds
    case .message:
      break
    case .disconnected(let failure, _):
      asked = [:]
      if failure == .unreachable { answerFromShelf() }
      // Not hidden behind what is kept: a person has to look.
      if failure.isWrongServer {
        for id in requests.keys { finish(id, .failure(.wrongServer(failure))) }
      }
    case .ended(let goodbye):
      asked = [:]
      refusal = goodbye
      for (id, request) in requests { finish(id, answer(to: request.view, goodbye)) }
    }
  }

  /// Requests whose time is over are answered with what is kept.
  func tick() {
    let now = configuration.machine.now()
    for (id, request) in requests where now >= request.deadline {
      finish(id, kept(request.view).map { .success($0) } ?? .failure(.unreachable))
    }
    wake()
  }

  private func ask(_ view: WidgetView, isAnew: Bool = false) {
    guard let link, link.assumeIsolated({ $0.isOpen }), asked[view] == nil || isAnew else { return }
    // A snapshot that cannot be read is none: the server sends it again.
    let known = isAnew || kept(view) == nil ? nil : shelf.snapshot(of: view, for: account)?.hash
    asked[view] = known != nil
    link.assumeIsolated { $0.send(.fetch(Fetch(view: view, knownHash: known))) }
  }

  private func received(_ snapshot: Snapshot) {
    asked[snapshot.view] = nil
    guard let account else { return }
    guard let timeline = try? decoder.decodeTimeline(snapshot.content) else {
      return answerAll(snapshot.view, .failure(.unreadable))
    }
    let kept = KeptSnapshot(
      account: account, revision: snapshot.revision, hash: snapshot.hash,
      content: snapshot.content)
    shelf.keep(kept, of: snapshot.view)
    shownKinds.insert(snapshot.view.kind)
    let fetched = FetchedSnapshot(
      view: snapshot.view, revision: snapshot.revision, hash: snapshot.hash, timeline: timeline,
      isFromCache: false)
    answerAll(snapshot.view, .success(fetched))
  }

  private func received(_ answer: NotModified) {
    guard let hasNamedHash = asked.removeValue(forKey: answer.view) else { return }
    guard var fetched = kept(answer.view) else {
      // What was kept has gone meanwhile. Where nothing was, asking again would never end.
      if hasNamedHash { return ask(answer.view, isAnew: true) }
      return answerAll(answer.view, .failure(.unreadable))
    }
    fetched.isFromCache = false
    shownKinds.insert(answer.view.kind)
    fetched.revision = max(fetched.revision, answer.revision)
    answerAll(answer.view, .success(fetched))
  }

  private func answerAll(_ view: WidgetView, _ result: Result<FetchedSnapshot, WidgetError>) {
    for (id, request) in requests where request.view == view { finish(id, result) }
  }

  /// Nobody answers at the address: what is kept is shown at once, the rest waits for its time.
  private func answerFromShelf() {
    for (id, request) in requests {
      if let kept = kept(request.view) { finish(id, .success(kept)) }
    }
  }

  /// A device that another connection has replaced may show what it has; one that lost its rights
  /// not.
  private func answer(
    to view: WidgetView, _ goodbye: Goodbye
  ) -> Result<FetchedSnapshot, WidgetError> {
    if goodbye.reason == .replaced, let kept = kept(view) { return .success(kept) }
    return .failure(goodbye.reason == .codeRefused ? .codeRefused : .refused(goodbye))
  }

  private func kept(_ view: WidgetView) -> FetchedSnapshot? {
    guard let kept = shelf.snapshot(of: view, for: account),
      let timeline = try? decoder.decodeTimeline(kept.content)
    else { return nil }
    return FetchedSnapshot(
      view: view, revision: kept.revision, hash: kept.hash, timeline: timeline, isFromCache: true)
  }

  private func wake() {
    alarm?.set(requests.values.map(\.deadline).min())
  }
}
