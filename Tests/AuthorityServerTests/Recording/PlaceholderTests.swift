import Authority
import Storage
import TestSupport
import Testing
import Transport
import WatchTransfer
import WireFormat

@testable import AuthorityServer

/// What stands for texts, secrets and addresses.
struct PlaceholderTests {
  private func made(_ seed: UInt64 = 1) -> Placeholders {
    Placeholders(random: SeededGenerator(seed: seed))
  }

  @Test func `equal words have equal placeholders, in small letters and in capitals`() {
    let made = made()
    let text = made.text("Anna's RACE, Anna's race 2024", as: .name)
    #expect(text.utf8.count == 29)
    let words = text.split(separator: " ").map(String.init)
    #expect(words[0] == words[2])
    #expect(words[1].dropLast().lowercased() == words[3])
    #expect(words[4].allSatisfy(\.isNumber) && words[4] != "2024")
    for part in ["Anna", "RACE", "race", "2024", "'"] { #expect(!text.contains(part)) }
  }

  @Test func `words of the closed list of activities stay in titles alone`() {
    let made = made()
    let title = made.text("Morning RUN (strength training)", as: .title)
    #expect(title.contains(" RUN "))
    #expect(title.contains("strength training"))
    #expect(!title.contains("Morning"))
    let name = made.text("Run", as: .name)
    #expect(name != "Run" && name.first?.isUppercase == true)
    #expect(made.text("traditionalStrengthTraining", as: .title) == "traditionalStrengthTraining")
  }

  @Test func `an unknown activity still stands in the titles it stood in`() {
    let made = made()
    let activity = made.text("Padel doubles", as: .title)
    let title = made.text("evening padel doubles, with Bo", as: .title)
    #expect(title.lowercased().contains(" \(activity.lowercased())"))
    #expect(!made.text("evening padels", as: .title).contains(activity.lowercased()))
  }

  @Test func `whatever a text is, its placeholder passes and fails the same checks`() {
    let made = made(7)
    var random = SeededGenerator(seed: 7)
    var known: [[UInt8]: [UInt8]] = [:]
    var origins: [[UInt8]: [UInt8]] = [:]
    let ranges: [ClosedRange<UInt32>] = [
      0x20...0x7E, 0x61...0x7A, 0x80...0x7FF, 0x2000...0x2070, 0x4E00...0x9FFF, 0x1F300...0x1F64F,
      0xFE00...0xFEFF, 0x0...0x1F,
    ]
    var names = 0
    for _ in 0..<4_000 {
      var text = ""
      for _ in 0..<Int.random(in: 3...24, using: &random) {
        let range = ranges[Int.random(in: 0..<5, using: &random) % 3 == 0 ? 1 : 0]
        let chosen =
          Int.random(in: 0..<10, using: &random) == 0
          ? ranges.randomElement(using: &random)! : range
        text.unicodeScalars.append(
          Unicode.Scalar(UInt32.random(in: chosen, using: &random)) ?? "x")
      }
      var bytes = Array(text.utf8)
      if Int.random(in: 0..<20, using: &random) == 0 { bytes.append(0xC3) }
      let replaced = made.text(bytes, as: .name)
      #expect(replaced.count == bytes.count)
      #expect(made.text(bytes, as: .name) == replaced)
      if let known = origins[replaced], String(validating: bytes, as: UTF8.self) != nil {
        #expect(known == bytes)
      }
      known[bytes] = replaced
      origins[replaced] = bytes
      let (old, new) = (
        String(validating: bytes, as: UTF8.self), String(validating: replaced, as: UTF8.self)
      )
      #expect(old.map { isTypedName($0) } == new.map { isTypedName($0) }, "\(bytes)")
      if old.map({ isTypedName($0) }) == true { names += 1 }
    }
    #expect(names > 1_000)
    #expect(!made.isExhausted)
  }

  @Test func `what a flag spells without being seen goes, too`() {
    let england = "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}"
    let made = made()
    let replaced = made.text("Match of \(england) \u{E0067}\u{E0062}", as: .name)
    #expect(isTypedName(replaced))
    for scalar in replaced.unicodeScalars {
      #expect(!england.unicodeScalars.contains(scalar), "\(scalar.value)")
    }
  }

  @Test func `a zone that nobody knows keeps the spelling of a zone`() throws {
    let redactor = try Redactor(random: SeededGenerator(seed: 2))
    #expect(redactor.zone("Europe/Berlin") == "Europe/Berlin")
    let zone = redactor.zone("Home/Anna_at-1")
    #expect(zone != "Home/Anna_at-1" && isZoneSpelling(zone) && zone.utf8.count == 14)
  }

  @Test func `all words of one letter have placeholders, and no more than there are`() {
    let made = made()
    let letters = (UInt8(ascii: "a")...UInt8(ascii: "z")).map { [$0] }
    #expect(Set(letters.map { made.text($0, as: .name) }).count == 26)
    #expect(!made.isExhausted)
  }

  @Test func `tokens stay as weak as they are, and hashes follow them`() throws {
    let redactor = try Redactor(random: SeededGenerator(seed: 3))
    let weak = [UInt8](repeating: 9, count: 32)
    let token = Token().bytes
    for bytes in [weak, token] {
      let frame = MessageEncoder().frame(.hello(Hello(token: bytes)))
      let redacted = redactor.frame(Array(frame[4...])).bytes
      guard
        case .hello(let hello) = try redacted.withUnsafeBytes({
          try MessageDecoder().decodeClientMessage($0)
        })
      else {
        Issue.record("no greeting")
        continue
      }
      #expect(hello.token != bytes)
      #expect(Token(bytes: hello.token)?.isWeak == Token(bytes: bytes)?.isWeak)
      #expect(redactor.tokenHash(TokenHash(of: bytes)) == TokenHash(of: hello.token))
    }
    let unknown = TokenHash(of: [1, 2, 3])
    #expect(redactor.tokenHash(unknown) != unknown)
    #expect(redactor.tokenHash(unknown) == redactor.tokenHash(unknown))
  }

  @Test func `addresses of one network stay in one, and loopback stays`() throws {
    let made = made()
    func peer(_ bytes: [UInt8]) -> PeerAddress { .internet(IPAddress(bytes: bytes)!) }
    let first = peer(
      [0x2A, 0x02] + [UInt8](repeating: 1, count: 6) + [UInt8](repeating: 2, count: 8))
    let second = peer(
      [0x2A, 0x02] + [UInt8](repeating: 1, count: 6) + [UInt8](repeating: 3, count: 8))
    #expect(made.peer(first) != first)
    #expect(made.peer(first) != made.peer(second))
    #expect(made.peer(first).network == made.peer(second).network)
    #expect(made.peer(first.network) == made.peer(first).network)
    let host = peer([192, 0, 2, 7])
    #expect(made.peer(host) != host && made.peer(host) == made.peer(host))
    #expect(made.peer(host).ipAddress?.isIPv4 == true)
    for local in [PeerAddress.internet(.loopback), .unix(user: 1000)] {
      #expect(made.peer(local) == local)
    }
  }
}
