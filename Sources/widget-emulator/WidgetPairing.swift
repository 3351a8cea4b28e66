import AuthorityLink
import CommandLineTool
import Transport
import WidgetClient

/// What the device is known by, and where that is kept.
struct WidgetPairing {
  /// Where the authority is, with the credential.
  let link: LinkConfiguration
  private let store: PairingStore?

  /// As the command line says; with a code or without a token, as the kept pairing does.
  init(_ options: WidgetOptions) async throws {
    store = options.cache.map { PairingStore(directory: $0) }
    if options.code != nil, store == nil {
      throw UsageError.contradiction("--code needs --cache, where the token is kept")
    }
    var link = LinkConfiguration(
      address: options.place.endpoint.address, tls: try options.place.client(),
      token: options.token ?? [])
    if options.code != nil || options.token == nil {
      link.credential = try await Self.credential(options, store, link)
    }
    self.link = link
  }

  /// The authority knows the device.
  func welcomed() throws { try store?.welcomed(link.credential) }

  /// The authority does not take the code.
  func refused() throws { try store?.refused(link.credential) }

  private static func credential(
    _ options: WidgetOptions, _ store: PairingStore?, _ link: LinkConfiguration
  ) async throws -> Credential {
    switch try await store?.settle(options.code, at: link) {
    case .credential(let credential): return credential
    case .codeRefused: throw WidgetError.codeRefused
    case .unpaired, nil:
      throw UsageError.contradiction(
        "this \(options.activity == nil ? "widget" : "activity") is not paired: give --token, "
          + "WRISTWIRE_TOKEN or --code")
    }
  }
}
