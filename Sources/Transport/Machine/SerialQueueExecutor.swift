/// An executor over its own serial queue: an actor that uses it shares that queue with handlers of
/// sources and timers, which enter the actor by `assumeIsolated` without a hop.
///
/// `DispatchSerialQueue`, which is this on other platforms, does not exist on Linux
/// (swift-corelibs-libdispatch issue 848).
public final class SerialQueueExecutor: SerialExecutor {
  /// The queue that runs everything; sources of the actor's handlers go here.
  public let queue: any WorkQueue

  /// Runs an actor on `queue`.
  public init(on queue: any WorkQueue) {
    self.queue = queue
  }

  /// Makes a serial queue of this label on the host.
  public convenience init(label: String) {
    self.init(on: DispatchWorkQueue(label: label))
  }

  /// Runs a job of the actor on the queue, after what is there already.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async {
      job.runSynchronously(on: self.asUnownedSerialExecutor())
    }
  }

  /// Traps unless called on the queue; this is what lets `assumeIsolated` work in handlers.
  public func checkIsolated() {
    queue.checkIsolated()
  }
}
