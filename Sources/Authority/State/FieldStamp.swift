public import WatchTransfer

/// When, and on which device, a field was last edited: the later corrected time wins, ties go to
/// the higher device id (DESIGN section 4).
public struct FieldStamp: Hashable, Sendable, Comparable {
  /// Corrected time of the edit.
  public var at: Instant
  public var device: DeviceID

  /// An edit at `at` on `device`.
  public init(at: Instant, device: DeviceID) {
    self.at = at
    self.device = device
  }

  /// Whether an edit stamped `newer` replaces one stamped like this; of two edits of one device at
  /// one instant the one that arrives later does.
  public func yields(to newer: FieldStamp) -> Bool { !(newer < self) }

  /// The clock went back to `moment`: no edit is later than that.
  mutating func bringBack(to moment: Instant) { at = min(at, moment) }

  /// Orders by time, then device.
  public static func < (left: Self, right: Self) -> Bool {
    left.at == right.at ? left.device < right.device : left.at < right.at
  }
}
