package import Studies

/// The content of a report page, identical for a run and for its files.
package struct ReportContent: Sendable {
  package var run: StoredRun
  package var summary: Summary
  /// The goals, failed ones first.
  package var goals: [GoalResult]
  package var provenance: Provenance
  /// The precision of `--until-ci`; `nil` for a fixed number of replications.
  package var precision: AskedPrecision?
  /// The results of further runs on the same draws.
  package var trials: StoredTrials
  /// The days of three phones; empty where no phone has a row.
  package var phones: [TypicalPhone] = []
  /// The number of devices with rows in devices.csv; `nil` for all simulated ones, and without such a file.
  package var rowSample: Int?
  /// Whether load.csv and causes.csv also have the time as ISO 8601.
  package var hasTimestamps = false
  /// The zones of its phones, the one with most phones first; empty to show only UTC.
  package var zones: [FleetZone] = []
  /// Whether its figures are separate pictures, in the window of the verdict.
  var standsAlone = false

  /// The zone of the figures' clock, that of most phones; `nil` for UTC.
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
