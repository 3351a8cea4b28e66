internal import WatchTransfer

/// Raised whenever a projection changes what it gives for the same state.
private let projectionVersion = 2

/// Names what facets are made by, the projection and the zone data: facet rows of another build are
/// projected anew (DESIGN section 3).
func facetBuild(_ zones: any ZoneRulesSource) -> String { "\(projectionVersion)/\(zones.version)" }
