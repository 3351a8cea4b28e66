internal import Glibc

/// A command that failed, with one line that says what to do.
public struct ToolFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// One line for a person.
  public let description: String

  /// Failed because of `description`.
  public init(_ description: String) {
    self.description = description
  }
}

extension Tool {
  /// Interprets the command line, runs `body` for the command it names, and ends the process: with
  /// the status that `body` returns, 2 for a usage error (wherever it is thrown), 1 for any other
  /// error; each error is one line on stderr.
  public func run(
    _ body: (ParsedArguments) async throws -> ExitStatus
  ) async -> Never {
    do {
      let arguments = try Self.arguments()
      switch try interpret(arguments, variable: environmentVariable) {
      case .show(let text):
        printText(text)
        end(.ok)
      case .run(let parsed): end(try await body(parsed))
      }
    } catch let error as UsageError {
      fail("\(error); see \"\(name) --help\"")
      end(.usage)
    } catch {
      fail("\(error)")
      end(.failed)
    }
  }

  /// The words of the command line; bytes that are no UTF-8 would silently become other text.
  private static func arguments() throws(UsageError) -> [String] {
    var words: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let bytes = CommandLine.unsafeArgv[index] else { break }
      guard let word = String(validatingCString: bytes) else {
        throw .contradiction("argument \(index) is not UTF-8")
      }
      words.append(word)
    }
    return words
  }

  /// Prints `message` as one line on stderr, with the program's name before it.
  public func fail(_ message: String) {
    printError("\(name): \(message)")
  }

  private func end(_ status: ExitStatus) -> Never {
    exit(status.rawValue)
  }
}

/// The value of an environment variable.
public func environmentVariable(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}
