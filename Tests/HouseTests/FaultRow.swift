/// The catalogue of attacks and faults that the server must survive: each row with the tests
/// that show it, or the sentence of the design that decides otherwise.
///
/// A row without tests here has tests whose names begin with its id: `"A3 all ones before Hello"`,
/// `A5, A7: greetings that …`.
struct FaultRow: Sendable {
  let id: String
  let stimulus: String
  /// Names of tests that do not carry the id.
  let tests: [String]
  /// The sentence of the design that decides.
  let decidedBy: String?

  fileprivate init(_ id: String, _ stimulus: String, _ tests: String..., by sentence: String? = nil)
  {
    self.id = id
    self.stimulus = stimulus
    self.tests = tests
    decidedBy = sentence
  }

  static let table: [FaultRow] =
    framing + content + identity + access + delivery + resources + transport + processes
    + time + broadcast

  /// Rows whose tests are still to come. A row leaves the list with its first test.
  static let awaited: [String] = []

  /// How many rows each part has.
  static let parts: [(part: String, count: Int)] = [
    ("A", 15), ("B", 20), ("C", 17), ("D", 17), ("E", 15), ("F", 11), ("G", 17), ("H", 7), ("I", 8),
  ]
}

extension FaultRow {
  fileprivate static let framing: [FaultRow] = [
    FaultRow("A1", "length 0"),
    FaultRow("A2", "length at the limit, and one above"),
    FaultRow("A3", "length of all ones, sign bit, endless varint"),
    FaultRow("A4", "large frame before Hello"),
    FaultRow(
      "A5", "part of a length, then nothing",
      "a greeting that does not come in time ends in a goodbye"),
    FaultRow(
      "A6", "part of a frame, then nothing",
      "a frame that is not finished in time ends the connection",
      "A large frame that dribbles in is offered whole in the end"),
    FaultRow(
      "A7", "a byte now and then, from many",
      "each of many slow peers dies at its deadline, and others do not notice"),
    FaultRow("A8", "byte by byte"),
    FaultRow("A9", "10,000 frames in one write"),
    FaultRow("A10", "two frames in a segment, split anywhere"),
    FaultRow("A11", "another protocol"),
    FaultRow("A12", "a PROXY header"),
    FaultRow("A13", "garbage behind a good frame"),
    FaultRow("A14", "random bytes", "noise ends its connection and changes nothing"),
    FaultRow("A15", "a compressed payload"),
  ]
}

extension FaultRow {
  fileprivate static let content: [FaultRow] = [
    FaultRow("B1", "truncated, wrong wire type, group, field 0"),
    FaultRow("B2", "unknown fields"),
    FaultRow("B3", "32,000 unknown fields or empty messages"),
    FaultRow("B4", "a singular message again and again"),
    FaultRow("B5", "two members of a oneof, or none"),
    FaultRow("B6", "nested 10,000 deep"),
    FaultRow("B7", "unknown enum values"),
    FaultRow("B8", "text that is no UTF-8"),
    FaultRow("B9", "NUL, controls, text turned around"),
    FaultRow("B10", "text at its limit, and one above"),
    FaultRow("B11", "names that look alike"),
    FaultRow("B12", "ids that are empty, blank or paths"),
    FaultRow("B13", "NaN, infinity, -0"),
    FaultRow("B14", "durations that are negative, 0, endless"),
    FaultRow("B15", "instants outside of all sense"),
    FaultRow("B16", "long varints and bools"),
    FaultRow("B17", "a required message that is missing"),
    FaultRow("B18", "a server's message from a client"),
    FaultRow("B19", "10,000 items in one list"),
    FaultRow("B20", "one key twice in a list"),
  ]
}

