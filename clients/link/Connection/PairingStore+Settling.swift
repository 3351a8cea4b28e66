internal import Transport
public import WatchTransfer

/// What an authority said to a device's greeting.
public enum GreetingAnswer: Hashable, Sendable {
  case welcomed(Welcome)
  /// It does not want the device.
  case refused(Goodbye)
  /// Nobody could be asked, or no answer came.
  case unanswered(LinkFailure)
}

extension PairingStore {
  /// What a device is to greet with.
  public enum Settlement: Hashable, Sendable {
    case credential(Credential)
    /// The code is good for nothing; a pairing from before stays as it was.
    case codeRefused
    /// It was never paired.
    case unpaired
  }

  /// Finds out what the device is known by, before it opens anything in that name: what it is to
  /// greet with at `link`, whose own credential does not matter.
  ///
  /// With a `code`, whether that is redeemed now, or was. Without, each code that never had an
  /// answer is tried, then the pairing that works: so a Welcome that was lost locks nobody out.
  /// When nobody answers it is the code that was given, or what `credential()` says.
  ///
  /// - Throws: `PairingStoreError` when a secret cannot be read or kept; it was not sent then.
  public func settle(
    _ code: PairingCode?, at link: LinkConfiguration
  ) async throws -> Settlement {
    if let code {
      let credential = try credential(for: code)
      guard credential.code != nil else { return .credential(credential) }
      return try await settled(credential, at: link) ?? .codeRefused
    }
    let all = try credentials()
    for credential in all.dropLast() {
      let known = try self.credential()
      if let settlement = try await settled(credential, at: link, unanswered: known) {
        return settlement
      }
    }
    return all.last.map { .credential($0) } ?? .unpaired
  }

  /// nil: it is refused, and forgotten.
  private func settled(
    _ credential: Credential, at link: LinkConfiguration, unanswered: Credential? = nil
  ) async throws -> Settlement? {
    var link = link
    link.credential = credential
    switch await greetOnce(link) {
    case .welcomed:
      try welcomed(credential)
      return .credential(.token(credential.token))
    case .refused(let goodbye)
    where goodbye.reason == .codeRefused || goodbye.reason == .revoked:
      try refused(credential)
      return nil
    case .refused, .unanswered:
      return .credential(unanswered ?? credential)
    }
  }
}

/// Greets once, and ends the connection with the answer.
public func greetOnce(_ configuration: LinkConfiguration) async -> GreetingAnswer {
  let (events, continuation) = AsyncStream.makeStream(of: LinkEvent.self)
  let hello = Hello(
    token: configuration.token, clock: SystemDeviceClock().now(),
    code: configuration.credential.code, deviceName: configuration.deviceName)
  let link = AuthorityLink(
    configuration,
    executor: SerialQueueExecutor(on: configuration.machine.queue(label: "wristwire.greeting")),
    owner: LinkOwner(greeting: { hello }, handle: { continuation.yield($0) }))
  await link.start()
  var answer = GreetingAnswer.unanswered(.closed)
  search: for await event in events {
    switch event {
    case .clockOffset, .message: continue
    case .welcomed(let welcome): answer = .welcomed(welcome)
    case .ended(let goodbye): answer = .refused(goodbye)
    case .disconnected(let failure, _): answer = .unanswered(failure)
    }
    break search
  }
  await link.stop()
  return answer
}
