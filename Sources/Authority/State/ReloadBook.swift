public import WatchTransfer

/// How often widgets were told to fetch: the budget of a day outlives connections and restarts.
package struct ReloadBook: Sendable, Equatable {
  /// What one device was told on a day.
  package struct Told: Sendable, Equatable {
    package let device: DeviceID
    /// The latest civil day of the account's zones on which it was told.
    package var day: CivilDay
    package var count: Int

    /// So many on a day.
    package init(device: DeviceID, day: CivilDay, count: Int) {
      self.device = device
      self.day = day
      self.count = count
    }
  }

  /// In order of device.
  package private(set) var all: [Told] = []

  /// Nobody was told anything.
  package init() {}

  /// How often `device` was told on `day`. A day that comes again, by travel or by a clock that was
  /// set back, brings no new budget.
  func count(of device: DeviceID, on day: CivilDay) -> Int {
    let index = all.partitionIndex { $0.device < device }
    guard index < all.count, all[index].device == device, all[index].day >= day else { return 0 }
    return all[index].count
  }

  /// Counts one more.
  mutating func tell(_ device: DeviceID, on day: CivilDay) {
    put(
      Told(
        device: device, day: max(day, newestDay(of: device) ?? day),
        count: count(of: device, on: day) + 1))
  }

  /// Takes what is known of a device. Of too many the one that was told longest ago gives way.
  package mutating func put(_ told: Told) {
    let index = all.partitionIndex { $0.device < told.device }
    if index < all.count, all[index].device == told.device {
      all[index] = told
      return
    }
    all.insert(told, at: index)
    guard all.count > AuthorityLimits.reloadedDevicesMax,
      let oldest = all.indices.min(by: { all[$0].day < all[$1].day })
    else { return }
    all.remove(at: oldest)
  }

  /// The clock went back: no day is later than `day`.
  mutating func bringBack(to day: CivilDay) {
    for index in all.indices { all[index].day = min(all[index].day, day) }
  }

  private func newestDay(of device: DeviceID) -> CivilDay? {
    let index = all.partitionIndex { $0.device < device }
    return index < all.count && all[index].device == device ? all[index].day : nil
  }
}

extension AccountState {
  /// The event that tells `device` at `now` to fetch; nil when its day's budget of `perDay` is
  /// spent. A fifth of it is kept for big moments.
  public func reload(
    of device: DeviceID, at now: Instant, isBigMoment: Bool, perDay: Int
  ) -> Event? {
    let day = zone.rules.day(at: now)
    let open = isBigMoment ? perDay : perDay - perDay / 5
    return reloads.count(of: device, on: day) < open ? .reloadTold(device: device, day: day) : nil
  }
}
