internal import Glibc
internal import Guards

/// Bytes in the order they came, appended at the tail and consumed at the head; no memory while
/// empty.
///
/// A plain value inside a slot of the table: whoever holds it gives its memory back by `removeAll`.
///
/// Invariant: head <= tail <= capacity, and head < tail unless it has no memory.
struct ByteQueue {
  private var base: UnsafeMutableRawPointer?
  private var head: UInt32 = 0
  private var tail: UInt32 = 0
  private var capacity: UInt32 = 0

  /// How many bytes wait.
  var count: Int {
    Int(tail &- head)
  }

  /// Bytes of memory it has.
  var memoryBytes: Int { Int(capacity) }

  /// Whether none waits.
  var isEmpty: Bool {
    tail == head
  }

  /// The waiting bytes, valid until the next change.
  var bytes: UnsafeRawBufferPointer {
    guard let base else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(start: base + Int(head), count: count)
  }

  /// Adds bytes; `capacityMin` is what the first memory should hold at least.
  mutating func append(_ new: UnsafeRawBufferPointer, capacityMin: Int, from chunks: ChunkPool) {
    guard let source = new.baseAddress, new.count > 0 else { return }
    let room = reserve(new.count, capacityMin: capacityMin, from: chunks)
    memcpy(room, source, new.count)
    tail &+= UInt32(truncatingIfNeeded: new.count)
  }

  /// Room for `count` more bytes behind the tail; `commit` says how many were filled.
  mutating func reserve(
    _ count: Int, capacityMin: Int, from chunks: ChunkPool
  ) -> UnsafeMutableRawPointer {
    if let base, Int(capacity) - Int(tail) >= count { return base + Int(tail) }
    let waiting = bytes
    let needed = waiting.count + count
    if let base, needed <= Int(capacity), Int(head) >= waiting.count {
      // The free half is in front: moving costs no more than the bytes that were consumed since.
      memmove(base, base + Int(head), waiting.count)
      head = 0
      tail = UInt32(truncatingIfNeeded: waiting.count)
      return base + waiting.count
    }
    let grown = ChunkPool.capacity(for: max(needed, capacityMin))
    invariant(grown <= Int(Int32.max), "limits keep queues far below 2 GiB")
    let memory = chunks.allocate(grown)
    if let source = waiting.baseAddress { memcpy(memory, source, waiting.count) }
    if let base { chunks.release(base, Int(capacity)) }
    base = memory
    head = 0
    tail = UInt32(truncatingIfNeeded: waiting.count)
    capacity = UInt32(truncatingIfNeeded: grown)
    return memory + waiting.count
  }

  /// Takes over bytes written into the reserved room.
  mutating func commit(_ count: Int) {
    invariant(count <= Int(capacity) - Int(tail), "no more than was reserved")
    tail &+= UInt32(truncatingIfNeeded: count)
  }

  /// Drops bytes at the head; the memory goes back when none is left.
  mutating func consume(_ count: Int, to chunks: ChunkPool) {
    invariant(count >= 0 && count <= self.count, "no more than is there")
    head &+= UInt32(truncatingIfNeeded: count)
    if head == tail { removeAll(to: chunks) }
  }

  /// Gives the memory back.
  mutating func removeAll(to chunks: ChunkPool) {
    if let base { chunks.release(base, Int(capacity)) }
    self = ByteQueue()
  }
}
