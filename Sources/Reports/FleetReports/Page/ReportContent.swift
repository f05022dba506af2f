package import Studies

/// Everything that a report page shows: the same whether it comes from a run or from the files that a run has left.
package struct ReportContent: Sendable {
  package var run: StoredRun
  package var summary: Summary
  /// Failed ones first.
  package var goals: [GoalResult]
  package var provenance: Provenance
  /// nil: as many replications as were given.
  package var precision: AskedPrecision?
  /// What further runs on the same draws have shown.
  package var trials: StoredTrials
  /// The days of three phones; empty where no phone has a row.
  package var phones: [TypicalPhone] = []
  /// Devices whose rows devices.csv has; nil where these are all simulated ones, and where there is no such file.
  package var rowSample: Int?
  /// Whether load.csv and causes.csv also have the time as ISO 8601.
  package var hasTimestamps = false
  /// Where its phones are, most of them first; empty: only UTC is shown.
  package var zones: [FleetZone] = []
  /// Whether its figures are drawn to stand alone, in the window of the verdict.
  var standsAlone = false

  /// The zone by whose clock figures are drawn, that of most phones; `nil` for UTC.
  var drawnZone: FleetZone? { zones.first.flatMap { $0.isUTC ? nil : $0 } }

  package init(
    run: StoredRun, summary: Summary, goals: [GoalResult], provenance: Provenance, precision: AskedPrecision? = nil,
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
  /// What the page shows of it.
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
