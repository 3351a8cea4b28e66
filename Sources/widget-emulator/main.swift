import CommandLineTool

await WidgetOptions.tool.run { arguments in
  let options = try WidgetOptions(arguments)
  if let face = options.activity {
    var emulator = try await ActivityEmulator(options, face)
    return try await emulator.run()
  }
  return try await WidgetEmulator(options).run()
}