extension FaultRow {
  fileprivate static let identity: [FaultRow] = [
    FaultRow("C1", "anything before Hello"),
    FaultRow("C2", "a second Hello"),
    FaultRow("C3", "unknown versions"),
    FaultRow("C7", "another account's id in a body"),
    FaultRow("C8", "another device's id"),
    FaultRow("C9", "another account's things", "one account never sees another"),
    FaultRow(
      "C10", "one device twice", "the newest connection of a device takes over",
      "two copies of a device that fight are slowed down, and nobody else is"),
    FaultRow("C11", "watch, widget and phone at once"),
  ]
}

extension FaultRow {
  fileprivate static let delivery: [FaultRow] = [
    FaultRow("D1", "the same act again"),
    FaultRow(
      "D2", "again on a new connection, after a restart, after a crash",
      "an act that is asked about again has the same receipt and no second effect",
      "an act that was committed and never answered is answered when it is asked again"),
    FaultRow(
      "D3", "the same number with other bytes",
      "a number with other bytes is a conflict that tells the stored outcome"),
    FaultRow(
      "D4", "the number of another device, of another account",
      "an outbox of another account begins there with 1"),
    FaultRow(
      "D5", "two copies in one write or in flight",
      "two copies in flight are joined and have one effect"),
    FaultRow(
      "D6", "again while the first is not durable",
      "two copies in flight are joined and have one effect",
      "nothing of an account leaves while its newest change is not durable"),
    FaultRow("D7", "incarnations of another length"),
    FaultRow(
      "D8", "again after its receipt is gone",
      "256 acts may wait for their confirmation, the next is held, older ones are settled"),
    FaultRow(
      "D9", "gap, step back, wrap",
      "acts behind a gap are held once and dropped until the missing one comes"),
    FaultRow(
      "D10", "based on an old state",
      by:
        "Between live controls of one timer the later corrected time wins (the other is refused superseded); field edits likewise."
    ),
    FaultRow(
      "D11", "a cursor from the future or another epoch",
      "a server that went back in time is noticed",
      "a cursor that does not hold gets the whole state"),
    FaultRow("D12", "a refusal again"),
    FaultRow(
      "D13", "a hold, then again", "acts over the rate are held and taken later",
      "under the reserve acts are held and reads go on"),
    FaultRow(
      "D14", "an acknowledgement of what was never sent",
      "what is confirmed never goes back and never passes the last number"),
    FaultRow(
      "D15", "a client that never acknowledges",
      "a surface that does not read owes the server no memory and misses nothing"),
    FaultRow("D16", "cut at every byte of request and reply"),
    FaultRow(
      "D17", "a commit of unknown outcome",
      "after a commit of unknown outcome nothing is answered, and a retry ends in one effect",
      "the next start tells what became of a write of unknown outcome"),
  ]
}

extension FaultRow {
  fileprivate static let resources: [FaultRow] = [
    FaultRow("E1", "many idle connections without Hello"),
    FaultRow(
      "E2", "no descriptors left", "a server out of descriptors does not spin, and works on",
      "Out of descriptors a listener refuses and pauses, and connections go on"),
    FaultRow(
      "E3", "one address, one account with many connections",
      "an address has so many connections, greeted or not, until they end"),
    FaultRow(
      "E4", "a reader that does not read",
      "a surface that does not read owes the server no memory and misses nothing",
      "A peer that never reads is closed after 30 s, without spinning until then"),
    FaultRow("E5", "a storm of resumes"),
    FaultRow("E6", "a storm of fetches"),
    FaultRow(
      "E7", "everybody comes back at once",
      "E7: everybody comes back at once after a restart, and resumes",
      "of a thousand no tenth of the time has more than its share twice",
      "who comes back for the whole state too often waits, and who has it does not"),
    FaultRow(
      "E8", "one change, many surfaces",
      "connections of one kind at one revision are sent the same bytes"),
    FaultRow(
      "E9", "a flood of good acts", "acts over the rate are held and taken later",
      "other accounts are answered meanwhile"),
    FaultRow(
      "E10", "memory budget",
      "Those that hold most are cut off, until the rest fits; and by a reset",
      "readers that owe too much together are cut off, and the others are not",
      "accounts that are not used leave memory and come back as they were",
      "A peer that sends without end is held up while it is not read",
      "a device that greets with ever new outboxes leaves no trace",
      "more addresses than are remembered push out those without connections",
      by: "Limits per account, device and address, each configurable, each visible in status."),
    FaultRow(
      "E11", "no memory at all", "a kill at any write leaves what was acknowledged",
      by: "kill -9 takes the same path; there is no other."),
    FaultRow("E12", "keys that collide"),
    FaultRow(
      "E13", "a flood of log lines",
      "an alarm that comes again and again only counts, and the oldest give way",
      by: "Anything else: a typed Goodbye(reason) and close, counted by reason."),
    FaultRow("E14", "pings without end, no pings at all"),
    FaultRow("E15", "the most expensive frame", "A client's worst legal frames fit the arena"),
  ]
}

