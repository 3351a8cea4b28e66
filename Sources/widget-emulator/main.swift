import CommandLineTool

await WidgetOptions.tool.run { arguments in
  try await WidgetEmulator(WidgetOptions(arguments)).run()
}
