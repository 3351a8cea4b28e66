import CommandLineTool
import DeviceEmulator

await EmulatedKind.phone.tool.run { arguments in
  var emulator = try await DeviceEmulator(try DeviceOptions(arguments, of: .phone))
  return try await emulator.run()
}
