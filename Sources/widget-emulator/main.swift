import CommandLineTool

await WidgetOptions.tool.run { arguments in
  let options = try WidgetOptions(arguments)
  _ = options
  return .ok
}
