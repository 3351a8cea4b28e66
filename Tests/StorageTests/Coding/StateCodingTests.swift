import Authority
import Testing
import WatchTransfer

@testable import Storage

/// States as a checkpoint holds them.
@Suite struct StateCodingTests {
  private static func encoded(_ state: AccountState) -> [UInt8] {
    var writer = ByteWriter()
    state.encode(into: &writer)
    return writer.bytes
  }

  private static func decoded(_ bytes: [UInt8]) throws -> AccountState {
    var reader = ByteReader(bytes)
    let state = try AccountState(from: &reader)
    try reader.expectEnd()
    return state
  }

  @Test(
    "A state read back is equal, encodes to the same bytes, and goes on the same",
    arguments: UInt64(1)...12)
  func roundTrip(seed: UInt64) throws {
    var history = CodingHistory(seed: seed)
    for _ in 0..<5 {
      history.run(60)
      let bytes = Self.encoded(history.state)
      let copy = try Self.decoded(bytes)
      #expect(copy == history.state)
      #expect(Self.encoded(copy) == bytes)
      var ahead = history
      var aheadOfCopy = history
      aheadOfCopy.state = copy
      ahead.run(60)
      aheadOfCopy.run(60)
      #expect(ahead.state == aheadOfCopy.state)
      for kind in FacetKind.allCases {
        #expect(project(copy, kind) == project(history.state, kind))
      }
    }
  }

  @Test("A journal that was stored replays to the same state", arguments: UInt64(20)...24)
  func storedJournal(seed: UInt64) throws {
    var history = CodingHistory(seed: seed)
    history.run(300)
    var replayed = AccountState()
    for (index, events) in history.journal.enumerated() {
      var writer = ByteWriter()
      for event in events { event.encode(into: &writer) }
      var reader = ByteReader(writer.bytes)
      var read: [Event] = []
      while !reader.isAtEnd { read.append(try Event(from: &reader)) }
      #expect(read == events)
      replayed.apply(read, revision: UInt64(index + 1))
    }
    #expect(replayed == history.state)
    #expect(Self.encoded(replayed) == Self.encoded(history.state))
  }

  @Test("An empty state has these bytes; another form is an error")
  func empty() throws {
    let bytes = Self.encoded(AccountState())
    #expect(
      hexadecimal(of: bytes) == "03000000035554430000000000000100010001000000010000000000000000")
    #expect(try Self.decoded(bytes) == AccountState())
    for form in [1, 4] as [UInt8] {
      var other = bytes
      other[0] = form
      #expect(throws: StoredFormError.unknownTag(UInt64(form), of: "state form")) {
        try Self.decoded(other)
      }
    }
  }

  @Test("A state of the first release is read: it ends where the sections begin now")
  func firstRelease() throws {
    var history = CodingHistory(seed: 11)
    history.kinds = 18
    history.run(60)
    history.state.settings.palette = Stamped(.classic)
    history.state.keymap = Stamped([])
    for var match in history.state.matches.all {
      match.halves.extra = nil
      match.takeovers = []
      match.lineUp = LineUp()
      history.state.matches[match.id] = match
    }
    history.forgetWhatCameLater()
    var bytes = Self.encoded(history.state)
    #expect(bytes.last == 0)
    bytes.removeLast()
    bytes[0] = 2
    #expect(try Self.decoded(bytes) == history.state)
    #expect(throws: StoredFormError.trailingBytes(1)) { try Self.decoded(bytes + [0]) }
  }

  @Test("A section that nobody knows, or that has more than it should, is an error")
  func sections() throws {
    let bytes = Array(Self.encoded(AccountState()).dropLast())
    #expect(throws: StoredFormError.unknownTag(255, of: "state section")) {
      try Self.decoded(bytes + [1, 255, 0])
    }
    #expect(throws: StoredFormError.trailingBytes(1)) {
      try Self.decoded(bytes + [1, 10, 3, 2, 0, 0])
    }
    #expect(try Self.decoded(bytes + [1, 10, 2, 2, 0]).settings.palette.value == .ocean)
  }

  @Test("Bytes that end early or were changed are an error or a state, never a trap")
  func damaged() throws {
    var history = CodingHistory(seed: 7)
    history.run(80)
    let bytes = Self.encoded(history.state)
    for count in stride(from: 0, to: bytes.count, by: 11) {
      #expect(throws: StoredFormError.self) { try Self.decoded(Array(bytes[..<count])) }
    }
    for position in stride(from: 0, to: bytes.count, by: 3) {
      var changed = bytes
      changed[position] ^= 0xFF
      if let state = try? Self.decoded(changed) {
        for kind in FacetKind.allCases { _ = project(state, kind) }
      }
    }
  }
}
