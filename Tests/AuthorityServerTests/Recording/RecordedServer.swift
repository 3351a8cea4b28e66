import Foundation
import TestSupport
import WatchTransfer
import WireFormat

@testable import AuthorityServer

/// A server that records, and the traffic that a test gives it.
final class RecordedServer {
  let folder: TemporaryDirectory
  let fixture: ServerFixture
  var random: SeededGenerator
  private(set) var devices: [TestDevice] = []
  private(set) var widgets: [TestDevice] = []
  private var added = 0

  var path: String { "\(folder.path)/run.record" }

  init(
    seed: UInt64, bytesMax: Int = RecordOptions.bytesDefault, partitions: Int = 3,
    limits: ServerLimits = ServerLimits()
  ) throws {
    folder = try TemporaryDirectory()
    fixture = try ServerFixture(limits: limits, testClock: Scene.noon)
    fixture.partitions = partitions
    fixture.record = RecordOptions(path: "\(folder.path)/run.record", bytesMax: bytesMax)
    random = SeededGenerator(seed: seed)
    fixture.limits.replacementsBurst = 10_000
  }

  /// Starts with accounts of two phones and a widget each.
  func start(accounts: [String] = ["anna", "bert", "carl", "dora"]) async throws {
    try fixture.start()
    for account in accounts {
      try await fixture.addAccount(account)
      for name in ["one", "two"] {
        devices.append(try await fixture.device(.phone, account: account, name: name))
      }
      widgets.append(try await fixture.device(.widget, account: account))
    }
  }

  /// The parts of the record, the oldest first.
  var parts: [String] {
    (["\(path).3", "\(path).2", "\(path).1"] + [path]).filter {
      FileManager.default.fileExists(atPath: $0)
    }
  }

  /// Does something that devices do.
  func step() async throws {
    let device = devices.randomElement(using: &random)!
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<35: try burst()
    case 35..<50: try connected(device).perform(anyAction())
    case 50..<65: try fetch()
    case 65..<72:
      // A duplicate, and the same number with other bytes.
      let act = try connected(device).queue(anyAction())
      try device.settle(act)
      try device.settle(act)
    case 72..<78: try connected(device).resume(after: nil)
    case 78..<84: device.disconnect()
    case 84..<90:
      device.client?.reset()
      device.disconnect()
    case 90..<93: try strangers()
    case 93..<96:
      try await fixture.advanceClock(milliseconds: .random(in: 1...90_000_000, using: &random))
    case 96..<98 where added < 12:
      added += 1
      try await fixture.addAccount("more \(UInt64.random(in: 0 ... .max, using: &random))")
    default: try connected(device).sync()
    }
  }

  @discardableResult
  private func connected(_ device: TestDevice) throws -> TestDevice {
    if device.client == nil { try device.connect() }
    return device
  }

  /// Many at once, so that lobby and partitions run side by side.
  private func burst() throws {
    var waiting: [(TestDevice, [Act])] = []
    for device in devices where device.client != nil && Bool.random(using: &random) {
      let acts = (0..<Int.random(in: 1...12, using: &random)).map { _ in device.queue(anyAction()) }
      try device.send(pipelined: acts)
      waiting.append((device, acts))
    }
    for (device, acts) in waiting {
      for act in acts {
        _ = try device.receipt(of: act)
        device.outbox.confirmed = act.number
      }
      device.forgetLog()
    }
  }

  private func fetch() throws {
    let widget = widgets.randomElement(using: &random)!
    if widget.client == nil {
      try widget.begin()
      _ = try widget.waitForWelcome()
    }
    let view = WidgetView(kind: .streak, family: .small, appearance: .day)
    try widget.send(.fetch(Fetch(view: view)))
    _ = try widget.wait { if case .snapshot(let snapshot) = $0 { snapshot } else { nil } }
  }

  /// Those who have no token, talk nonsense, or stop in the middle.
  private func strangers() throws {
    let unknown = try fixture.client()
    try unknown.send(.hello(Hello(token: Token().bytes)))
    _ = try unknown.goodbye()
    let nonsense = try fixture.client()
    try nonsense.send(bytes: [0, 0, 0, 3, 1, 2, 3])
    _ = try nonsense.goodbye()
    let cut = try fixture.client()
    try cut.send(bytes: [0, 0, 0, 80, 10, 9])
    cut.reset()
  }

  private func anyAction() -> Action {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: Scene.goal(.random(in: 1...20_000, using: &random))
    case 1: Scene.match(.random())
    case 2:
      .defineWorkout(id: .random(), title: "Workout \(random.next() % 50)", exercises: ["Row"])
    case 3: .setTheme(mode: .night)
    default: .markWorkout(log: .random(), workout: .title("Title \(random.next() % 9)"))
    }
  }
}
