public import Transport

/// Where a program finds its server, and whom it takes for it.
public struct ServerPlace: Sendable {
  /// Where it is.
  public let endpoint: EndpointAddress
  /// The key it must have, or the authorities that must vouch for it; nil: no TLS.
  public let trust: TLSTrust?
  /// The name an authority's certificate must be for; nil: the address.
  public let serverName: String?

  /// Reads the options `server`, `pin`, `authority` and `server-name`.
  public init(_ arguments: ParsedArguments) throws(UsageError) {
    let text = try arguments.required("server")
    do throws(SocketAddressError) {
      endpoint = try EndpointAddress(parsing: text)
    } catch {
      throw .contradiction("--server: \(error)")
    }
    serverName = arguments.value("server-name")
    trust = try Self.trust(arguments)
    if endpoint.isSecured, trust == nil {
      throw .contradiction("tls: needs --pin PIN or --authority FILE, to know the server by")
    }
    if !endpoint.isSecured, trust != nil {
      throw .contradiction("--pin and --authority are for TLS: write --server tls:\(endpoint)")
    }
    if serverName != nil, arguments.value("authority") == nil {
      throw .contradiction("--server-name goes with --authority; a pin needs no name")
    }
  }

  /// TLS towards it; nil: none. Throws when the authorities cannot be read.
  public func client() throws(ToolFailure) -> TLSClient? {
    guard let trust else { return nil }
    do throws(TLSSetupError) {
      return try TLSClient(trusting: trust, serverName: serverName)
    } catch {
      throw ToolFailure("--authority: \(error)")
    }
  }

  private static func trust(_ arguments: ParsedArguments) throws(UsageError) -> TLSTrust? {
    switch (arguments.value("pin"), arguments.value("authority")) {
    case (nil, nil): return nil
    case (_?, _?): throw .contradiction("--pin and --authority exclude each other")
    case (nil, let path?): return .authority(path: path)
    case (let text?, nil):
      guard let pin = CertificatePin(parsing: text) else {
        throw .badValue(
          of: "--pin", given: text, expected: "sha256: and base64, as wristwire pin prints it")
      }
      return .pin(pin)
    }
  }
}

extension OptionDescription {
  /// Where the authority listens; read it with `ServerPlace`.
  public static let server = value(
    "server", "ADDR", "Where the authority listens: HOST:PORT, tls:HOST:PORT or unix:PATH.",
    isRequired: true)
  /// The key of the server.
  public static let pin = value(
    "pin", "PIN", "With tls: the server's key, as \"wristwire serve\" prints it (sha256:…).")
  /// Who vouches for the server.
  public static let authority = value(
    "authority", "FILE", "With tls, instead of a pin: trust what these certificates vouch for.")
  /// What they vouch for.
  public static let serverName = value(
    "server-name", "NAME", "With --authority: the name to vouch for; the address unless given.")
}
