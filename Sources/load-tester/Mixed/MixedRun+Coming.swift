internal import CommandLineTool
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// Coming, going and coming back.
extension MixedRun {
  /// Members without a Welcome at once, but for stampedes, which respect nothing.
  private static var greetingMax: Int { 256 }

  /// Connects those whose time has come.
  func bringBack(by now: Int64) {
    away += leftMeanwhile
    leftMeanwhile = []
    guard !away.isEmpty else { return }
    var staying: [Int] = []
    for index in away {
      if members[index].returnAt > now || greetingCount >= Self.greetingMax {
        staying.append(index)
      } else {
        connect(index, at: now)
      }
    }
    away = staying
  }

  /// The group disconnects at once, and comes back at once.
  func stampede(at now: Int64) {
    happened("stampedes")
    let group = members.indices.filter {
      members[$0].behaviour == .stampede && members[$0].isAttached
    }
    for index in group {
      if case .connecting = members[index].phase { greetingCount -= 1 }
      pool.close(members[index].connection)
      members[index].phase = .away
    }
    for index in group { connect(index, at: now) }
  }

  private func connect(_ index: Int, at now: Int64) {
    guard let address, let connection = try? pool.connect(to: address),
      Int(connection.slot) < memberOfSlot.count
    else {
      happened("no connection could be made")
      members[index].returnAt = now + Self.second
      return leftMeanwhile.append(index)
    }
    memberOfSlot[Int(connection.slot)] = index
    members[index].connection = connection
    members[index].phase = .connecting
    members[index].connectedAt = now
    members[index].awaitsUpdate = true
    members[index].unanswered = 0
    members[index].muteSent = 0
    greetingCount += 1
  }

  /// Sends the Hello, with what it has seen and, of a storm, its outbox.
  func greet(_ index: Int) {
    let member = members[index]
    var hello = Hello(token: tokens[member.token])
    if member.behaviour == .stampede { hello.cursor = member.cursor }
    if member.behaviour.acts {
      hello.incarnations = [
        IncarnationState(
          incarnation: member.incarnation, confirmed: member.acts.confirmed,
          oldest: member.acts.confirmed + 1, next: member.acts.newest + 1)
      ]
    }
    pool.send(member.connection, encoder.frame(ClientMessage.hello(hello)))
  }

  /// It is in: what it does begins.
  func welcomed(_ index: Int, _ welcome: Welcome) {
    guard case .connecting = members[index].phase else { return }
    greetingCount -= 1
    happened("welcomes")
    members[index].phase = .welcomed
    let now = MonotonicInstant.now().nanoseconds
    // Spread, and well within the silence that a server allows.
    members[index].pingAt = now + Int64.random(in: 10...30, using: &random) * Self.second
    if let cursor = members[index].cursor, cursor.epoch == welcome.epoch,
      cursor.revision > welcome.revision
    {
      report.wentWrong(OpenActs.Fault.revision.rawValue)
    }
    members[index].cursor = Cursor(
      epoch: welcome.epoch, revision: members[index].cursor?.revision ?? 0,
      facetSet: welcome.facetSet)
    switch members[index].behaviour {
    case .idle, .stampede: break
    case .slow, .mute: detaching.append(index)
    case .storm: beginStorm(index, welcome)
    case .flood: floodOn(index, at: now)
    }
  }

  /// Every act up to the expected number was decided once: of those that were sent, and no others.
  private func beginStorm(_ index: Int, _ welcome: Welcome) {
    let member = members[index]
    let decided = (welcome.expected.first?.number ?? 1) - 1
    if member.isKnown, !(member.acts.confirmed...member.acts.newest).contains(decided) {
      report.wentWrong("the server knows acts that were never sent")
    }
    members[index].isKnown = true
    members[index].acts = OpenActs(confirmed: decided)
    if member.goal == nil {
      members[index].goal =
        sharers[welcome.account, default: 0] % LoadOptions.actorsPerAccountMax
      sharers[welcome.account, default: 0] += 1
    }
    stormOn(index, at: MonotonicInstant.now().nanoseconds)
  }

  /// The connection is over; its member comes back in a while.
  func lost(_ index: Int, _ reason: String) {
    happened("ended: \(members[index].behaviour.rawValue): \(reason)")
    switch members[index].phase {
    case .away: return
    case .connecting: greetingCount -= 1
    case .welcomed: break
    case .detached(let socket): socket.close()
    }
    if members[index].isAttached { pool.close(members[index].connection) }
    members[index].phase = .away
    members[index].returnAt =
      MonotonicInstant.now().nanoseconds + Int64.random(in: 500...1_000, using: &random) * 1_000_000
    leftMeanwhile.append(index)
  }

  /// Those who are silent otherwise say that they are there.
  func sayHello(by now: Int64) {
    for index in members.indices where members[index].pingAt <= now {
      guard case .welcomed = members[index].phase, members[index].behaviour.isSilent else {
        continue
      }
      members[index].pingAt = now + 30 * Self.second
      pool.send(members[index].connection, requests.ping)
    }
  }
}
