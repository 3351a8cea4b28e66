internal import Glibc

/// A failed call on a client's own files: which, and the kernel's error number.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system call.
  package let call: String
  /// `errno`, a positive number.
  package let number: Int32

  /// `call` failed with `number`.
  package init(call: String, number: Int32) {
    self.call = call
    self.number = number
  }

  /// The error that the kernel reported last on this thread.
  package static func last(_ call: String) -> FileError {
    FileError(call: call, number: errno)
  }

  /// Such as `fsync: No space left on device`.
  package var description: String {
    var text = [CChar](repeating: 0, count: 128)
    guard strerror_r(number, &text, text.count) == 0 else { return "\(call): error \(number)" }
    let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return "\(call): \(String(decoding: bytes, as: UTF8.self))"
  }
}
