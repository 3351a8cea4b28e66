internal import Guards
internal import Transport
internal import WatchTransfer

/// Makes the backups of a plan when they are due, by the authority's clock.
final class BackupSchedule: Sendable {
  private struct State {
    var tick: (any Tick)?
    var isUnderWay = false
    var triedAt: Instant?
  }

  private let service: BackupService
  private let shared: SharedServices
  private let state = Lock(State())

  init(service: BackupService, shared: SharedServices) {
    self.service = service
    self.shared = shared
  }

  /// Looks each second from now on.
  func start(on queue: any WorkQueue) {
    guard let plan = shared.continuity.plan else { return }
    let tick = queue.tick(every: .seconds(1)) { [weak self] in self?.look(plan) }
    state.withLock { $0.tick = tick }
  }

  /// Looks no more.
  func stop() {
    state.withLock { state in
      state.tick?.cancel()
      state.tick = nil
    }
  }

  private func look(_ plan: BackupPlan) {
    let now = shared.clock.now()
    let begins = state.withLock { state in
      guard !state.isUnderWay, shared.continuity.isDue(at: now, triedAt: state.triedAt) else {
        return false
      }
      state.isUnderWay = true
      state.triedAt = now
      return true
    }
    guard begins else { return }
    Task {
      await service.backUpAsPlanned(plan)
      state.withLock { $0.isUnderWay = false }
    }
  }
}