extension FaultRow {
  fileprivate static let transport: [FaultRow] = [
    FaultRow(
      "F1", "half-close behind a request", "what was asked before the end of the stream is answered"
    ),
    FaultRow(
      "F2", "resets at any moment", "resets at any moment cost nobody else anything",
      "A storm of resets costs neither descriptors nor the other connections"),
    FaultRow("F3", "a peer that vanishes"),
    FaultRow("F4", "sending to a closed peer", "A write into a closed socket raises no signal"),
    FaultRow(
      "F5", "a window that stays shut",
      "A peer that never reads is closed after 30 s, without spinning until then"),
    FaultRow(
      "F6", "interrupted, short and failed calls", "Short writes lose and double nothing",
      "Out of descriptors a listener refuses and pauses, and connections go on"),
    FaultRow(
      "F7", "a descriptor's number used again",
      "A stale id does nothing to the next connection in its slot",
      "An event for a connection that ended earlier in the round is dropped"),
    FaultRow(
      "F8", "a full backlog", "A socket somebody answers at is left alone, also with a full queue",
      "A connect that is never answered ends after its time"),
    FaultRow(
      "F9", "an address in use",
      "A port in use is an error, and so is an address of another machine",
      "an address that is in use is said, and nothing is left behind"),
    FaultRow(
      "F10", "a path that is taken, too long or nowhere", "A path is at most 107 bytes long",
      "A file that is no socket is never deleted", "A missing directory is told"),
    FaultRow("F11", "damaged bytes"),
  ]
}

extension FaultRow {
  fileprivate static let time: [FaultRow] = [
    FaultRow(
      "H1", "the clock steps back",
      "a clock that is set back makes a turn, and nobody is shown the future",
      "edits after the clock is right again are taken"),
    FaultRow("H2", "the clock steps forward ten years"),
    FaultRow(
      "H3", "a device's clock is years off",
      "without a measured boot the wall clock decides, flagged and never after now",
      "B15: a device's own clock may show anything"),
    FaultRow(
      "H4", "changes of daylight time and zone, 23 and 25 hours",
      "DST-03: New York's 25-hour day is one day; 04:30Z on the 3rd is still the 2nd",
      "A civil day that never happened neither counts nor breaks: Apia without 2011-12-30",
      "a civil day lasts as long as it does there"),
    FaultRow(
      "H5", "a zone nobody knows, no zone data",
      "every zone of the database is known, by every name", "nothing else is"),
    FaultRow("H6", "the machine sleeps"),
    FaultRow(
      "H7", "2038, 2106, overflows", "no sum overflows",
      "every day of two centuries follows the one before", "readings of any size trap nowhere"),
  ]
}

