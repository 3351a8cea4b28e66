internal import Glibc
public import WatchTransfer

/// The time zone this machine is set to.
public enum MachineZone {
  /// The zone with its offset at `instant`; nil when it has no IANA id, as with `TZ=CET-1CEST`.
  public static func stamp(at instant: Instant) -> ZoneStamp? {
    let id = id(
      variable: environmentVariable("TZ"), localtimeLink: linkTarget("/etc/localtime"),
      timezoneFile: firstLine("/etc/timezone"))
    // A machine that nobody has set says nothing of where the person is: the account's zone
    // decides.
    if environmentVariable("TZ") == nil, id == "UTC" || id == "Etc/UTC" { return nil }
    guard let id, id == "UTC" || access("/usr/share/zoneinfo/\(id)", R_OK) == 0 else { return nil }
    return ZoneStamp(id: id, offsetSeconds: offsetSeconds(at: instant))
  }

  /// The IANA id by tzset(3): the variable TZ, else the link /etc/localtime, else Debian's
  /// /etc/timezone, else UTC; nil when the variable is a rule instead of a name.
  static func id(variable: String?, localtimeLink: String?, timezoneFile: String?) -> String? {
    if var variable {
      if variable.first == ":" { variable.removeFirst() }
      if variable.isEmpty { return "UTC" }
      return variable.first == "/" ? idInPath(variable) : plain(variable)
    }
    if let localtimeLink, let id = idInPath(localtimeLink) { return id }
    return timezoneFile.flatMap(plain) ?? "UTC"
  }

  private static func idInPath(_ path: String) -> String? {
    let parts = path.split(separator: "/")
    guard let folder = parts.lastIndex(of: "zoneinfo") else { return nil }
    var rest = parts[(folder + 1)...]
    if rest.first == "posix" || rest.first == "right" { rest = rest.dropFirst() }
    return plain(rest.joined(separator: "/"))
  }

  private static func plain(_ name: String) -> String? { isZoneSpelling(name) ? name : nil }

  private static func offsetSeconds(at instant: Instant) -> Int32 {
    var seconds = time_t(instant.seconds)
    var local = tm()
    guard localtime_r(&seconds, &local) != nil else { return 0 }
    return Int32(clamping: local.tm_gmtoff)
  }

  private static func linkTarget(_ path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = readlink(path, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }

  private static func firstLine(_ path: String) -> String? {
    guard let text = try? SmallFile.read(path) else { return nil }
    return text.split(separator: "\n").first.map(String.init)
  }
}
