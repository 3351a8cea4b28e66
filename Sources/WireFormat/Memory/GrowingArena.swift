/// Memory for the C structs of one message that is being encoded; dropped whole by `reset`.
final class GrowingArena {
  /// Holds every message but large updates.
  private static let blockBytes = 65_536

  private let first: UnsafeMutableRawPointer
  private var overflow: [UnsafeMutableRawPointer] = []
  private var base: UnsafeMutableRawPointer
  private var capacity: Int
  private var used = 0

  /// An arena with its first block.
  init() {
    first = .allocate(byteCount: Self.blockBytes, alignment: 16)
    base = first
    capacity = Self.blockBytes
  }

  deinit {
    for block in overflow { block.deallocate() }
    first.deallocate()
  }

  /// `bytes` of uninitialised memory, aligned to 16, valid until `reset`.
  func allocate(bytes: Int) -> UnsafeMutableRawPointer {
    if bytes > capacity - used { grow(bytes: bytes) }
    let start = base + used
    used = min((used + bytes + 15) & ~15, capacity)
    return start
  }

  /// Drops everything that was allocated.
  func reset() {
    used = 0
    if overflow.isEmpty { return }
    for block in overflow { block.deallocate() }
    overflow.removeAll()
    base = first
    capacity = Self.blockBytes
  }

  private func grow(bytes: Int) {
    capacity = max(bytes, capacity * 2)
    base = .allocate(byteCount: capacity, alignment: 16)
    overflow.append(base)
    used = 0
  }
}
