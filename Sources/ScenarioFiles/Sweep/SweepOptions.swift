package import Scenario

/// What the command line says of a sweep, in place of the file.
package struct SweepOptions: Sendable {
  /// `PATH=V1,V2,...` or `PATH=A..B`; empty: what the file varies.
  package var vary: [String]
  /// nil: that of the file.
  package var method: SweepMethod?
  /// nil: those of the file.
  package var points: Int?

  package init(vary: [String] = [], method: SweepMethod? = nil, points: Int? = nil) {
    self.vary = vary
    self.method = method
    self.points = points
  }
}
