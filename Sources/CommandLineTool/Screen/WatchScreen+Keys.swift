public import WatchTransfer

/// What the person wishes by a key.
public enum ScreenWish: Hashable, Sendable {
  case quit
  case toggleOffline
  /// An action, as a script would say it.
  case act(ScriptedAction)
  /// To offer again, as a new one, an action whose outcome is unknown.
  case release(IncarnationNumber)
  /// To let go of it.
  case forget(IncarnationNumber)
  /// To be told something.
  case tell(String)
}

extension WatchScreen {
  /// A key was pressed over `scene`; nil: only the screen changed, or nothing.
  public mutating func pressed(_ key: ScreenKey, over scene: WatchScene) -> ScreenWish? {
    let count = selectableCount(of: scene)
    switch key {
    case .end: return .quit
    case .character(UInt8(ascii: "q")): return .quit
    case .character(UInt8(ascii: "o")): return .toggleOffline
    case .character(UInt8(ascii: "?")), .character(UInt8(ascii: "h")):
      return .tell("\(page.keys); tab or left and right change the page, o offline, q quits")
    case .right, .tab: turn(by: 1)
    case .left: turn(by: -1)
    case .up: selection = place(among: count, of: scene).map { max(0, $0 - 1) }
    case .down: selection = place(among: count, of: scene).map { min($0 + 1, count - 1) }
    case .enter, .character: return act(key, over: scene)
    }
    return nil
  }

  private mutating func turn(by step: Int) {
    let pages = Page.allCases
    page = pages[(page.rawValue + step + pages.count) % pages.count]
    selection = nil
  }

  private func act(_ key: ScreenKey, over scene: WatchScene) -> ScreenWish? {
    switch page {
    case .today: return key == .enter ? mark(in: scene) : nil
    case .session: return train(key, in: scene)
    case .match: return referee(key, in: scene)
    case .streak: return nil
    case .outbox: return decide(key, in: scene)
    }
  }

  /// The element that is selected.
  private func selected<Element>(of elements: [Element], in scene: WatchScene) -> Element? {
    place(among: elements.count, of: scene).map { elements[$0] }
  }

  private func mark(in scene: WatchScene) -> ScreenWish? {
    let items = scene.today?.days.current(at: scene.now)?.items ?? []
    guard let item = selected(of: items, in: scene) else {
      return .tell("there is nothing to mark")
    }
    return .act(item.done ? .unmark(title: item.title) : .mark(title: item.title))
  }

  private func train(_ key: ScreenKey, in scene: WatchScene) -> ScreenWish? {
    guard let session = scene.session else {
      guard key == .enter else { return nil }
      guard let routine = selected(of: scene.routines?.routines ?? [], in: scene) else {
        return .tell("there is no routine to start")
      }
      return .act(.strength(.startRoutine(title: routine.title)))
    }
    switch key {
    case .enter:
      if let position = place(among: session.exercises.count, of: scene),
        position != session.position
      {
        return .act(.strength(.select(.number(position + 1))))
      }
      guard let reps = session.reps else { return .tell("no repetitions are shown to do") }
      return .act(.strength(.set(reps: reps, weight: session.weight, isWarmUp: false)))
    case .character(UInt8(ascii: "n")): return .act(.strength(.select(.next)))
    case .character(UInt8(ascii: "p")): return .act(.strength(.select(.previous)))
    case .character(UInt8(ascii: " ")):
      return .act(.strength(.control(session.phase == .running ? .pause : .resume)))
    case .character(UInt8(ascii: "f")): return .act(.strength(.control(.finish)))
    default: return nil
    }
  }

  private func referee(_ key: ScreenKey, in scene: WatchScene) -> ScreenWish? {
    guard case .character(let letter) = key else { return nil }
    guard scene.teams != nil else { return .tell("there is no match") }
    switch letter {
    case UInt8(ascii: "1"): return .act(.point(.home))
    case UInt8(ascii: "2"): return .act(.point(.away))
    case UInt8(ascii: "u"):
      guard let entry = scene.score?.entries.last else { return .tell("there is no point") }
      return .act(.undo(entry.id))
    case UInt8(ascii: " "):
      return .act(.clock(scene.clock?.phase == .running ? .pause : .start))
    case UInt8(ascii: "e"): return .act(.clock(.nextHalf))
    default: return nil
    }
  }

  private func decide(_ key: ScreenKey, in scene: WatchScene) -> ScreenWish? {
    guard key == .enter || key == .character(UInt8(ascii: "x")) else { return nil }
    guard let kept = selected(of: scene.kept, in: scene) else {
      return .tell("the outbox is empty")
    }
    guard kept.isQuarantined else { return .tell("action \(kept.id.number) is not set aside") }
    return key == .enter ? .release(kept.id) : .forget(kept.id)
  }
}
