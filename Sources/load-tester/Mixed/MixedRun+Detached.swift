internal import CLinux
internal import CommandLineTool
internal import Glibc
internal import Transport

/// Sockets that are read slowly or never: a pool reads whatever comes, so they leave it.
extension MixedRun {
  /// What a slow reader takes in a second.
  private static var slowBytes: Int { 300 }
  /// What the kernel holds for them; it takes no less than some 2 KiB, socket(7).
  private static var receiveBytes: Int32 { 4_096 }

  /// Takes those out of the pool who were welcomed. One whose Hello has not left entirely waits.
  func detach() {
    guard !detaching.isEmpty else { return }
    var waiting: [Int] = []
    for index in detaching {
      guard case .welcomed = members[index].phase else { continue }
      guard let (socket, _) = pool.release(members[index].connection) else {
        waiting.append(index)
        continue
      }
      _ = clinux_set_option(socket.descriptor, SOL_SOCKET, SO_RCVBUF, Self.receiveBytes)
      members[index].phase = .detached(socket)
    }
    detaching = waiting
  }

  /// Each second: slow ones read a little, those that never read ask again for everything.
  func attendDetached(at now: Int64) {
    withUnsafeTemporaryAllocation(byteCount: Self.slowBytes, alignment: 1) { room in
      for index in members.indices {
        guard case .detached(let socket) = members[index].phase else { continue }
        attend(index, socket, room, at: now)
      }
    }
  }

  private func attend(
    _ index: Int, _ socket: AcceptedSocket, _ room: UnsafeMutableRawBufferPointer, at now: Int64
  ) {
    if members[index].behaviour == .mute {
      // It goes on where the socket had no more room.
      let sent = requests.mute[members[index].muteSent...].withUnsafeBytes {
        clinux_send(socket.descriptor, $0.baseAddress, $0.count)
      }
      if sent > 0 {
        members[index].muteSent = (members[index].muteSent + sent) % requests.mute.count
      }
      return endIfBroken(index, socket, sent)
    }
    let read = clinux_receive(socket.descriptor, room.baseAddress, room.count)
    if read == 0 { return lost(index, "closed by the server") }
    endIfBroken(index, socket, read)
    guard case .detached = members[index].phase, members[index].pingAt <= now else { return }
    members[index].pingAt = now + 20 * Self.second
    endIfBroken(index, socket, clinux_send(socket.descriptor, requests.ping, requests.ping.count))
  }

  /// Ends one whose socket has an error, or whose peer has gone.
  private func endIfBroken(_ index: Int, _ socket: AcceptedSocket, _ result: Int) {
    if result < 0, result != -Int(EAGAIN) { return lost(index, "reset by the server") }
    guard members[index].behaviour == .mute else { return }
    // Of a peer's end behind bytes that nobody reads only poll(2) tells.
    var state = pollfd(
      fd: socket.descriptor, events: Int16(POLLIN) | Int16(0x2000), revents: 0)
    let ends = Int16(POLLHUP) | Int16(POLLERR) | Int16(0x2000)
    if poll(&state, 1, 0) > 0, state.revents & ends != 0 { lost(index, "closed by the server") }
  }
}
