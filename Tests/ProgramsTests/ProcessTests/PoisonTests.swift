import AuthorityServer
import Glibc
import TestSupport
import Testing
import WatchTransfer
import WireFormat

/// G16: a trap in a rule or a projection is not a crash loop for everyone. The real server with a
/// planted defect, and a supervisor that starts it again.
@Suite(.serialized, .timeLimit(.minutes(5))) struct PoisonTests {
  private let folder = try! TemporaryDirectory()

  private var data: String { "\(folder.path)/data" }

  /// Two people, of whom the server has a problem with the first.
  private struct Stage {
    let supervised: Supervised
    var anna: GoalWatch
    var ben: GoalWatch
    let account: AccountID
  }

  private func stage() async throws -> Stage {
    let supervised = Supervised(data: data)
    let server = try await supervised.ready()
    try await server.addAccount("anna")
    try await server.addAccount("ben")
    let token = try await server.pair(.watch, account: "anna")
    let welcome = try server.client().greet(Hello(token: token))
    var stage = Stage(
      supervised: supervised, anna: GoalWatch(token: token),
      ben: GoalWatch(token: try await server.pair(.watch, account: "ben")),
      account: welcome.account)
    for _ in 1...2 {
      stage.anna.queue()
      stage.ben.queue()
    }
    let visits = [try stage.anna.visit(server), try stage.ben.visit(server)]
    for visit in visits { guard case .settled = visit else { throw Unsettled() } }
    return stage
  }

  private struct Unsettled: Error {}

  /// Lets both visit until they are settled or turned away; ben loses no more than the connection.
  private func visits(_ stage: inout Stage) async throws -> Goodbye? {
    while true {
      stage.ben.queue()
      while true {
        let server = try await stage.supervised.ready()
        if case .settled = try stage.ben.visit(server) { break }
        try await stage.supervised.takeCrash()
      }
      let server = try await stage.supervised.ready()
      switch try stage.anna.visit(server) {
      case .settled: return nil
      case .turnedAway(let goodbye): return goodbye
      case .serverDied: try await stage.supervised.takeCrash()
      }
    }
  }

  private func expectAllIsWell(_ stage: Stage) async throws {
    try await stage.supervised.stop()
    #expect(try await wristwire("check", "--data", data).output == "ok\n")
    for receipt in stage.ben.receipts { #expect(receipt.outcome.word == "applied") }
  }

  @Test(arguments: [
    ("trap", SIGILL), ("abort", SIGABRT), ("overflow", SIGSEGV), ("kill", SIGKILL),
  ])
  func `G16 an act that crashes the server is refused as poison the third time`(
    how: String, signal: Int32
  ) async throws {
    var stage = try await stage()
    try await stage.supervised.stop()
    for _ in 1...3 { stage.anna.queue() }
    stage.supervised.traps = ["deciding/\(stage.account)/4/\(how)"]
    #expect(try await visits(&stage) == nil)
    #expect(stage.supervised.crashes.map(\.signal) == [signal, signal])
    let outcomes = stage.anna.receipts.map(\.outcome)
    #expect(outcomes.dropFirst(3).first == .refused(.poison), "\(outcomes)")
    #expect(outcomes.map(\.word) == ["applied", "applied", "applied", "refused", "applied"])
    let alarms = try await stage.supervised.ready().status().alarms
    #expect(alarms.contains { $0.contains("action 4") && $0.contains("\(stage.account)") })
    // The receipt is in the ledger, whatever the record of crashes says: also after a kill.
    try await stage.supervised.kill9()
    unlink("\(data)/crashes")
    #expect(try await visits(&stage) == nil)
    #expect(stage.supervised.crashes.count == 2)
    try await expectAllIsWell(stage)
  }

  @Test
  func `G16 an act of which the projection crashes the server is refused, not its account out`()
    async throws
  {
    var stage = try await stage()
    try await stage.supervised.stop()
    for _ in 1...3 { stage.anna.queue() }
    stage.supervised.traps = ["projecting/\(stage.account)/4/trap"]
    #expect(try await visits(&stage) == nil)
    // The first crash names the account, which is decided alone then; the next two name the act.
    #expect(stage.supervised.crashes.count == 3)
    let outcomes = stage.anna.receipts.map(\.outcome)
    #expect(outcomes.map(\.word) == ["applied", "applied", "applied", "refused", "applied"])
    #expect(outcomes.dropFirst(3).first == .refused(.poison), "\(outcomes)")
    let alarms = try await stage.supervised.ready().status().alarms
    #expect(!alarms.contains { $0.contains("is set aside") }, "\(alarms)")
    try await expectAllIsWell(stage)
  }

  @Test func `G16 one poisoned act after the other ends with the account set aside`() async throws {
    var stage = try await stage()
    try await stage.supervised.stop()
    for _ in 1...8 { stage.anna.queue() }
    stage.supervised.traps = (3...8).map { "deciding/\(stage.account)/\($0)/trap" }
    #expect(try await visits(&stage)?.reason == .internalError)
    #expect(stage.supervised.crashes.count == 8, "the most that one account can cause")
    #expect(stage.ben.receipts.count == stage.ben.bodies.count)
    try await stage.supervised.stop()
  }

  /// Of a projection that always crashes, the act in hand is blamed before the account is.
  @Test(arguments: [("turning", 2), ("projecting", 4)], ["trap", "abort"])
  func `G16 an account that crashes the server outside an action is set aside`(
    phase: (name: String, crashes: Int), how: String
  ) async throws {
    var stage = try await stage()
    try await stage.supervised.stop()
    stage.anna.queue()
    stage.supervised.traps = ["\(phase.name)/\(stage.account)/0/\(how)"]
    let goodbye = try #require(try await visits(&stage))
    #expect(stage.supervised.crashes.count == phase.crashes)
    #expect(goodbye.reason == .internalError && goodbye.comeBack)
    #expect(goodbye.retryAfterMilliseconds >= 60_000)
    let server = try await stage.supervised.ready()
    #expect(try await server.status().alarms.contains { $0.contains("is set aside") })
    let check = "\(try await server.ask(.check))"
    #expect(check.hasPrefix("findings") && check.contains("is set aside"), "\(check)")
    // Whoever asks for it hears no, and the server goes on.
    let imported = try await server.ask(.importWorkouts(account: "anna", bodies: []))
    #expect("\(imported)".hasPrefix("failed"), "\(imported)")
    // A person lets it in again: one more crash, and it is out.
    let answers = [
      try await server.ask(.readmit(account: "anna")),
      try await server.ask(.readmit(account: "ben")),
    ].map { "\($0)" }
    #expect(answers[0] == "done" && answers[1].hasPrefix("failed"), "\(answers)")
    try await stage.supervised.stop()
    #expect(try await visits(&stage) != nil)
    #expect(stage.supervised.crashes.count == phase.crashes + 1)
    // The defect is mended: another build tries by itself.
    try await stage.supervised.stop()
    let mended = try await ServeProcess(data: data)
    guard case .settled = try stage.anna.visit(mended), case .settled = try stage.ben.visit(mended)
    else { throw Unsettled() }
    #expect(stage.anna.receipts.map(\.outcome.word) == ["applied", "applied", "applied"])
    #expect(await mended.end().status == 0)
    #expect(try await wristwire("check", "--data", data).output == "ok\n")
  }

  @Test func `G16 rows of an account that cannot be folded wait, however long others go on`()
    async throws
  {
    var stage = try await stage()
    stage.anna.queue()
    #expect(try await visits(&stage) == nil)
    // Rows of both are in no checkpoint.
    try await stage.supervised.kill9()
    stage.supervised.traps = ["folding/\(stage.account)/0/trap"]
    #expect(try await visits(&stage)?.reason == .internalError)
    #expect(stage.supervised.crashes.count == 2)
    // Clean stops and kills say of every other row that it is folded.
    for round in 1...3 {
      #expect(try await visits(&stage) != nil)
      if round == 2 {
        try await stage.supervised.kill9()
      } else {
        try await stage.supervised.stop()
      }
    }
    #expect(stage.supervised.crashes.count == 2)
    let check = try await wristwire("check", "--data", data)
    #expect(check.status == 1 && check.output.contains("is set aside"), "\(check)")
    let receipts = stage.anna.receipts
    let readmitted = try await wristwire("account", "readmit", "anna", "--data", data)
    // Another program is another build: it has let anna in already, and folded her rows.
    #expect(
      readmitted.status == 1 && readmitted.errors.contains("neither set aside"), "\(readmitted)")
    let mended = try await ServeProcess(data: data)
    stage.anna.queue()
    guard case .settled = try stage.anna.visit(mended) else { throw Unsettled() }
    #expect(Array(stage.anna.receipts.dropLast()) == receipts)
    // Creating the account is revision 1: nothing was lost, nothing was applied twice.
    #expect(
      stage.anna.receipts.map(\.outcome)
        == (1...stage.anna.receipts.count).map { .applied(Revision($0) + 1) })
    #expect(await mended.end().status == 0)
    #expect(try await wristwire("check", "--data", data).output == "ok\n")
  }

  @Test func `G16 a crash in verifying a backup is no crash loop, and takes no account out`()
    async throws
  {
    var stage = try await stage()
    try await stage.supervised.stop()
    let target = "\(folder.path)/backups"
    #expect(mkdir(target, 0o700) == 0)
    stage.supervised.backupTarget = target
    stage.supervised.traps = ["verifying/\(stage.account)/0/trap"]
    // The first planned backup comes at once; after its crash the next one waits.
    _ = try await stage.supervised.ready()
    try await stage.supervised.takeCrash()
    stage.anna.queue()
    #expect(try await visits(&stage) == nil)
    let alarms = try await stage.supervised.ready().status().alarms
    #expect(alarms.contains { $0.contains("ended in a backup, 1 times") }, "\(alarms)")
    #expect(alarms.contains { $0.contains("\(stage.account) was being verified") }, "\(alarms)")
    #expect(!alarms.contains { $0.contains("decided alone") }, "\(alarms)")
    // By hand it is tried at once; found twice, she is left out.
    _ = try? await stage.supervised.ready().ask(.backUp(to: target, keep: nil))
    try await stage.supervised.takeCrash()
    #expect(stage.supervised.crashes.count == 2)
    let made = "\(try await stage.supervised.ready().ask(.backUp(to: target, keep: nil)))"
    #expect(made.hasPrefix("backedUp"), "\(made)")
    #expect(stage.supervised.crashes.count == 2)
    stage.anna.queue()
    #expect(try await visits(&stage) == nil)
    let answer = "\(try await stage.supervised.ready().ask(.check))"
    #expect(answer.contains("\(stage.account) was not replayed"), "\(answer)")
    #expect(stage.anna.receipts.allSatisfy { $0.outcome.word == "applied" })
    // A person has it tried again: once more is enough.
    let readmitted = "\(try await stage.supervised.ready().ask(.readmit(account: "anna")))"
    #expect(readmitted == "done")
    try await stage.supervised.stop()
    _ = try? await stage.supervised.ready().ask(.check)
    try await stage.supervised.takeCrash()
    #expect(stage.supervised.crashes.count == 3)
    #expect("\(try await stage.supervised.ready().ask(.check))".contains("was not replayed"))
    try await stage.supervised.stop()
  }

  @Test func `G16 a crash that is in no slot, and one that somebody sent, change nothing`()
    async throws
  {
    let stage = try await stage()
    for signal in [SIGKILL, SIGSEGV, SIGABRT] {
      let server = try await stage.supervised.ready()
      #expect(await server.end(signal).signal == signal)
      try await stage.supervised.kill9()
    }
    #expect(try await stage.supervised.ready().status().alarms.isEmpty)
    #expect(access("\(data)/crashes", F_OK) != 0)
    try await stage.supervised.stop()
  }
}
