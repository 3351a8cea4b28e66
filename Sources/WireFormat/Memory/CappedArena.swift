import CProtobufC
import CWireProto

/// One reused block that protobuf-c unpacks into. An unpacked message is dropped whole by `reset`;
/// when the block is full, the unpacking fails instead of taking more (a malicious frame asks for a
/// hundred times its size).
final class CappedArena {
  private struct Block {
    let base: UnsafeMutableRawPointer
    let capacity: Int
    var used = 0
  }

  private let block: UnsafeMutablePointer<Block>
  /// What protobuf-c calls; valid as long as the arena.
  let allocator: UnsafeMutablePointer<ProtobufCAllocator>

  /// A block of `bytes`; pages that were never used cost nothing.
  init(bytes: Int) {
    block = .allocate(capacity: 1)
    block.initialize(
      to: Block(base: .allocate(byteCount: bytes, alignment: 16), capacity: bytes))
    allocator = .allocate(capacity: 1)
    allocator.initialize(
      to: ProtobufCAllocator(
        alloc: { CappedArena.allocate(from: $0, bytes: $1) }, free: { _, _ in },
        allocator_data: UnsafeMutableRawPointer(block)))
  }

  deinit {
    block.pointee.base.deallocate()
    block.deallocate()
    allocator.deallocate()
  }

  /// Whether the last request did not fit.
  var isExhausted: Bool { block.pointee.used > block.pointee.capacity }

  /// Drops everything that was allocated.
  func reset() {
    block.pointee.used = 0
  }

  /// protobuf-c asks for 8-byte alignment and takes nil for "no memory".
  private static func allocate(
    from data: UnsafeMutableRawPointer?, bytes: Int
  ) -> UnsafeMutableRawPointer? {
    guard let block = data?.assumingMemoryBound(to: Block.self) else { return nil }
    let start = block.pointee.used
    // Past the capacity `used` stays there, so that whatever is asked next fails too.
    guard start <= block.pointee.capacity, bytes <= block.pointee.capacity - start else {
      block.pointee.used = block.pointee.capacity + 1
      return nil
    }
    block.pointee.used = min((start + bytes + 15) & ~15, block.pointee.capacity)
    return block.pointee.base + start
  }
}
