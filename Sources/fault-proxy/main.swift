internal import CommandLineTool

await faultProxy.run { arguments in try await FaultProxyProgram.run(arguments) }
