package import Scenario

/// A scenario prepared to run: tables from GSL, device ranges, zones.
package struct Engine: Sendable {
  package let scenario: Scenario

  /// - Parameter zones: a table for every zone that the scenario names, covering its calendar.
  /// - Throws: `PreparationError` when a distribution cannot be tabulated.
  package init(preparing scenario: Scenario, zones: [String: ZoneTable]) throws(PreparationError) {
    self.scenario = scenario
  }

  /// Simulates every replication on `threads` threads; the same result for any number of them.
  ///
  /// - Returns: nil when `control` was cancelled before the end.
  package func run(threads: Int, control: RunControl) -> RunResult? { nil }
}

/// Why a scenario could not be prepared.
package struct PreparationError: Error, Hashable, Sendable {
  /// One sentence for the user.
  package var message: String
}
