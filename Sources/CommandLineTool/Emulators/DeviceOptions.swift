public import WatchTransfer

/// What the emulator of a watch or a phone is told on its command line.
public struct DeviceOptions: Sendable {
  /// What is emulated.
  public let kind: EmulatedKind
  /// As it was given.
  public let server: String
  /// Where it is, and whom to trust there.
  public let place: ServerPlace
  /// 32 bytes; nil: from the pairing that is kept.
  public let token: [UInt8]?
  /// To be redeemed; goes before a token.
  public let code: PairingCode?
  /// Directory of the outbox and of the last state.
  public let outbox: String
  /// Only queue; do not connect.
  public let isOffline: Bool
  /// Where the emulated wall clock starts; nil: the machine's clocks.
  public let deviceClock: InstantArgument?
  /// How long to listen on after the script, in seconds.
  public let staySeconds: Int
  /// How long to wait for the receipts, in seconds.
  public let timeoutSeconds: Int
  public let isJSON: Bool
  /// A screen on the terminal was asked for.
  public let isInteractive: Bool
  public let script: [ScriptedAction]

  /// Reads them; every action is read before anything happens.
  public init(
    _ arguments: ParsedArguments, of kind: EmulatedKind = .watch
  ) throws(UsageError) {
    self.kind = kind
    server = try arguments.required("server")
    place = try ServerPlace(arguments)
    token = try arguments.token()
    code = try arguments.code()
    outbox = try arguments.required("outbox")
    isOffline = arguments.flag("offline")
    deviceClock = try arguments.instant("device-clock")
    staySeconds = try arguments.integer("stay", in: 0...86_400) ?? 0
    timeoutSeconds = try arguments.integer("timeout", in: 0...86_400) ?? 30
    isJSON = arguments.flag("json")
    isInteractive = kind == .watch && arguments.flag("interactive")
    if isInteractive, isJSON || staySeconds > 0 || !arguments.all("do").isEmpty {
      throw .contradiction("--interactive is worked by keys: leave out --do, --json and --stay")
    }
    var script: [ScriptedAction] = []
    for text in arguments.all("do") {
      let action: ScriptedAction
      do throws(ScriptError) {
        action = try ScriptedAction(parsing: text)
      } catch {
        throw .contradiction("--do \"\(printable(text))\": \(error)")
      }
      guard kind == .phone || !action.isForPhone else {
        throw .contradiction(
          "--do \"\(printable(text))\": only a phone says who plays; use phone-emulator")
      }
      script.append(action)
    }
    self.script = script
  }

  /// Whether a terminal shows a screen: asked for, or with nothing else to do.
  public func showsScreen(onTerminal isTerminal: Bool) -> Bool {
    isInteractive
      || (kind == .watch && isTerminal && script.isEmpty && !isJSON && staySeconds == 0)
  }

  /// Whether the script acts on a match before it makes one, so that there must be one already.
  public var needsKnownMatch: Bool {
    for action in script {
      if action.needsMatch { return true }
      if case .match = action { return false }
    }
    return false
  }

  /// Whether the script names exercises, routines or a session of the last state.
  public var needsKnownRoutines: Bool {
    script.contains { action in
      switch action {
      case .strength, .pulse: true
      default: false
      }
    }
  }
}
