internal import CommandLineTool
internal import Glibc

// Whatever the caller's umask: what this program makes is for its user alone.
umask(0o077)
await wristwire.run { arguments in try await perform(arguments) }
