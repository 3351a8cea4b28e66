import Transport
import WatchTransfer

/// Small values for tests: ids and times named by a number.
func incarnation(_ number: UInt64) -> IncarnationID { IncarnationID(high: 1, low: number) }

func account(_ number: UInt64) -> AccountID { AccountID(high: 2, low: number) }

func epoch(_ number: UInt64) -> EpochID { EpochID(high: 3, low: number) }

func moment(_ milliseconds: Int64) -> MonotonicInstant {
  MonotonicInstant(nanoseconds: 1_000_000_000 + milliseconds * 1_000_000)
}

/// A body that is told apart by its number.
func body(_ number: Int) -> [UInt8] { Array("body \(number)".utf8) }

func welcome(
  account owner: AccountID = account(1), epoch start: EpochID = epoch(1), revision: Revision = 1,
  facetSet: UInt32 = DeviceKind.watch.facetSet, expected: [IncarnationNumber] = [],
  backedUp: [IncarnationNumber] = [], serverClock: Instant = Instant(milliseconds: 1_000_000),
  frameBytesMax: UInt32 = 65_536, inFlightMax: UInt32 = 64, reofferMax: UInt32 = 1_000
) -> Welcome {
  Welcome(
    account: owner, device: DeviceID(high: 4, low: 1), kind: .watch, epoch: start,
    revision: revision, facetSet: facetSet, expected: expected, backedUp: backedUp,
    serverClock: serverClock, leaseMilliseconds: 90_000, frameBytesMax: frameBytesMax,
    inFlightMax: inFlightMax, reofferMax: reofferMax)
}
