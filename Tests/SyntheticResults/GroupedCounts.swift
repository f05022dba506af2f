package import FleetEngine
package import Scenario

extension WindowSpread {
  /// - Parameter groups: requests by group, then window.
  package init(_ window: LoadWindow, _ groups: [[Int64]]) {
    let windows = groups.first?.count ?? 0
    self.init(
      window,
      GroupCounts(
        groups: groups.count,
        counts: (0..<windows).flatMap { window in groups.map { Double($0[window]) } }))
  }
}
