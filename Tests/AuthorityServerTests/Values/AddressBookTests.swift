import Testing
import Transport

@testable import AuthorityServer

@Suite struct AddressBookTests {
  static let here = PeerAddress.unix(user: 1)
  static let there = PeerAddress.unix(user: 2)

  func isTaken(
    by book: inout AddressBook, _ address: PeerAddress = Self.here, connections: Int = 100,
    wrongTokens: Int = 100, at now: Int64 = 0
  ) -> Bool {
    book.mayConnect(
      address, connectionsMax: connections, wrongTokensMax: wrongTokens, now: now)
  }

  @Test(arguments: [1, 3]) func `an address has as many connections as it may`(max: Int) {
    var book = AddressBook()
    for _ in 0..<max { #expect(isTaken(by: &book, connections: max)) }
    let more = isTaken(by: &book, connections: max)
    #expect(!more)
    // The one that was turned away leaves too.
    book.left(Self.here)
    book.left(Self.here)
    #expect(isTaken(by: &book, connections: max))
    #expect(isTaken(by: &book, Self.there, connections: max))
  }

  @Test(
    arguments: [
      (2, 0, true), (3, 0, false), (3, 60_000, false), (3, 60_001, true), (9, 60_001, true),
    ] as [(Int, Int64, Bool)])
  func `an address with too many wrong tokens is turned away for the rest of a minute`(
    wrongTokens: Int, later: Int64, isWelcome: Bool
  ) {
    var book = AddressBook()
    #expect(isTaken(by: &book, wrongTokens: 3, at: 1_000))
    for _ in 0..<wrongTokens { book.wrongToken(from: Self.here, now: 1_000) }
    // The minute counts from what the book first saw.
    let since: Int64 = 0
    #expect(isTaken(by: &book, wrongTokens: 3, at: since + later) == isWelcome)
    #expect(isTaken(by: &book, Self.there, wrongTokens: 3, at: 1_000 + later))
  }

  @Test func `wrong tokens count for those who are connected already, and right ones do not`() {
    var book = AddressBook()
    #expect(isTaken(by: &book, wrongTokens: 2))
    func mayGreet(at now: Int64) -> Bool { book.mayGreet(Self.here, wrongTokensMax: 2, now: now) }
    book.wrongToken(from: Self.here, now: 0)
    book.wrongToken(from: Self.here, now: 0)
    #expect(!mayGreet(at: 60_000))
    #expect(mayGreet(at: 60_001))
    book.rightToken(from: Self.here)
    #expect(mayGreet(at: 0))
    // The next minute counts anew.
    book.wrongToken(from: Self.here, now: 70_000)
    #expect(book.mostWrongTokens == 1)
    book.rightToken(from: Self.there)
    #expect(book.mayGreet(Self.there, wrongTokensMax: 1, now: 0))
  }

  @Test func `addresses without connections are forgotten once their minute is over`() {
    var book = AddressBook()
    #expect(isTaken(by: &book, at: 1_000))
    for _ in 0..<100 { book.wrongToken(from: Self.here, now: 1_000) }
    book.left(Self.here)
    book.forget(before: 2_000)
    #expect(isTaken(by: &book, wrongTokens: 1, at: 2_000))
  }

  @Test func `more addresses than are remembered push out those without connections`() {
    var book = AddressBook()
    for user in 0..<UInt32(AddressBook.pagesMax) {
      _ = isTaken(by: &book, .unix(user: user))
      if user > 0 { book.left(.unix(user: user)) }
    }
    _ = isTaken(by: &book, .unix(user: .max))
    let second = isTaken(by: &book, .unix(user: 0), connections: 1)
    #expect(!second, "the one that is connected is still known")
  }
}
