import CommandLineTool

await WidgetOptions.tool.run { arguments in
  try await WidgetEmulator(try WidgetOptions(arguments)).run()
}
