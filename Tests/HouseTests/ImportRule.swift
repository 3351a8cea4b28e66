import Testing

/// What one target may import: the table of DESIGN section 12, with the system modules each target
/// is trusted with.
struct ImportRule: Sendable, CustomTestStringConvertible {
  let target: String
  let folder: String
  let modules: Set<String>

  var testDescription: String { target }

  private init(_ target: String, in folder: String? = nil, _ modules: Set<String>) {
    self.target = target
    self.folder = folder ?? "Sources/\(target)"
    self.modules = modules
  }

  /// Sockets, files, queues and locks; no clock or file of Foundation's.
  private static let system: Set = ["Glibc", "Dispatch", "Synchronization", "Guards", "CLinux"]

  private static let serverSide: Set = [
    "WatchTransfer", "Authority", "WireFormat", "Storage", "Transport", "HealthImport",
  ]

  private static let clientSide: Set = [
    "WatchTransfer", "WireFormat", "Transport", "AuthorityLink",
  ]

  /// Every Swift target of the package that is not a test.
  static let table: [ImportRule] = [
    // The vocabulary and the rules are pure: no system module at all.
    ImportRule("WatchTransfer", []),
    ImportRule("Authority", ["WatchTransfer"]),
    ImportRule("Guards", ["Glibc"]),
    ImportRule("WireFormat", ["WatchTransfer", "Guards", "CWireProto", "CProtobufC"]),
    ImportRule("SQLite", ["CSQLite"]),
    ImportRule(
      "Storage", system.union(["SQLite", "Authority", "WireFormat", "WatchTransfer", "CCrypto"])),
    ImportRule("Transport", system.union(["COpenSSL"])),
    ImportRule("HealthImport", ["WatchTransfer", "CExpat", "Glibc"]),
    ImportRule(
      "AuthorityServer", system.union(serverSide).union(["CCrypto", "Foundation"])),
    ImportRule(
      "AuthorityLink", in: "clients/link",
      system.union(["WatchTransfer", "WireFormat", "Transport"])),
    ImportRule("WatchClient", in: "clients/watch", system.union(clientSide)),
    ImportRule(
      "PhoneClient", in: "clients/phone", ["WatchTransfer", "AuthorityLink", "WatchClient"]),
    ImportRule("WidgetClient", in: "clients/widget", system.union(clientSide)),
    // The load tester's parts that are tested live beside the other programs' library.
    ImportRule(
      "CommandLineTool", system.union(["WatchTransfer", "WireFormat", "Transport", "Foundation"])),
    ImportRule(
      "wristwire",
      system.union(clientSide).union([
        "CommandLineTool", "AuthorityServer", "HealthImport", "WatchClient", "WidgetClient",
        "Foundation",
      ])),
    ImportRule(
      "DeviceEmulator",
      system.union([
        "CommandLineTool", "WatchClient", "PhoneClient", "AuthorityLink", "WatchTransfer",
        "Transport",
      ])),
    ImportRule("watch-emulator", ["CommandLineTool", "DeviceEmulator"]),
    ImportRule("phone-emulator", ["CommandLineTool", "DeviceEmulator"]),
    ImportRule(
      "widget-emulator",
      system.union(["CommandLineTool", "WidgetClient", "AuthorityLink", "WatchTransfer"])
        .union(["WireFormat", "Transport", "Foundation"])),
    ImportRule(
      "Simulation",
      system.union(serverSide).union(clientSide).union([
        "AuthorityServer", "WatchClient", "WidgetClient", "CSimulatedDisk", "Foundation",
      ])),
    ImportRule(
      "fault-simulator",
      system.union([
        "CommandLineTool", "Simulation", "AuthorityServer", "WatchTransfer", "Foundation",
      ])),
    // Of the link it needs the small generator alone.
    ImportRule("FaultProxy", system.union(["Transport", "AuthorityLink"])),
    ImportRule(
      "fault-proxy",
      system.union(["CommandLineTool", "FaultProxy", "Transport", "Foundation"])),
    ImportRule(
      "load-tester",
      system.union(["CommandLineTool", "WatchTransfer", "WireFormat", "Transport", "Foundation"])),
  ]
}
