// swift-tools-version: 6.2
import PackageDescription

// One table of what may import what: the arrows of the architecture. Tests/HouseTests checks that
// the sources keep to it.

/// A library of the server side.
func library(_ name: String, uses dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies)
}

/// A thin client library; it never sees Authority, Storage or AuthorityServer.
func client(_ name: String, in folder: String, uses dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: "clients/\(folder)")
}

func program(_ name: String, uses dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies)
}

func tests(
  of name: String, uses dependencies: [Target.Dependency], without excluded: [String] = []
) -> Target {
  .testTarget(name: "\(name)Tests", dependencies: dependencies, exclude: excluded)
}

let package = Package(
  name: "wristwire",
  products: [
    .executable(name: "wristwire", targets: ["wristwire"]),
    .executable(name: "watch-emulator", targets: ["watch-emulator"]),
    .executable(name: "phone-emulator", targets: ["phone-emulator"]),
    .executable(name: "widget-emulator", targets: ["widget-emulator"]),
    .executable(name: "load-tester", targets: ["load-tester"]),
    .executable(name: "fault-simulator", targets: ["fault-simulator"]),
    .executable(name: "fault-proxy", targets: ["fault-proxy"]),
    .library(name: "WatchClient", targets: ["WatchClient"]),
    .library(name: "PhoneClient", targets: ["PhoneClient"]),
    .library(name: "WidgetClient", targets: ["WidgetClient"]),
  ],
  targets: [
    // C: system libraries, the generated wire code, and the system calls Glibc's module hides.
    .systemLibrary(name: "CProtobufC", pkgConfig: "libprotobuf-c"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
    .systemLibrary(name: "CExpat", pkgConfig: "expat"),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto"),
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl"),
    .target(name: "CLinux"),
    .target(name: "CWireProto", dependencies: ["CProtobufC"]),
    // A disk under SQLite that loses, tears and refuses writes.
    .target(name: "CSimulatedDisk", dependencies: ["CSQLite"]),

    // What guards us against ourselves: the invariant, and the lock where two threads must meet.
    library("Guards"),

    // The vocabulary and the rules: values and pure functions.
    library("WatchTransfer"),
    library("Authority", uses: ["WatchTransfer"]),

    // The edges: bytes, files, sockets.
    library("WireFormat", uses: ["WatchTransfer", "Guards", "CWireProto", "CProtobufC"]),
    library("SQLite", uses: ["CSQLite"]),
    library(
      "Storage",
      uses: [
        "SQLite", "Authority", "WireFormat", "WatchTransfer", "Guards", "CLinux", "CCrypto",
      ]),
    library("Transport", uses: ["Guards", "CLinux", "COpenSSL"]),
    library("HealthImport", uses: ["WatchTransfer", "CExpat"]),

    // The shell that joins them.
    library(
      "AuthorityServer",
      uses: [
        "WatchTransfer", "Authority", "WireFormat", "Storage", "Transport", "HealthImport",
        "Guards", "CCrypto", "CLinux",
      ]),

    // Clients.
    client(
      "AuthorityLink", in: "link",
      uses: ["WatchTransfer", "WireFormat", "Transport", "Guards", "CLinux"]),
    client(
      "WatchClient", in: "watch",
      uses: ["WatchTransfer", "WireFormat", "Transport", "AuthorityLink", "CLinux"]),
    client(
      "PhoneClient", in: "phone", uses: ["WatchTransfer", "AuthorityLink", "WatchClient"]),
    client(
      "WidgetClient", in: "widget",
      uses: ["WatchTransfer", "WireFormat", "Transport", "AuthorityLink"]),

    // Programs: wiring only.
    library("CommandLineTool", uses: ["WatchTransfer", "Transport", "CLinux"]),
    program(
      "wristwire",
      uses: [
        "CommandLineTool", "AuthorityServer", "HealthImport", "WatchClient", "WidgetClient",
        "AuthorityLink",
        "WatchTransfer", "WireFormat", "Transport",
      ]),
    // What the emulators of a watch and of a phone share.
    library(
      "DeviceEmulator",
      uses: [
        "CommandLineTool", "WatchClient", "PhoneClient", "AuthorityLink", "WatchTransfer",
        "Transport", "Guards",
      ]),
    program("watch-emulator", uses: ["CommandLineTool", "DeviceEmulator"]),
    program("phone-emulator", uses: ["CommandLineTool", "DeviceEmulator"]),
    program(
      "widget-emulator",
      uses: [
        "CommandLineTool", "WidgetClient", "AuthorityLink", "WatchTransfer", "WireFormat",
        "Transport",
      ]),
    // The whole system on simulated time, network and disk.
    library(
      "Simulation",
      uses: [
        "AuthorityServer", "Authority", "Storage", "WireFormat", "WatchTransfer", "Transport",
        "AuthorityLink", "WatchClient", "WidgetClient", "Guards", "CSimulatedDisk",
      ]),
    program(
      "fault-simulator",
      uses: ["CommandLineTool", "Simulation", "AuthorityServer", "WatchTransfer", "Guards"]),
    // A proxy that does to connections what networks do.
    library("FaultProxy", uses: ["Transport", "AuthorityLink", "Guards"]),
    program("fault-proxy", uses: ["CommandLineTool", "FaultProxy", "Transport"]),
    program(
      "load-tester",
      uses: ["CommandLineTool", "WatchTransfer", "WireFormat", "Transport", "CLinux"]),

    // What several test targets use: a server to talk to, and a client that may misbehave.
    .target(
      name: "TestSupport",
      dependencies: [
        "AuthorityServer", "Authority", "Storage", "WireFormat", "WatchTransfer", "Transport",
        "Guards",
      ], path: "Tests/TestSupport"),
    // A server that crashes on purpose.
    .executableTarget(
      name: "trapping-server",
      dependencies: [
        "AuthorityServer", "CommandLineTool", "Guards", "Storage", "Transport", "WatchTransfer",
      ], path: "Tests/TrappingServer"),
    // What bytes from outside must not do: one function for each door, and libFuzzer over them.
    .target(name: "CFuzzer", path: "Tests/CFuzzer"),
    .target(
      name: "Fuzzing",
      dependencies: [
        "Simulation", "CommandLineTool", "AuthorityServer", "HealthImport", "Storage", "Authority",
        "WireFormat", "WatchTransfer", "Transport", "AuthorityLink", "WatchClient", "WidgetClient",
      ], path: "Tests/Fuzzing"),
    .executableTarget(
      name: "fuzzer", dependencies: ["Fuzzing", "CFuzzer", "Guards"], path: "Tests/fuzzer"),
    .testTarget(
      name: "FuzzTests", dependencies: ["Fuzzing", "AuthorityLink"], path: "Tests/FuzzTests",
      exclude: ["Corpus", "Crashes"]),
    tests(of: "WatchTransfer", uses: ["WatchTransfer"]),
    tests(of: "Authority", uses: ["Authority", "WatchTransfer"]),
    tests(of: "WireFormat", uses: ["WireFormat", "WatchTransfer"]),
    tests(of: "SQLite", uses: ["SQLite"]),
    tests(
      of: "Storage",
      uses: ["Storage", "SQLite", "Authority", "WireFormat", "WatchTransfer", "Guards"]),
    tests(of: "Transport", uses: ["Transport", "CLinux", "COpenSSL"]),
    tests(of: "HealthImport", uses: ["HealthImport", "WatchTransfer"]),
    tests(
      of: "AuthorityServer",
      uses: [
        "TestSupport", "AuthorityServer", "Authority", "Storage", "SQLite", "WireFormat",
        "WatchTransfer", "Transport", "FaultProxy", "Guards", "WatchClient", "AuthorityLink",
      ]),
    tests(
      of: "Clients",
      uses: [
        "TestSupport", "AuthorityLink", "WatchClient", "PhoneClient", "WidgetClient",
        "WatchTransfer",
        "WireFormat", "Transport", "Guards",
      ]),
    tests(
      of: "Programs",
      uses: [
        "TestSupport", "CommandLineTool", "DeviceEmulator", "WatchTransfer", "WireFormat",
        "AuthorityServer",
        "HealthImport", "Storage", "Guards",
      ], without: ["Fixtures"]),
    tests(
      of: "FaultProxy",
      uses: [
        "TestSupport", "FaultProxy", "AuthorityServer", "AuthorityLink", "WatchClient",
        "WireFormat", "WatchTransfer", "Transport", "Guards",
      ]),
    tests(
      of: "Simulation", uses: ["Simulation", "AuthorityServer", "WireFormat", "WatchTransfer"]),
    tests(
      of: "House",
      uses: ["AuthorityServer", "Authority", "WireFormat", "WatchTransfer", "Transport"]),
  ]
)

/// Swift targets all; a C target has no Swift settings.
let cTargets: Set<String> = [
  "CProtobufC", "CSQLite", "CExpat", "CCrypto", "COpenSSL", "CLinux", "CWireProto",
  "CSimulatedDisk", "CFuzzer",
]
for target in package.targets where !cTargets.contains(target.name) {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
  ]
}
