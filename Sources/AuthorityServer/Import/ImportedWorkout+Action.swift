internal import CCrypto
internal import Foundation
package import HealthImport
package import WatchTransfer

extension ImportedWorkout {
  /// The action that logs it. Its id comes from its natural key (source, type, start, end), so that
  /// importing it again names the same log.
  package var actionBody: ActionBody {
    var logged = LoggedWorkout(
      log: naturalKeyID, activityType: Self.fitting(activityType) ?? "unknown",
      start: Instant(milliseconds: startMilliseconds), end: Instant(milliseconds: endMilliseconds))
    logged.title = Self.fitting(activityName)
    // What an action cannot carry is left out; the workout itself is never dropped for it.
    logged.zoneID = timeZoneName.flatMap(Self.zone)
    logged.activeMilliseconds = Self.span(activeMilliseconds)
    logged.energyKilocalories = Self.figure(energyKilocalories)
    logged.distanceMeters = Self.figure(distanceMeters)
    logged.averageHeartRate = Self.figure(averageHeartRate)
    logged.maximumHeartRate = Self.figure(maximumHeartRate)
    logged.sourceName = Self.fitting(sourceName) ?? "unknown"
    logged.externalUUID = externalUUID.flatMap(Self.fitting)
    return ActionBody(
      occurred: DeviceClock(wall: Instant(milliseconds: endMilliseconds)),
      action: .logWorkout(logged))
  }

  /// SHA-256 over the natural key, cut to 128 bits.
  private var naturalKeyID: LogID {
    var key: [UInt8] = []
    for text in [sourceName, activityType, "\(startMilliseconds)", "\(endMilliseconds)"] {
      // Lengths keep the parts apart.
      key.append(contentsOf: "\(text.utf8.count):".utf8)
      key.append(contentsOf: text.utf8)
    }
    let digest = TokenHash(of: key).bytes
    return LogID(bytes: digest.prefix(16)) ?? LogID(high: 1, low: 1)
  }

  /// An IANA id as it may stand in an action; nil for other spellings, such as `GMT+01:00`.
  private static func zone(_ name: String) -> String? { isZoneSpelling(name) ? name : nil }

  private static func span(_ milliseconds: Int64) -> Int64? {
    (0...ActionLimits.workoutMillisecondsMax).contains(milliseconds) ? milliseconds : nil
  }

  private static func figure(_ value: Double?) -> Double? {
    value.flatMap { $0 >= 0 && $0 < ActionLimits.figureMax ? $0 : nil }
  }

  /// Text of a health source, cut to what an action may carry; nil when nothing is left.
  private static func fitting(_ text: String) -> String? {
    var kept = String.UnicodeScalarView()
    var bytes = 0
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: continue
      default: break
      }
      bytes += UTF8.width(scalar)
      if bytes > ActionLimits.nameBytesMax { break }
      kept.append(scalar)
    }
    let text = String(kept)
    return isTypedName(text) ? text : nil
  }
}

extension AdminRequest {
  /// The request that has encoded bodies decided.
  static func importing(_ bodies: [[UInt8]], into account: String) -> AdminRequest {
    .importWorkouts(account: account, bodies: bodies.map { Data($0) })
  }
}
