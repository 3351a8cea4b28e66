import CommandLineTool

await WatchOptions.tool.run { arguments in
  var emulator = try await WatchEmulator(try WatchOptions(arguments))
  return try await emulator.run()
}
