import CommandLineTool
import Testing
import WatchTransfer

/// When a widget that stays draws or fetches again by itself.
@Suite struct WidgetFollowingTests {
  private let noon = Samples.noon

  private func timeline(_ entries: [Int64], reloadAfter: Int64) -> WidgetTimeline {
    var timeline = Samples.timeline(.small)
    timeline.reloadAfter = noon.advanced(milliseconds: reloadAfter)
    timeline.entries = entries.map { offset in
      var entry = timeline.entries[0]
      entry.from = noon.advanced(milliseconds: offset)
      return entry
    }
    return timeline
  }

  @Test(
    arguments: [
      // The next entry comes first.
      ([-1, 3_000, 9_000], 86_400_000, false, 3_000, false),
      // The one whose moment it is was drawn.
      ([0, 9_000], 86_400_000, false, 9_000, false),
      // The first is shown before its moment, by a clock that is late: it is not drawn again.
      ([4, 3_000], 86_400_000, false, 3_000, false), ([4], 7_200_000, false, 7_200_000, true),
      // Nothing more to draw: fetched when it says so, in a minute at least and a day at most.
      ([0], 7_200_000, false, 7_200_000, true), ([0], -5, false, 60_000, true),
      ([0], 900_000_000, false, 86_400_000, true), ([], 7_200_000, false, 7_200_000, true),
      ([0, 7_200_000], 7_200_000, false, 7_200_000, true),
      ([0, 80_000_000], 7_200_000, false, 7_200_000, true),
      // What is kept is asked for again in a minute, and goes on meanwhile.
      ([0, 7_200_000], 86_400_000, true, 60_000, true),
      ([0, 59_999], 86_400_000, true, 59_999, false),
    ] as [([Int64], Int64, Bool, Int64, Bool)])
  func `an entry is drawn at its moment, without asking anybody`(
    entries: [Int64], reloadAfter: Int64, isFromCache: Bool, milliseconds: Int64, fetches: Bool
  ) {
    let next = WidgetFollowing.next(
      of: timeline(entries, reloadAfter: reloadAfter), isFromCache: isFromCache, showsNow: true,
      at: noon)
    #expect(next.milliseconds == milliseconds && next.fetches == fetches)
  }

  @Test func `a moment that was asked for stays`() {
    let next = WidgetFollowing.next(
      of: timeline([0, 3_000], reloadAfter: 7_200_000), isFromCache: false, showsNow: false,
      at: noon)
    #expect(next.milliseconds == 7_200_000 && next.fetches)
  }
}
