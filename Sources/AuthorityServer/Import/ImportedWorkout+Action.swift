internal import CCrypto
internal import Foundation
internal import HealthImport
internal import WatchTransfer

extension ImportedWorkout {
  /// The action that logs it. Its id comes from its natural key (source, type, start, end), so that
  /// importing it again names the same log.
  var actionBody: ActionBody {
    var logged = LoggedWorkout(
      log: naturalKeyID, activityType: activityType,
      start: Instant(milliseconds: startMilliseconds), end: Instant(milliseconds: endMilliseconds))
    logged.title = Self.fitting(activityName)
    logged.zoneID = timeZoneName
    logged.activeMilliseconds = activeMilliseconds
    logged.energyKilocalories = energyKilocalories
    logged.distanceMeters = distanceMeters
    logged.averageHeartRate = averageHeartRate
    logged.maximumHeartRate = maximumHeartRate
    logged.sourceName = Self.fitting(sourceName) ?? "unknown"
    logged.externalUUID = externalUUID
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

  /// Text of a health source, cut to what an action may carry; nil when nothing is left.
  private static func fitting(_ text: String) -> String? {
    var kept = String.UnicodeScalarView()
    var bytes = 0
    for scalar in text.unicodeScalars {
      if scalar.properties.generalCategory == .control { continue }
      bytes += UTF8.width(scalar)
      if bytes > ActionLimits.nameBytesMax { break }
      kept.append(scalar)
    }
    let text = String(kept)
    return text.allSatisfy(\.isWhitespace) ? nil : text
  }
}

extension AdminRequest {
  /// The request that has encoded bodies decided.
  static func importing(_ bodies: [[UInt8]], into account: String) -> AdminRequest {
    .importWorkouts(account: account, bodies: bodies.map { Data($0) })
  }
}
