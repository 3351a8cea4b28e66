internal import Glibc

/// Memory for byte queues: chunks of two sizes are reused last-in-first-out, so that the usual
/// answer is written from memory the processor still has in its cache.
final class ChunkPool {
  private var free: ContiguousArray<UnsafeMutableRawPointer> = []
  private var freeLarge: ContiguousArray<UnsafeMutableRawPointer> = []
  /// Bytes that were allocated and not released.
  private(set) var usedBytes = 0

  /// An empty pool.
  init() {
    free.reserveCapacity(TransportLimits.freeChunksMax)
    freeLarge.reserveCapacity(TransportLimits.freeLargeChunksMax)
  }

  deinit {
    for chunk in free { Glibc.free(chunk) }
    for chunk in freeLarge { Glibc.free(chunk) }
  }

  /// The capacity that `allocate` gives for a demand: a power of two, so that growing costs at most
  /// one copy of each byte on average.
  static func capacity(for bytes: Int) -> Int {
    var capacity = 256
    while capacity < bytes { capacity *= 2 }
    return capacity
  }

  /// Memory of exactly this capacity, one of `capacity(for:)`.
  func allocate(_ capacity: Int) -> UnsafeMutableRawPointer {
    usedBytes += capacity
    if capacity == TransportLimits.chunkBytes, let chunk = free.popLast() { return chunk }
    if capacity == TransportLimits.largeChunkBytes, let chunk = freeLarge.popLast() {
      return chunk
    }
    guard let memory = malloc(capacity) else { fatalError("out of memory") }
    return memory
  }

  /// Takes memory of this capacity back.
  func release(_ memory: UnsafeMutableRawPointer, _ capacity: Int) {
    usedBytes -= capacity
    if capacity == TransportLimits.chunkBytes, free.count < TransportLimits.freeChunksMax {
      free.append(memory)
    } else if capacity == TransportLimits.largeChunkBytes,
      freeLarge.count < TransportLimits.freeLargeChunksMax
    {
      freeLarge.append(memory)
    } else {
      Glibc.free(memory)
    }
  }
}
