package import Studies

/// The content of a report page, which is the same whether it comes from a run or from the run's files.
package struct ReportContent: Sendable {
  package var run: StoredRun
  package var summary: Summary
  /// The goals, failed goals first.
  package var goals: [GoalResult]
  package var provenance: Provenance
  /// The precision required by `--until-ci`; `nil` for a fixed number of replications.
  package var precision: RequiredPrecision?
  /// The results of additional runs that use the same random draws.
  package var trials: StoredTrials
  /// The days of three phones; empty if no phone has a row.
  package var phones: [TypicalPhone] = []
  /// The number of devices with rows in devices.csv; `nil` if all simulated ones have rows or there is no such file.
  package var rowSample: Int?
  /// Whether load.csv and causes.csv also have times in ISO 8601.
  package var hasTimestamps = false
  /// The phones' time zones, the one with the most phones first; empty to show only UTC.
  package var zones: [FleetZone] = []
  /// Whether the figures are standalone pictures, for which the verdict's window is used.
  var isStandalone = false

  /// The time zone used in figures, the one with the most phones; `nil` for UTC.
  var drawnZone: FleetZone? { zones.first.flatMap { $0.isUTC ? nil : $0 } }

  package init(
    run: StoredRun, summary: Summary, goals: [GoalResult], provenance: Provenance, precision: RequiredPrecision? = nil,
    trials: StoredTrials = StoredTrials()
  ) {
    self.run = run
    self.summary = summary
    self.goals = goals
    self.provenance = provenance
    self.precision = precision
    self.trials = trials
  }
}

extension Report {
  /// The content for the page.
  package var content: ReportContent {
    var content = ReportContent(
      run: StoredRun(of: result), summary: summary, goals: goals, provenance: provenance, precision: precision,
      trials: trials)
    content.phones = phones
    content.rowSample = rowSample
    content.hasTimestamps = hasTimestamps
    content.zones = FleetZone.all(result.scenario, zones)
    return content
  }
}
