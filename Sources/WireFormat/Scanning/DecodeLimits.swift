/// What one frame may cost to read, by who sent it.
public struct DecodeLimits: Sendable, Hashable {
  /// Fields of a frame or a body, nested ones and unknown ones included.
  public var fieldsMax: Int
  /// Unknown fields of one message; a newer peer's few additions, not a flood.
  public var unknownFieldsMax: Int
  /// Messages within messages, the outermost counted.
  public var depthMax: Int
  /// Memory that unpacking may take.
  public var arenaBytesMax: Int

  /// Limits as given.
  public init(fieldsMax: Int, unknownFieldsMax: Int, depthMax: Int, arenaBytesMax: Int) {
    self.fieldsMax = fieldsMax
    self.unknownFieldsMax = unknownFieldsMax
    self.depthMax = depthMax
    self.arenaBytesMax = arenaBytesMax
  }

  /// A frame from a client, at most 64 KiB.
  public static let fromClient = DecodeLimits(
    fieldsMax: 512, unknownFieldsMax: 16, depthMax: 8, arenaBytesMax: 262_144)

  /// A frame from the server, at most 1 MiB, and the facets and timelines in it.
  public static let fromServer = DecodeLimits(
    fieldsMax: 32_768, unknownFieldsMax: 16, depthMax: 8, arenaBytesMax: 4_194_304)
}
