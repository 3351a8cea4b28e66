import Foundation
import TestSupport
import Testing

@testable import AuthorityServer

/// The folder of an export: whole under its name, or not there.
@Suite struct AccountFolderTests {
  private let directory: TemporaryDirectory
  private var path: String { "\(directory.path)/anna" }

  init() throws {
    directory = try TemporaryDirectory()
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: directory.path) }
  }

  @Test func `a failed export leaves nothing, and can be tried again`() throws {
    let folder = try AccountFolder(path)
    try folder.write([1, 2], to: "photos/one")
    #expect(throws: AccountFolder.Failure.self) { try folder.write([3], to: "nowhere/two") }
    folder.discard()
    #expect(try names.isEmpty)
    let again = try AccountFolder(path)
    try again.write([1], to: "account.json")
    try again.finish()
    #expect(try names == ["anna"])
  }

  @Test func `what stands there already is left alone`() throws {
    try Data([7]).write(to: URL(filePath: path))
    #expect(throws: AccountFolder.Failure.self) { try AccountFolder(path) }
    #expect(try names == ["anna"])
  }
}
