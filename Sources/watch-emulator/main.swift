import CommandLineTool
import DeviceEmulator

await EmulatedKind.watch.tool.run { arguments in
  var emulator = try await DeviceEmulator(try DeviceOptions(arguments, of: .watch))
  return try await emulator.run()
}
