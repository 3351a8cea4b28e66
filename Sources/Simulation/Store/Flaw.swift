/// Something wrong with storage that must not go unnoticed.
public enum Flaw: CaseIterable, Sendable {
  /// A batch is said to be durable and is nowhere.
  case commitPretended
  /// The newest row is gone after a crash.
  case fsyncSkipped
  /// A checkpoint is said to be stored, with everything folded, and is nowhere.
  case checkpointPretended
  /// A checkpoint keeps the facets of the one before.
  case facetsForgotten
  /// A checkpoint keeps the ledger of the one before.
  case ledgerForgotten
  /// A checkpoint says that it includes a row more than it does.
  case rowSkipped
}
