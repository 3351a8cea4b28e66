internal import CommandLineTool

await LoadOptions.tool.run { arguments in try await load(try LoadOptions(arguments)) }
