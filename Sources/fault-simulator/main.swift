internal import CommandLineTool

await faultSimulator.run { arguments in try FaultSimulator.run(arguments) }
