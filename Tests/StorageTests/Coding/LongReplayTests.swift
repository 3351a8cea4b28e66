import Authority
import Testing
import WatchTransfer
import WireFormat

@testable import Storage

/// A long history, replayed from nothing and from every checkpoint.
@Suite(.timeLimit(.minutes(2))) struct LongReplayTests {
  /// A checkpoint, and what was shown at it.
  private struct Checkpoint {
    let revision: Int
    let state: [UInt8]
    let facets: [[UInt8]]
  }

  private static var encoder: MessageEncoder { MessageEncoder() }

  private static func checkpoint(_ state: AccountState) -> Checkpoint {
    var writer = ByteWriter()
    state.encode(into: &writer)
    return Checkpoint(
      revision: Int(state.revision), state: writer.bytes,
      facets: FacetKind.allCases.map { encoder.encode(project(state, $0)) })
  }

  /// The state at `revision` of `journal`, from `state` on.
  private static func replay(
    _ journal: [[UInt8]], from state: AccountState, to revision: Int
  ) throws -> AccountState {
    var state = state
    for index in Int(state.revision)..<revision {
      var reader = ByteReader(journal[index])
      var events: [Event] = []
      while !reader.isAtEnd { events.append(try Event(from: &reader)) }
      state.apply(events, revision: Revision(index + 1))
    }
    return state
  }

  private static func restored(_ checkpoint: Checkpoint) throws -> AccountState {
    var reader = ByteReader(checkpoint.state)
    let state = try AccountState(from: &reader)
    try reader.expectEnd()
    return state
  }

  @Test("10,000 actions replayed from nothing and from every checkpoint give the same bytes")
  func longHistory() throws {
    var history = CodingHistory(seed: 0x10_000)
    var checkpoints: [Checkpoint] = []
    for _ in 0..<100 {
      history.run(100)
      checkpoints.append(Self.checkpoint(history.state))
    }
    let journal = history.journal.map { events in
      var writer = ByteWriter()
      for event in events { event.encode(into: &writer) }
      return writer.bytes
    }
    let last = try #require(checkpoints.last)
    // From nothing, and from a few checkpoints, to the end.
    var starts = [AccountState()]
    for index in [0, 49, 98] { starts.append(try Self.restored(checkpoints[index])) }
    for start in starts {
      let end = Self.checkpoint(try Self.replay(journal, from: start, to: last.revision))
      #expect(end.state == last.state, "from \(start.revision)")
      #expect(end.facets == last.facets, "from \(start.revision)")
    }
    // From every checkpoint to the next, which is as good as to the end: the same bytes go on.
    for (checkpoint, next) in zip(checkpoints, checkpoints.dropFirst()) {
      let restored = try Self.restored(checkpoint)
      #expect(Self.checkpoint(restored).facets == checkpoint.facets, "\(checkpoint.revision)")
      let end = Self.checkpoint(try Self.replay(journal, from: restored, to: next.revision))
      #expect(end.state == next.state, "from \(checkpoint.revision)")
      #expect(end.facets == next.facets, "from \(checkpoint.revision)")
    }
    #expect(last.revision > 1_000, "most actions are refused: \(last.revision)")
    print("claim: actions of a history replayed from every checkpoint: 10000")
  }
}
