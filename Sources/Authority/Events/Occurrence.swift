public import WatchTransfer

/// When and on which device something happened; the raw and the corrected time are both kept
/// (DESIGN section 4, Time).
public struct Occurrence: Sendable, Equatable {
  /// Corrected, never after the moment of the decision.
  public var at: Instant
  /// By the device's wall clock.
  public var raw: Instant
  /// Corrected through the wall clock alone, or clamped.
  public var isFlagged: Bool
  public var device: DeviceID

  /// Something that happened at `at` on `device`.
  public init(at: Instant, raw: Instant, isFlagged: Bool, device: DeviceID) {
    self.at = at
    self.raw = raw
    self.isFlagged = isFlagged
    self.device = device
  }

  /// The stamp that orders edits.
  public var stamp: FieldStamp { FieldStamp(at: at, device: device) }
}
