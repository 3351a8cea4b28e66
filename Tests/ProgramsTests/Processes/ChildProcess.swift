import Dispatch
import Glibc
import Guards

/// A program of this package, run as a user runs it: arguments, an environment of its own, pipes.
///
/// Nothing blocks a task: pipes and the end of the process are waited for on queues of their own.
final class ChildProcess: Sendable {
  /// How a program ended and what it wrote.
  struct Ending: Sendable {
    /// Of exit(3); nil when a signal ended it.
    let status: Int32?
    /// Nil when it ended by itself.
    let signal: Int32?
    let output: String
    let errors: String
  }

  /// Why a program could not be run.
  struct Failure: Error, CustomStringConvertible {
    let description: String
    /// How it ended, where it was started.
    var ending: Ending?
  }

  /// The folder of the programs: the one that the test bundle is in.
  static let folder: String = {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(decoding: buffer[..<max(0, count)], as: UTF8.self)
    let bundle = path.hasSuffix(".xctest") ? path : CommandLine.arguments[0]
    return bundle.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/")
  }()

  private static let starting = Lock(())

  /// Lines of stdout as they come; ends with the output. For one consumer.
  let lines: AsyncStream<String>
  let id: pid_t
  private let output = Collector()
  private let errors = Collector()
  private let ending: AsyncStream<Int32>

  /// Starts `program` with exactly `environment`; it reads `input` on stdin. It is killed when it
  /// has not ended after `secondsMax`.
  init(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
    input: String = "", secondsMax: Int = 60
  ) throws {
    let path = program.hasPrefix("/") ? program : "\(Self.folder)/\(program)"
    let variables = environment.map { "\($0.key)=\($0.value)" }
    // One at a time: Glibc's module hides pipe2(2), and between pipe(2) and fcntl(2) a program
    // started beside this one would inherit the pipe and hold it open.
    let (id, pipes) = try Self.starting.withLock { _ in
      let pipes = try (0..<3).map { _ in try Self.pipe() }
      let id = try Self.spawn(
        path, [path] + arguments, variables
      ) { actions in
        let descriptors = [pipes[0].read, pipes[1].write, pipes[2].write]
        for (target, descriptor) in descriptors.enumerated() {
          posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target))
        }
      }
      return (id, pipes)
    }
    self.id = id
    for descriptor in [pipes[0].read, pipes[1].write, pipes[2].write] { close(descriptor) }
    let (lines, lineContinuation) = AsyncStream.makeStream(of: String.self)
    self.lines = lines
    output.collect(from: pipes[1].read) {
      lineContinuation.yield($0)
    } whenDone: {
      lineContinuation.finish()
    }
    errors.collect(from: pipes[2].read)
    Self.feed(input, to: pipes[0].write)
    let (ending, endContinuation) = AsyncStream.makeStream(of: Int32.self)
    self.ending = ending
    Self.reap(id, secondsMax: secondsMax) { status in
      endContinuation.yield(status)
      endContinuation.finish()
    }
  }

  /// Sends a signal.
  func signal(_ number: Int32) {
    kill(id, number)
  }

  /// Waits for the program's end and all it wrote; call it once.
  func end() async -> Ending {
    var status: Int32 = 0
    for await value in ending { status = value }
    let texts = await (output.text(), errors.text())
    // WIFEXITED and WEXITSTATUS of wait(2) are macros, which Swift does not see.
    let signal = status & 0x7F
    return Ending(
      status: signal == 0 ? status >> 8 & 0xFF : nil, signal: signal == 0 ? nil : signal,
      output: texts.0, errors: texts.1)
  }

  /// Runs a program to its end.
  static func run(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
    input: String = "", secondsMax: Int = 60
  ) async throws -> Ending {
    let child = try ChildProcess(
      program, arguments, environment: environment, input: input, secondsMax: secondsMax)
    return await child.end()
  }

  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard Glibc.pipe(&ends) == 0 else {
      throw Failure(description: "pipe: \(String(cString: strerror(errno)))")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Starts a program whose descriptors `prepare` makes; `flags` beside the signals' own.
  static func spawn(
    _ path: String, _ arguments: [String], _ environment: [String], flags: Int32 = 0,
    prepare: (inout posix_spawn_file_actions_t) -> Void
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    prepare(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A test runner may ignore or block signals; the program starts with none of that.
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(
      &attributes, Int16(Int32(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK) | flags))
    let argv = arguments.map { strdup($0) } + [nil]
    let envp = environment.map { strdup($0) } + [nil]
    defer { for text in argv + envp { free(text) } }
    var id: pid_t = 0
    let error = posix_spawn(&id, path, &actions, &attributes, argv, envp)
    guard error == 0 else {
      throw Failure(description: "\(path): \(String(cString: strerror(error)))")
    }
    return id
  }

  private static func feed(_ input: String, to descriptor: Int32) {
    DispatchQueue(label: "child.input").async {
      // A program that ends early closes its stdin; the runner must not die of SIGPIPE.
      Glibc.signal(SIGPIPE, SIG_IGN)
      var rest = Array(input.utf8)[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count <= 0 { break }
        rest = rest.dropFirst(count)
      }
      close(descriptor)
    }
  }

  /// Tells the end of a program, which is killed after `secondsMax`.
  static func reap(
    _ id: pid_t, secondsMax: Int, _ whenDone: @escaping @Sendable (Int32) -> Void
  ) {
    let life = Life(id)
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(secondsMax)) {
      life.kill()
    }
    DispatchQueue(label: "child.end").async {
      var status: Int32 = 0
      // Looked at without reaping first, so that the id is not reused before the kill is called
      // off.
      var information = siginfo_t()
      while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
      life.end()
      while waitpid(id, &status, 0) < 0, errno == EINTR {}
      whenDone(status)
    }
  }
}
