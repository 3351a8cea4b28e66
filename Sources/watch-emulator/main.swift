import CommandLineTool

await WatchOptions.tool.run { arguments in
  let options = try WatchOptions(arguments)
  _ = options
  return .ok
}
