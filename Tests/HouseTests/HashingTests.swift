import Testing

/// E12: keys that a peer chooses must not be made to collide: each process hashes by a seed of its
/// own, but for the simulator, whose stories follow from a seed alone.
@Suite struct HashingTests {
  @Test func `E12: only the simulator hashes the same in every process`() throws {
    let variable = "SWIFT_DETERMINISTIC_" + "HASHING"
    let files = try ["Sources", "clients"].flatMap { try Project.files(below: $0, "swift") }
    let naming = files.filter { $0.text.contains(variable) }.map(\.path)
    #expect(naming == ["Sources/fault-simulator/FaultSimulator.swift"])
  }
}
