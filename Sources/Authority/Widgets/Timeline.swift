public import WatchTransfer

/// A widget's timeline as of the account's newest turn.
public func timeline(_ state: AccountState, _ view: WidgetView) -> WidgetTimeline {
  WidgetTimeline(
    kind: view.kind, family: view.family, reloadAfter: state.horizon, day: nil, night: nil,
    entries: [])
}
