internal import CommandLineTool
internal import Glibc
internal import Transport

/// `wristwire certificate`
enum CertificateCommand {
  /// Ten years: clients that pin the key do not look at the time, and a new key means new pins.
  private static let daysDefault = 3_650

  static let description = CommandDescription(
    ["certificate"],
    summary: "Makes a key and a certificate of its own for \"wristwire serve\"; prints the pin.",
    options: [
      .value(
        "certificate", "FILE", "Where the certificate goes; must not exist.", isRequired: true),
      .value("key", "FILE", "Where the key goes, mode 0600; must not exist.", isRequired: true),
      .repeated(
        "host", "HOST",
        "A name or address of the server, for clients that check them. Default: "
          + "localhost."),
      .value("days", "N", "How long it is valid; \(daysDefault) unless given."),
    ],
    examples: [
      .init(
        "wristwire certificate --certificate tls.crt --key tls.key --host 192.0.2.7",
        "makes both files; clients are given the pin it prints")
    ])

  static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
    let certificatePath = try arguments.required("certificate")
    let keyPath = try arguments.required("key")
    let days = try arguments.integer("days", in: 1...36_500) ?? daysDefault
    let hosts = arguments.all("host")
    for host in hosts where !isHost(host) {
      throw UsageError.badValue(of: "--host", given: host, expected: "a name or numeric address")
    }
    let made = try SelfSignedCertificate(hosts: hosts.isEmpty ? ["localhost"] : hosts, days: days)
    try write(made.key, to: keyPath, mode: 0o600)
    do throws(ToolFailure) {
      try write(made.certificate, to: certificatePath, mode: 0o644)
    } catch {
      // A key without its certificate is of no use, and would be in the way of the next try.
      unlink(keyPath)
      throw error
    }
    printLine("pin \(try CertificatePin(certificatePath: certificatePath))")
    return .ok
  }

  private static func isHost(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 253
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "."),
          UInt8(ascii: ":"):
          true
        default: false
        }
      }
  }

  /// Writes a file that does not exist yet: no key is ever replaced by accident.
  private static func write(
    _ bytes: [UInt8], to path: String, mode: mode_t
  ) throws(ToolFailure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else {
      throw ToolFailure("cannot make \(printable(path)): \(String(cString: strerror(errno)))")
    }
    let isWritten =
      bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) } == bytes.count
      && fsync(descriptor) == 0
    let number = errno
    close(descriptor)
    guard isWritten else {
      unlink(path)
      throw ToolFailure("cannot write \(printable(path)): \(String(cString: strerror(number)))")
    }
  }
}

/// `wristwire pin`
enum PinCommand {
  static let description = CommandDescription(
    ["pin"],
    summary: "Prints what clients pin of a certificate: the SHA-256 of its key.",
    options: [.value("certificate", "FILE", "The certificate in PEM.", isRequired: true)],
    examples: [.init("wristwire pin --certificate tls.crt", "prints sha256: and base64")])

  static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
    printLine("\(try CertificatePin(certificatePath: try arguments.required("certificate")))")
    return .ok
  }
}
