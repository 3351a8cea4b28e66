import Testing

@Suite(.timeLimit(.minutes(3))) struct FormattingTests {
  @Test func `swift format finds nothing to say`() throws {
    let lint = try Project.run(
      "swift", "format", "lint", "--recursive", "--parallel", "--strict", "Package.swift",
      "Sources", "Tests", "clients")
    #expect(lint.status == 0, "\(lint.output.prefix(4_000))")
  }
}
