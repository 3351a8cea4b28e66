internal import CommandLineTool

await wristwire.run { arguments in try await perform(arguments) }
