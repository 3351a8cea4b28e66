internal import CFuzzer
internal import Foundation
internal import Fuzzing
internal import Guards

// fuzzer HARNESS [FILE | libFuzzer's arguments]…
//
// Built as Tests/Fuzz/run builds it, this is libFuzzer over one harness. Built like anything else,
// it runs the files it is given through the harness, for a debugger.

/// libFuzzer starts this program again by itself, with its own arguments only: the harness goes
/// along in the environment.
let variable = "WRISTWIRE_HARNESS"

func fail(_ text: String) -> Never {
  complain(text)
  exit(2)
}

func chooseHarness(_ words: [String]) -> (harness: Harness, rest: [String]) {
  if words.first == "--list" {
    for harness in Harness.all { print(harness.name) }
    exit(0)
  }
  let named = words.first.flatMap { Harness(named: $0) }
  if let named {
    setenv(variable, named.name, 1)
    return (named, Array(words.dropFirst()))
  }
  let inherited = ProcessInfo.processInfo.environment[variable].flatMap { Harness(named: $0) }
  guard let inherited else {
    let lines = Harness.all.map { "  \($0.name): \($0.summary)" }.joined(separator: "\n")
    fail("fuzzer HARNESS [FILE | libFuzzer's arguments]...; a harness is one of\n\(lines)")
  }
  return (inherited, words)
}

let (harness, rest) = chooseHarness(Array(CommandLine.arguments.dropFirst()))
let check: Harness.Check
do {
  check = try harness.make()
} catch {
  fail("\(harness.name) cannot begin: \(error)")
}

/// An end that libFuzzer takes for a crash.
func checkOrAbort(_ bytes: UnsafeRawBufferPointer) {
  do {
    try check(bytes)
  } catch {
    complain("\(harness.name): \(error)")
    abort()
  }
}

if cfuzzer_is_linked() != 0 {
  let words = ["fuzzer", "-max_len=\(harness.bytesMax)"] + rest
  var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
  // By its first word it starts itself again.
  arguments[0] = CommandLine.unsafeArgv[0]
  arguments.append(nil)
  let status = arguments.withUnsafeMutableBufferPointer { buffer in
    cfuzzer_run(Int32(words.count), buffer.baseAddress) { bytes, count in
      checkOrAbort(UnsafeRawBufferPointer(start: bytes, count: count))
      return 0
    }
  }
  exit(status)
}
for path in rest where !path.hasPrefix("-") {
  guard let data = FileManager.default.contents(atPath: path) else { fail("no file \(path)") }
  [UInt8](data).withUnsafeBytes { checkOrAbort($0) }
  print("\(harness.name): \(path) holds")
}