extension FaultRow {
  fileprivate static let broadcast: [FaultRow] = [
    FaultRow(
      "I1", "a change between snapshot and subscription",
      "whatever happens, all surfaces end with the same state",
      "a receipt never comes before its update, minimum interval or not"),
    FaultRow(
      "I2", "an update lost, twice or late on the client's side",
      "WCH-09: a surface that asks again is answered although nothing changed"),
    FaultRow(
      "I3", "a state larger than a frame",
      by:
        "Counts and lengths are capped in decide (refused limit) so that no facet exceeds 32 KiB, a watch's state 100 KiB, a phone's 512 KiB; longer lists are pages."
    ),
    FaultRow(
      "I4", "revoked while an update is queued",
      "revoking a device cuts its connection before the command says so"),
    FaultRow(
      "I5", "a facet that a client does not know",
      "Kinds that this version does not know are left out of an update"),
    FaultRow(
      "I6", "the originator's own change",
      "a receipt never comes before its update, minimum interval or not"),
    FaultRow("I7", "an account deleted while devices are connected"),
    FaultRow(
      "I8", "more changes than state",
      by:
        "update(since) = { facet of the device kind's fixed set | facet.revision > since }: at most one copy of each facet."
    ),
  ]
}

extension FaultRow {
  fileprivate static let access: [FaultRow] = [
    FaultRow(
      "C4", "wrong tokens, a thousand a second",
      "wrong and revoked tokens of one address are counted alike",
      "a list tells good, revoked and unknown tokens apart, whatever their hashes share"),
    FaultRow(
      "C5", "a revoked token", "what a revoked device was still owed does not leave",
      "a device that is revoked on its way from the lobby never gets in"),
    FaultRow(
      "C6", "a Hello that was overheard",
      "a client that pins another key sends nothing and is counted",
      by: "Any other address needs TLS (OpenSSL) or an explicit `--insecure`."),
    FaultRow(
      "C12", "another user at the Unix socket",
      "everything on the disk is for its owner alone, whatever the umask",
      by: "Files 0600, directory 0700."),
    FaultRow(
      "C13", "files of limits and certificates that are broken, at the start and while it runs",
      "a line that is no limit is named by its number",
      "a new certificate is for newcomers; a broken one leaves all as it was"),
    FaultRow(
      "C14", "modes of files", "files are readable by their owner alone, whatever the umask",
      "the files are for their owner alone, whatever they were"),
    FaultRow(
      "C15", "names that are more than names",
      "what a peer chose neither forges a line nor reaches a terminal"),
    FaultRow(
      "C16", "an endpoint for commands that others reach",
      "everything on the disk is for its owner alone, whatever the umask",
      by: "Loopback and Unix sockets by default."),
    FaultRow(
      "C17", "a token in a log",
      "everything that changes who may come in, and every refusal, stands in it once",
      "a token prints nothing of itself"),
  ]

  fileprivate static let processes: [FaultRow] = [
    FaultRow("G1", "kill -9 at any call", "a kill at any write leaves what was acknowledged"),
    FaultRow("G2", "SIGTERM in the middle of a commit"),
    FaultRow("G3", "other signals"),
    FaultRow("G4", "a full disk"),
    FaultRow(
      "G5", "a disk that fails", "G1 G5 what was acknowledged outlives a fault at any call"),
    FaultRow("G6", "a directory that cannot be written", "a read-only file system is said"),
    FaultRow("G7", "a damaged database"),
    FaultRow("G8", "a log that is gone, cut off or another's"),
    FaultRow(
      "G9", "a log that kill -9 left",
      "what 32 writers were told survives kill -9 after kill -9, once"),
    FaultRow(
      "G10", "two servers", "a second server on the directory ends at once and says who runs"),
    FaultRow("G11", "a database that is moved away", "a server whose journal is taken away ends"),
    FaultRow(
      "G12", "a backup under load, and an older one restored",
      "a backup under load holds every receipt given before it, and a prefix of the history",
      "after two restores in a row, the second older than promised, it is told the truth"),
    FaultRow("G13", "a slow disk"),
    FaultRow("G14", "a migration that is interrupted", "a migration that fails changes nothing"),
    FaultRow("G15", "another version", "a file of a newer version is refused and left as it is"),
    FaultRow("G16", "a trap"),
    FaultRow(
      "G17", "ready only when it is",
      "ready lines name every address, with the port that was picked"),
  ]
}
