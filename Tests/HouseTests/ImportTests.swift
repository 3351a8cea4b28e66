import Testing

@Suite struct ImportTests {
  @Test(arguments: ImportRule.table)
  func `a target imports only what the design lets it`(rule: ImportRule) throws {
    let files = try Project.files(below: rule.folder, "swift")
    #expect(!files.isEmpty, "\(rule.folder) has no sources")
    for file in files {
      for module in imports(of: file) where !rule.modules.contains(module) {
        Issue.record("\(file.path) imports \(module)")
      }
    }
  }

  @Test func `the table names every target that is not a test`() throws {
    let declared = try Project.file("Package.swift")
    let calls = declared.text.matches(of: /(?:library|client|program)\(\s*"([A-Za-z-]+)"/)
    #expect(Set(calls.map { String($0.1) }) == Set(ImportRule.table.map(\.target)))
  }

  @Test func `clients have no rule and no store of their own`() {
    for rule in ImportRule.table where rule.folder.hasPrefix("clients/") {
      #expect(rule.modules.isDisjoint(with: ["Authority", "Storage", "AuthorityServer", "SQLite"]))
    }
  }

  @Test(arguments: [
    ("CSQLite", ["SQLite"]), ("CExpat", ["HealthImport"]), ("CProtobufC", ["WireFormat"]),
    ("CWireProto", ["WireFormat"]), ("CCrypto", ["AuthorityServer", "Storage"]),
    ("CSimulatedDisk", ["Simulation"]), ("COpenSSL", ["Transport"]),
  ])
  func `a C library has one owner`(library: String, owners: [String]) throws {
    for rule in ImportRule.table where !owners.contains(rule.target) {
      for file in try Project.files(below: rule.folder, "swift") {
        #expect(!imports(of: file).contains(library), "\(file.path) imports \(library)")
      }
    }
  }

  @Test(arguments: [
    "WatchTransfer", "Authority", "WireFormat", "SQLite", "Storage", "Transport", "HealthImport",
    "AuthorityLink", "WatchClient", "PhoneClient", "WidgetClient",
  ])
  func `the core and the clients do without Foundation`(target: String) throws {
    let rule = try #require(ImportRule.table.first { $0.target == target })
    #expect(!rule.modules.contains("Foundation"))
  }

  @Test(arguments: [
    ("import Glibc", "Glibc"), ("public import WatchTransfer", "WatchTransfer"),
    ("@testable import Authority", "Authority"),
    ("@preconcurrency internal import Dispatch", "Dispatch"),
    ("@_spi(Some) private import struct Foundation.Data", "Foundation"),
    ("  import  A", "A"),
  ])
  func `every form of an import is seen`(line: String, module: String) {
    #expect(imports(of: Project.File(path: "x", text: line)) == [module])
  }

  @Test(arguments: ["// import Foundation", "let import1 = 2", "important()", "imports of files"])
  func `what is no import is not taken for one`(line: String) {
    #expect(imports(of: Project.File(path: "x", text: line)).isEmpty)
  }

  private func imports(of file: Project.File) -> [String] {
    let form =
      /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|typealias|func|var|let|actor)\s+)?(\w+)/
    return file.lines.compactMap { line in
      line.contains("import") ? line.firstMatch(of: form).map { String($0.1) } : nil
    }
  }
}
