package import Studies

/// The content of a report page. It is the same whether it is created directly from a run or from the files of the run.
package struct ReportContent: Sendable {
  package var run: StoredRun
  package var summary: Summary
  /// The goals, failed goals first.
  package var goals: [GoalResult]
  package var provenance: Provenance
  /// The precision that `--until-ci` requires; `nil` if the number of replications is fixed.
  package var precision: RequiredPrecision?
  /// The results of additional runs that use the same draws.
  package var trials: StoredTrials
  /// The days of three example phones; empty if no phone has rows in devices.csv.
  package var phones: [TypicalPhone] = []
  /// The number of devices with rows in devices.csv. It is `nil` if all simulated devices have rows, or if there is no
  /// such file.
  package var rowSample: Int?
  /// Whether load.csv and causes.csv also contain times in ISO 8601 format.
  package var hasTimestamps = false
  /// The time zones of the phones, starting with the zone that has the most phones; empty to show only UTC.
  package var zones: [FleetZone] = []
  /// Whether the figures are standalone pictures, which use the same window as the verdict.
  var isStandalone = false

  /// The time zone used in figures, which is the zone with the most phones; `nil` for UTC.
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
  /// The content of the report's page.
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
