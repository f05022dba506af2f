import FleetEngine
package import Scenario

/// What further runs on the same draws have shown, as the files of a results folder keep it.
package struct StoredTrials: Equatable, Sendable {
  /// Minutes of each endpoint with outages, simulated without them; empty where there are none or it was not tried.
  package var withoutOutages: [EndpointTries] = []
  /// Outcomes of what findings advise, the most severe first.
  package var outcomes: [TrialOutcome] = []

  package init(withoutOutages: [EndpointTries] = [], outcomes: [TrialOutcome] = []) {
    self.withoutOutages = withoutOutages
    self.outcomes = outcomes
  }

  /// The outcome of a finding's remedy; nil: not tried.
  package func outcome(of finding: RunFinding, in scenario: Scenario) -> TrialOutcome? {
    guard let settings = finding.remedy?.text(in: scenario) else { return nil }
    return outcomes.first { $0.topic == finding.topic && $0.settings == settings }
  }

  /// Reads what a run has left.
  ///
  /// - Parameter run: of the same folder.
  package init(of run: StoredRun, echo: [UInt8], trials: [UInt8]) throws(StoredFileError) {
    withoutOutages = try Self.withoutOutages(
      echo, run.scenario.endpointsWithOutages(run.eventSpans), of: run.scenario, Scale(of: run))
    outcomes = try Self.outcomes(trials)
  }
}

extension StoredColumns {
  package static let echo = ["endpoint", "minute", "first_tries", "reloads_after_errors", "retries"]
  package static let trials = ["trial", "finding", "settings", "figure", "unit", "before", "after"]
}

extension StoredTrials {
  package static let echoFile = "echo.csv"
  package static let trialsFile = "trials.csv"
  /// Sums over a year of as many stay within 64 bits.
  private static let mostInAMinute: Int64 = 100_000_000_000

  /// Reads echo.csv.
  ///
  /// - Parameter endpoints: those with outages, ascending.
  private static func withoutOutages(
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

  /// Reads trials.csv: every figure of the first trial, then those of the next.
  private static func outcomes(_ bytes: [UInt8]) throws(StoredFileError) -> [TrialOutcome] {
    var csv = try CSVReader(bytes, file: trialsFile, columns: StoredColumns.trials)
    let figures = TrialFigure.allCases
    var outcomes: [TrialOutcome] = []
    var row = 0
    while try csv.next() {
      let figure = figures[row % figures.count]
      guard try csv.integer(0) == Int64(row / figures.count + 1), try csv.text(3) == figure.rawValue,
        try csv.text(4) == figure.unit
      else { throw csv.damaged("another trial, figure or unit is expected here") }
      guard let topic = RunFinding.Topic(rawValue: try csv.text(1)) else { throw csv.damaged("an unknown finding") }
      let settings = try csv.text(2)
      if figure == figures.first { outcomes.append(TrialOutcome(topic: topic, settings: settings, changes: [])) }
      guard var outcome = outcomes.popLast(), outcome.topic == topic, outcome.settings == settings else {
        throw csv.damaged("another finding or setting than in the row before")
      }
      outcome.changes.append(
        TrialOutcome.Change(
          figure: figure, before: try csv.isBlank(5) ? nil : csv.number(5),
          after: try csv.isBlank(6) ? nil : csv.number(6)))
      outcomes.append(outcome)
      row += 1
    }
    guard row % figures.count == 0 else { throw csv.damaged("rows are missing at its end") }
    return outcomes
  }
}
