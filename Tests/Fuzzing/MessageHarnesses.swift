internal import WatchTransfer
internal import WireFormat

// Of everything that is decoded: what the scan of the raw bytes lets pass, protobuf-c unpacks; and
// what is a value, encoded and decoded, is the same value and the same bytes.

extension Harness {
  /// What a server decodes of a frame.
  static let clientMessages = Harness(
    "client-messages", "the payload of a client's frame", bytesMax: 2_048, mutations: 20_000
  ) {
    let decoder = MessageDecoder()
    let encoder = MessageEncoder()
    return { bytes in
      try checkIdentity(
        bytes, decode: { (payload) throws(WireError) in try decoder.decodeClientMessage(payload) },
        encode: { payload(of: encoder.frame($0)) })
    }
  }

  /// What a server decodes of an act.
  static let bodies = Harness(
    "bodies", "the body of an act", bytesMax: 4_096, mutations: 20_000
  ) {
    let decoder = MessageDecoder()
    let encoder = MessageEncoder()
    return { bytes in
      try checkIdentity(
        bytes, decode: { (body) throws(WireError) in try decoder.checkedBody(Array(body)) },
        encode: { encoder.encode($0) })
      // The public way says which field is to blame; it must never say more or less.
      let isValue = (try? decoder.checkedBody(Array(bytes))) != nil
      let isAction = (try? decoder.decodeActionBody(Array(bytes))) != nil
      try require(isValue == isAction, "a body is an action one way and not the other")
    }
  }

  /// What a client decodes of a frame, and of the contents within it.
  static let serverMessages = Harness(
    "server-messages", "the payload of a server's frame", bytesMax: 4_096, mutations: 20_000
  ) {
    let decoder = MessageDecoder(limits: .fromServer)
    let encoder = MessageEncoder()
    return { bytes in
      let message = try checkIdentity(
        bytes, decode: { (payload) throws(WireError) in try decoder.decodeServerMessage(payload) },
        encode: { payload(of: encoder.frame($0)) })
      switch message {
      case .update(let update):
        for facet in update.facets { try checkFacet(facet, decoder, encoder) }
      case .snapshot(let snapshot): try checkTimeline(snapshot.content, decoder, encoder)
      default: break
      }
    }
  }

  /// What a client decodes of a facet's content or a snapshot's.
  static let facets = Harness(
    "facets", "one byte for the kind, then the content of a facet or a widget's timeline",
    bytesMax: 4_096, mutations: 20_000
  ) {
    let decoder = MessageDecoder(limits: .fromServer)
    let encoder = MessageEncoder()
    return { bytes in
      var feed = ByteFeed(bytes)
      let kind = FacetKind(rawValue: feed.byte() % 16)
      let content = Array(feed.rest())
      guard let kind else { return try checkTimeline(content, decoder, encoder) }
      try checkFacet(EncodedFacet(kind: kind, revision: 1, content: content), decoder, encoder)
    }
  }
}

/// Checks a facet's content.
private func checkFacet(
  _ facet: EncodedFacet, _ decoder: MessageDecoder, _ encoder: MessageEncoder
) throws {
  try facet.content.withUnsafeBytes { content in
    _ = try checkIdentity(
      content,
      decode: { (content) throws(WireError) in
        try decoder.decodeFacet(
          EncodedFacet(kind: facet.kind, revision: facet.revision, content: Array(content)))
      }, encode: { encoder.encode($0) })
  }
}

/// Checks a snapshot's content.
private func checkTimeline(
  _ content: [UInt8], _ decoder: MessageDecoder, _ encoder: MessageEncoder
) throws {
  try content.withUnsafeBytes { content in
    _ = try checkIdentity(
      content,
      decode: { (content) throws(WireError) in try decoder.decodeTimeline(Array(content)) },
      encode: { encoder.encode($0) })
  }
}

/// Decodes; what gives a value must come back the same, twice. nil: it gave an error.
@discardableResult
private func checkIdentity<Value: Equatable>(
  _ bytes: UnsafeRawBufferPointer, decode: (UnsafeRawBufferPointer) throws(WireError) -> Value,
  encode: (Value) -> [UInt8]
) throws(BrokenProperty) -> Value? {
  let value: Value
  do throws(WireError) {
    value = try decode(bytes)
  } catch {
    try require(
      error != .malformed(.unreadable), "the scan accepts what protobuf-c does not unpack")
    return nil
  }
  let encoded = encode(value)
  let again = encoded.withUnsafeBytes { buffer in
    Result { () throws(WireError) in try decode(buffer) }
  }
  switch again {
  case .failure(let error): throw BrokenProperty("what was encoded does not decode: \(error)")
  case .success(let second):
    try require(second == value, "encoded and decoded it is another value")
    try require(encode(second) == encoded, "encoded twice it is other bytes")
  }
  return value
}

/// A frame without its prefix.
private func payload(of frame: [UInt8]) -> [UInt8] {
  Array(frame.dropFirst(FrameLimits.prefixBytes))
}
