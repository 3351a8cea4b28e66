/// Why nobody can be listened to at an address: an error of the configuration, told at the start.
public enum ListenError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Another process answers there.
  case addressInUse(SocketAddress)
  /// No interface of this machine has the address.
  case addressNotAvailable(SocketAddress)
  /// The user may not listen there.
  case permissionDenied(SocketAddress)
  /// The path is taken by something that is no socket; it is left alone.
  case notASocket(path: String)
  /// The directory of the path does not exist.
  case directoryMissing(path: String)
  /// Any other failed system call.
  case system(SystemError)

  /// What is wrong, in words.
  public var description: String {
    switch self {
    case .addressInUse(let address): "\(address) is in use by another process"
    case .addressNotAvailable(let address): "\(address) is no address of this machine"
    case .permissionDenied(let address): "no permission to listen at \(address)"
    case .notASocket(let path): "\(path) exists and is no socket; it was left as it is"
    case .directoryMissing(let path): "the directory of \(path) does not exist"
    case .system(let error): error.description
    }
  }
}
