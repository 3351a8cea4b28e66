import Dispatch
import Glibc
import Guards

/// A program on a terminal of its own, as a person sits before it.
final class PseudoTerminal: Sendable {
  /// One whole screen: its lines, without colours.
  typealias Screen = [String]

  /// Screens as they come; ends when the program has let go of the terminal. For one consumer.
  let screens: AsyncStream<Screen>
  let id: pid_t
  private let near: Int32
  /// Held open, so that what the program left of the terminal can be looked at.
  private let far: Int32
  private let ending: AsyncStream<Int32>
  private let written: Lock<[UInt8]>
  private let isClosed = Lock(false)
  private let queue = DispatchQueue(label: "terminal.output")
  private nonisolated(unsafe) let source: any DispatchSourceRead

  // TIOCSPTLCK, TIOCGPTN and POSIX_SPAWN_SETSID, which Swift does not see.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430
  private static let newSession: Int32 = 0x80

  /// Starts `program` on a terminal of `columns` by `rows`.
  init(
    _ program: String, _ arguments: [String], environment: [String: String], columns: UInt16,
    rows: UInt16
  ) throws {
    // Glibc's module hides posix_openpt(3) and its like: see ioctl_tty(2).
    let near = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var unlocked: Int32 = 0
    var number: Int32 = 0
    guard near >= 0, ioctl(near, Self.setLock, &unlocked) == 0,
      ioctl(near, Self.getNumber, &number) == 0
    else { throw ChildProcess.Failure(description: "no pseudo-terminal") }
    let name = "/dev/pts/\(number)"
    _ = fcntl(near, F_SETFD, FD_CLOEXEC)
    _ = fcntl(near, F_SETFL, O_RDWR | O_NONBLOCK)
    self.near = near
    far = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    Self.resize(near, columns, rows)
    let path = "\(ChildProcess.folder)/\(program)"
    id = try ChildProcess.spawn(
      path, [path] + arguments, environment.map { "\($0.key)=\($0.value)" },
      flags: Self.newSession
    ) { actions in
      // The first that a new session opens becomes its terminal.
      posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
      posix_spawn_file_actions_adddup2(&actions, 0, 2)
    }
    let (ending, endContinuation) = AsyncStream.makeStream(of: Int32.self)
    self.ending = ending
    let (screens, screenContinuation) = AsyncStream.makeStream(of: Screen.self)
    self.screens = screens
    let written = Lock<[UInt8]>([])
    self.written = written
    source = DispatchSource.makeReadSource(
      fileDescriptor: near, queue: queue)
    source.setEventHandler { @Sendable in
      for screen in Self.takeScreens(of: near, into: written) {
        screenContinuation.yield(screen)
      }
    }
    source.activate()
    ChildProcess.reap(id, secondsMax: 60) { status in
      screenContinuation.finish()
      endContinuation.yield(status)
      endContinuation.finish()
    }
  }

  /// Presses keys.
  func press(_ keys: String) { _ = write(near, keys, keys.utf8.count) }

  /// Gives the terminal another size, of which the program is told.
  func resize(columns: UInt16, rows: UInt16) { Self.resize(near, columns, rows) }

  /// The line goes dead.
  func hangUp() {
    isClosed.withLock { isClosed in
      if !isClosed {
        source.cancel()
        close(near)
      }
      isClosed = true
    }
  }

  /// Waits for a screen that is as wanted.
  func screen(_ isWanted: (Screen) -> Bool) async throws -> Screen {
    var last: Screen = []
    for await screen in screens {
      if isWanted(screen) { return screen }
      last = screen
    }
    throw ChildProcess.Failure(description: "the program ended at \(last)")
  }

  /// Waits for the end; the status as of wait(2).
  func end() async -> Int32 {
    var status: Int32 = 0
    for await value in ending { status = value }
    return status
  }

  /// What was written since the last whole screen.
  var tail: String {
    // What came last may not have been read yet.
    queue.sync { _ = Self.takeScreens(of: near, into: written) }
    return written.withLock { String(decoding: $0, as: UTF8.self) }
  }

  /// Holds up what the program writes, as Ctrl-S does, or lets it go on.
  func holdUp(_ isHeld: Bool) { tcflow(far, isHeld ? TCOOFF : TCOON) }

  /// Whether what is typed is echoed, and comes by lines: how a shell wants its terminal.
  var isCooked: Bool {
    var settings = termios()
    guard tcgetattr(far, &settings) == 0 else { return false }
    let wanted = tcflag_t(ICANON | ECHO | ISIG)
    return settings.c_lflag & wanted == wanted
  }

  deinit {
    hangUp()
    close(far)
  }

  private static func resize(_ descriptor: Int32, _ columns: UInt16, _ rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
  }

  /// Reads what there is, and takes the whole screens off the front.
  private static func takeScreens(of near: Int32, into written: Lock<[UInt8]>) -> [Screen] {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while case let count = read(near, &bytes, bytes.count), count > 0 {
      let read = bytes[..<count]
      written.withLock { $0 += read }
    }
    return written.withLock { takeScreens(from: &$0) }
  }

  /// A screen begins at the upper left corner and ends by clearing what is below.
  private static func takeScreens(from bytes: inout [UInt8]) -> [Screen] {
    var screens: [Screen] = []
    while let end = bytes.firstRange(of: Array("\u{1B}[J".utf8)) {
      let text = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
      bytes.removeSubrange(..<end.upperBound)
      guard let home = text.firstRange(of: "\u{1B}[H") else { continue }
      screens.append(
        text[home.upperBound...].replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: "")
          .split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init))
    }
    return screens
  }
}
