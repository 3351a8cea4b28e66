/// One door through which bytes come in from outside, and what must hold of it whatever the bytes.
public struct Harness: Sendable, CustomStringConvertible {
  /// Runs one input; throws `BrokenProperty` when something does not hold, and a trap of the code
  /// under it ends the process.
  public typealias Check = (UnsafeRawBufferPointer) throws -> Void

  /// A word for command lines and folders.
  public let name: String
  /// What is fed, and what must hold.
  public let summary: String
  /// Longer inputs find nothing that shorter ones do not.
  public let bytesMax: Int
  /// Mutated inputs that an ordinary test run has time for.
  public let mutations: Int
  /// Makes a check with decoders of its own; used by one thread.
  public let make: @Sendable () throws -> Check

  /// A harness from its parts.
  init(
    _ name: String, _ summary: String, bytesMax: Int, mutations: Int,
    make: @escaping @Sendable () throws -> Check
  ) {
    self.name = name
    self.summary = summary
    self.bytesMax = bytesMax
    self.mutations = mutations
    self.make = make
  }

  /// The harness of that name.
  public init?(named name: String) {
    guard let found = Self.all.first(where: { $0.name == name }) else { return nil }
    self = found
  }

  /// Its name.
  public var description: String { name }

  /// Every door.
  public static let all: [Harness] = [
    frames, clientMessages, bodies, serverMessages, facets, clients, talks, sessions, journal,
    clientFiles, admin, healthExport, texts,
  ]
}

/// Something that must hold of every input and does not.
public struct BrokenProperty: Error, CustomStringConvertible {
  /// What does not hold.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Throws unless `holds`.
func require(_ holds: Bool, _ property: @autoclosure () -> String) throws(BrokenProperty) {
  if !holds { throw BrokenProperty(property()) }
}
