/// What one import may cost, whatever the file holds.
///
/// An export is written by somebody else's software and may be damaged or hostile. Every figure
/// here bounds memory per workout; none bounds the file, which is read as a stream.
public struct ImportLimits: Sendable, Equatable {
  /// Longest text kept of a workout (names, device, zone), in UTF-8 bytes; a longer one skips the
  /// workout. Apple's device descriptions have about 250.
  public var textBytesMax: Int

  /// Bytes from one `<` to the next within a workout. expat holds a tag or comment whole until it
  /// is complete, so this bounds its buffer.
  public var markupBytesMax: Int

  /// Bytes of one workout element. Exports of iOS 12 write routes inline, about 300 bytes a second
  /// of exercise: a day and a night of it fit.
  public var workoutBytesMax: Int

  /// Elements within each other, the workout being the first. Exports use four.
  public var depthMax: Int

  /// Pause and resume events kept of one workout, 16 bytes each.
  public var pauseEventsMax: Int

  /// Limits; each has a default that real exports stay far below.
  public init(
    textBytesMax: Int = 1_024, markupBytesMax: Int = 65_536,
    workoutBytesMax: Int = 64 * 1_024 * 1_024, depthMax: Int = 16, pauseEventsMax: Int = 10_000
  ) {
    self.textBytesMax = textBytesMax
    self.markupBytesMax = markupBytesMax
    self.workoutBytesMax = workoutBytesMax
    self.depthMax = depthMax
    self.pauseEventsMax = pauseEventsMax
  }

  /// Bytes read from a file, and handed to expat, at a time; also how much of a file is looked at
  /// to tell whether it is an export.
  static let pieceBytes = 65_536
}
