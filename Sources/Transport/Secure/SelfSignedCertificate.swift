internal import COpenSSL
internal import Glibc

/// A certificate that vouches for itself, with a key of its own on the curve P-256: all that a
/// server needs whose clients pin its key.
public struct SelfSignedCertificate: Sendable {
  /// In PEM.
  public let certificate: [UInt8]
  /// In PEM (PKCS #8); a secret.
  public let key: [UInt8]

  /// Makes a key and a certificate for host names and numeric addresses (at least one), valid from
  /// yesterday on for so many days.
  public init(hosts: [String], days: Int) throws(TLSSetupError) {
    ERR_clear_error()
    guard !hosts.isEmpty, let key = copenssl_make_key() else { throw .refused(TLSFile.reason()) }
    defer { EVP_PKEY_free(key) }
    guard let certificate = X509_new() else { throw .refused(TLSFile.reason()) }
    defer { X509_free(certificate) }
    guard Self.fill(certificate, key, hosts, days: days),
      X509_sign(certificate, key, EVP_sha256()) > 0,
      let certificateText = Self.text({ PEM_write_bio_X509($0, certificate) }),
      let keyText = Self.text({
        PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil)
      })
    else { throw .refused(TLSFile.reason()) }
    self.certificate = certificateText
    self.key = keyText
  }

  private static func fill(
    _ certificate: OpaquePointer, _ key: OpaquePointer, _ hosts: [String], days: Int
  ) -> Bool {
    let day = 86_400
    // RFC 5280 section 4.1.2.2: positive, and unlike every other of the same issuer.
    let serial = UInt64.random(in: 1...UInt64(Int64.max))
    let name = X509_get_subject_name(certificate)
    let common = Array("Wristwire".utf8)
    guard X509_set_version(certificate, 2) == 1,
      ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial) == 1,
      X509_gmtime_adj(X509_getm_notBefore(certificate), -day) != nil,
      X509_gmtime_adj(X509_getm_notAfter(certificate), days * day) != nil,
      X509_set_pubkey(certificate, key) == 1,
      X509_NAME_add_entry_by_txt(
        name, "CN", MBSTRING_ASC, common, Int32(common.count), -1, 0) == 1,
      X509_set_issuer_name(certificate, name) == 1
    else { return false }
    let names = hosts.map { isAddress($0) ? "IP:\($0)" : "DNS:\($0)" }.joined(separator: ",")
    guard let extra = X509V3_EXT_conf_nid(nil, nil, NID_subject_alt_name, names) else {
      return false
    }
    defer { X509_EXTENSION_free(extra) }
    return X509_add_ext(certificate, extra, -1) == 1
  }

  private static func isAddress(_ host: String) -> Bool {
    IPAddress(parsingIPv4: host) != nil || IPAddress(parsingIPv6: host) != nil
  }

  private static func text(_ write: (OpaquePointer) -> Int32) -> [UInt8]? {
    guard let bio = BIO_new(BIO_s_mem()) else { return nil }
    defer { BIO_free(bio) }
    guard write(bio) == 1 else { return nil }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = BIO_read(bio, &buffer, Int32(buffer.count))
      if count <= 0 { return text }
      text += buffer[..<Int(count)]
    }
  }
}
