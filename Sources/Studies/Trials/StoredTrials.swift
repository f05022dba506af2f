import FleetEngine
package import Scenario

/// What further runs on the same draws have shown, as the files of a results folder keep it.
package struct StoredTrials: Equatable, Sendable {
  /// Of each endpoint with outages; empty where there are none or it was not tried.
  package var withoutOutages: [EndpointTries] = []

  package init(withoutOutages: [EndpointTries] = []) {
    self.withoutOutages = withoutOutages
  }
}

extension StoredColumns {
  package static let echo = ["endpoint", "minute", "first_tries", "reloads_after_errors", "retries"]
}

extension StoredTrials {
  package static let echoFile = "echo.csv"
  /// Sums over a year of as many stay within 64 bits.
  private static let mostInAMinute: Int64 = 100_000_000_000

  /// Reads echo.csv.
  ///
  /// - Parameter endpoints: those with outages, ascending.
  package static func withoutOutages(
    _ bytes: [UInt8], _ endpoints: [Int], of scenario: Scenario, _ scale: Scale
  ) throws(StoredFileError) -> [EndpointTries] {
    var csv = try CSVReader(bytes, file: echoFile, columns: StoredColumns.echo)
    guard try csv.next() else { return [] }
    var tries: [EndpointTries] = []
    for (number, endpoint) in endpoints.enumerated() {
      let name = CSVText.field(scenario.endpoints[endpoint].name)
      var minutes: [TryCounts] = []
      for minute in 0..<scenario.clock.minutes {
        if number > 0 || minute > 0 {
          guard try csv.next() else { throw csv.damaged("rows are missing at its end") }
        }
        guard csv.raw(0).elementsEqual(name), try csv.integer(1) == Int64(minute) else {
          throw csv.damaged("another endpoint or minute is expected here")
        }
        let counts = try (2...4).map { column throws(StoredFileError) in try csv.count(column, scale) }
        guard counts.allSatisfy((0..<mostInAMinute).contains) else { throw csv.damaged("a count that no run has") }
        minutes.append(TryCounts(first: counts[0], reloads: counts[1], retries: counts[2]))
      }
      tries.append(EndpointTries(endpoint: endpoint, minutes: minutes))
    }
    if endpoints.isEmpty { throw csv.damaged("the scenario has no outage in its measured period") }
    if try csv.next() { throw csv.damaged("there are more rows than minutes") }
    return tries
  }
}

extension StoredTrials {
  /// Reads what a run has left.
  ///
  /// - Parameter run: of the same folder.
  package init(of run: StoredRun, echo: [UInt8]) throws(StoredFileError) {
    withoutOutages = try Self.withoutOutages(
      echo, run.scenario.endpointsWithOutages(run.eventSpans), of: run.scenario, Scale(of: run))
  }
}
