import Calibration
import FleetEngine
import FleetReports
import RequestStatistics
import Scenario
import ScenarioFiles
import SimulationKernel
import Studies

/// The `widgetfleet calibrate` command, which estimates the keys of a scenario from access logs.
struct CalibrateCommand: StudyCommand {
  let settings: Settings
  let console: Console

  private var hasLog: Bool { !settings.logs.paths.isEmpty }

  func run() throws(Failure) -> ExitCode {
    guard hasLog || !settings.logs.telemetry.isEmpty else {
      throw .usage("--log is missing: the access logs to compare the scenario with", command: "calibrate")
    }
    let bytes = try InputFile.read(path)
    let plan = try plan(bytes)
    let source = LogSource(settings: settings, console: console)
    let logs = hasLog ? try source.report(plan.log) : .none
    try LogSource.checkIsWhole(logs.files)
    guard logs.isReadable || !hasLog else { return refuse(logs) }
    try source.checkDamage(logs)
    try source.checkMatches(logs, plan.log)
    let records = try TelemetrySource(settings: settings, console: console).records()
    let hash = LogStudyHash(settings).text(bytes, resolved: plan.base.resolvedText, logs, records)
    let span = (logs.span ?? 0..<1).wholeSteps(of: MeasuredLoad.step)
    let simulated = SimulatedLog(
      settings: settings, console: console, span: span, resolution: LogFields.resolution(of: logs))
    let total = try work(simulated, plan)
    let claim = try claimed("calibrate", of: plan.base, hash: hash)
    let report = try write(to: claim, devices: total) { staged, control throws(Failure) -> CalibrationReport in
      var report = try self.report(logs, records, plan, bytes, simulated, control)
      report.provenance.studyHash = hash
      for file in report.files { try staged.write(file.bytes(of: report), to: file.name) }
      return report
    }
    console.note("results: \(claim.output.path.printable)/\(CalibrationFile.page.name)\n")
    try console.output(
      settings.format == .json ? CalibrationFile.manifest.bytes(of: report) : calibrationTable(of: report))
    if !report.contradictions.isEmpty || report.isWithheld { return .goalFailed }
    return report.isIdentified ? .success : .infeasible
  }

  /// Returns the number of phones to simulate before and after the findings are applied, plus the maximum number for a
  /// fit.
  private func work(_ simulated: SimulatedLog, _ plan: CalibrationPlan) throws(Failure) -> Int {
    guard settings.logs.simulates else { return 1 }
    let (times, devices) = try simulated.lives(of: plan.base)
    let fits = FitProblem.maxSimulations(keys: plan.ranges.count) * min(devices, LogFit.maxDevices)
    return times * (2 * devices + fits)
  }

  /// Returns the calibration plan, which contains the scenario and the `calibrate` section of its file.
  ///
  /// - Parameter found: the paths of findings from the log, which override `--set`.
  func plan(_ bytes: [UInt8], found: [String] = []) throws(Failure) -> CalibrationPlan {
    let outcome = CalibrationReader.read(
      text: bytes, fileName: InputFile.shownName(path),
      settings: settings.given(besides: found), fits: settings.logs.fits.map { SetArgument($0) },
      files: InputFile.named(besides: path))
    guard let plan = outcome.plan else { throw .invalidScenario(problems: outcome.diagnostics.humanText) }
    return plan
  }

  /// Prints the output of the `logs` command, followed by an error, if logs cannot be used.
  func refuse(_ logs: LogsReport) -> ExitCode {
    console.error(String(decoding: logs.text, as: UTF8.self))
    console.error(LogSource.refusal(of: logs, settings))
    return .inputOutput
  }

  private func report(
    _ logs: LogsReport, _ records: [TelemetryRecord], _ plan: CalibrationPlan, _ bytes: [UInt8],
    _ simulated: SimulatedLog, _ control: RunControl
  ) throws(Failure) -> CalibrationReport {
    var report = try calibration(logs, records, plan, bytes, simulated, control)
    guard hasLog, settings.logs.simulates else { return report }
    let clocks = Self.clocks(of: simulated.scenario(plan.base))
    report.asWritten = try simulated.load(of: plan.base, clocks: clocks, control)
    let calibrated = report.calibratedText.flatMap { text in
      ScenarioReader.read(
        text: text, fileName: fileName, settings: settings.given(besides: CalibratedChanges(report.findings).paths),
        files: InputFile.named(besides: path)
      ).scenario
    }
    if let calibrated { report.simulated = try simulated.load(of: calibrated, clocks: clocks, control) }
    if let days = settings.logs.forecastDays, let end = logs.span?.upperBound {
      report.forecast = try forecast(calibrated ?? plan.base, of: Int64(days), after: end, control)
    }
    return report
  }

  /// Returns the forecast load on whole days (UTC), starting with the first day not covered by the log.
  private func forecast(
    _ scenario: Scenario, of days: Int64, after end: Int64, _ control: RunControl
  ) throws(Failure) -> NextLoad? {
    let day = BacktestReport.dayMilliseconds
    let start = (end + day - 1) / day * day
    let next = SimulatedLog(settings: settings, console: console, span: start..<start + days * day, maxDays: days)
    return try next.mean(of: scenario, control).map { NextLoad(start: start, counts: $0.counts) }
  }

  /// Returns the findings from the log and a file with these findings. Only a fit requires simulations.
  func calibration(
    _ logs: LogsReport, _ records: [TelemetryRecord], _ plan: CalibrationPlan, _ bytes: [UInt8],
    _ simulated: SimulatedLog, _ control: RunControl
  ) throws(Failure) -> CalibrationReport {
    let clocks = Self.clocks(of: simulated.scenario(plan.base))
    let evidence = try evidence(logs, plan.base, clocks)
    let telemetry = records.isEmpty ? nil : TelemetryEvidence(records, plan.base, clocks: clocks)
    let kept = { (findings: [KeyFinding]) in self.marked(findings, plan) }
    var ofLog = hasLog ? kept(ScenarioKeys(evidence, plan.base).findings) : []
    let test = FindingTest(
      calibrate: self, plan: plan, bytes: bytes, pilot: pilot(logs, evidence, simulated, clocks, control))
    if ofLog.contains(where: \.contradicts), !evidence.isSampled { ofLog = try test.tested(ofLog) }
    if hasLog, evidence.history == nil, settings.logs.simulates {
      let measured = MeasuredLoad(logs.picture, logs.counted, requestsPerRun: evidence.requestsPerRun)
      ofLog = try test.counted(ofLog, measured)
    }
    let findings = kept(telemetry?.joined(with: ofLog) ?? ofLog)
    let fitted = hasLog ? try fitted(plan, bytes, evidence, findings, simulated, control) : nil
    var report = CalibrationReport(
      base: plan.base, logs: logs, evidence: evidence, findings: fitted?.joined(with: findings) ?? findings,
      provenance: Provenance(version: Version.current, resolvedScenario: plan.base.resolvedText))
    report.keepsKey = settings.logs.keyFile != nil
    report.isForced = settings.logs.isForced
    report.telemetry = telemetry
    report.fit = fitted
    let text = plan.text(of: bytes, with: CalibratedChanges(report.findings).all)
    report.calibratedText = text
    report.patch = text.map { UnifiedDiff.text(from: bytes, to: $0, name: fileName) } ?? []
    return report
  }

  /// Returns the estimates that logs provide for a scenario.
  func evidence(_ logs: LogsReport, _ base: Scenario, _ clocks: [ZoneClock]) throws(Failure) -> LogEvidence {
    guard hasLog else { return LogEvidence(logs.picture, base, clocks: []) }
    if logs.picture.census.lines == 0, let counted = logs.counted { return LogEvidence(counted, logs.picture, base) }
    let evidence = LogEvidence(logs.picture, base, clocks: clocks)
    guard !evidence.traffic.endpoints.isEmpty else { throw noEndpoint(logs, base) }
    return evidence
  }

  /// Returns the findings without those on fixed keys, marking each finding for which the value in the file is kept.
  private func marked(_ findings: [KeyFinding], _ plan: CalibrationPlan) -> [KeyFinding] {
    findings.filter { finding in
      !settings.logs.fixed.contains { finding.path == $0 || finding.path.hasPrefix($0 + ".") }
    }.map { finding in
      var finding = finding
      finding.isKept = plan.keeps(finding.path, isTeams: finding.owner == .team)
      return finding
    }
  }

  private func pilot(
    _ logs: LogsReport, _ evidence: LogEvidence, _ simulated: SimulatedLog, _ clocks: [ZoneClock], _ control: RunControl
  ) -> PilotLog {
    let isCounted = evidence.fleet != nil && evidence.lifetime != .oneDay
    return PilotLog(
      simulated: simulated, logFields: LogFields(logs, evidence),
      phones: isCounted ? evidence.fleet?.devices.devices.value.map { Int($0.rounded()) } : nil, clocks: clocks,
      control: control)
  }

  /// Returns a fit by simulation for keys that have a range and no closed-form estimate.
  private func fitted(
    _ plan: CalibrationPlan, _ bytes: [UInt8], _ evidence: LogEvidence, _ findings: [KeyFinding],
    _ simulated: SimulatedLog, _ control: RunControl
  ) throws(Failure) -> ReportedFit? {
    let open = plan.ranges.filter { range in !findings.contains { $0.path == range.path && $0.estimate.value != nil } }
    guard !open.isEmpty, settings.logs.simulates else { return nil }
    let changes = CalibratedChanges(findings)
    let text = plan.text(of: bytes, with: changes.all) ?? bytes
    var alone = simulated
    alone.threads = 1
    let fit = LogFit(
      plan: try self.plan(text, found: changes.paths), ranges: open, simulated: alone, threads: settings.threads,
      clocks: Self.clocks(of: simulated.scenario(plan.base)), control: control,
      end: ContinuousClock.now + settings.logs.longestFit)
    guard let result = try fit.result(evidence) else {
      console.note("no fit: time ran out before it started, or there was nothing to compare (--max-minutes)\n")
      return nil
    }
    return fit.reported(result, evidence)
  }

  /// Returns the clocks of the phones' time zones over the period of the log.
  static func clocks(of scenario: Scenario) -> [ZoneClock] {
    let start = scenario.clock.startUnixMilliseconds
    let tables = zoneTables(for: scenario)
    let names = scenario.fleet.cohorts.flatMap { $0.zones.map(\.value) }
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }.compactMap { name in
      guard let table = tables[name] else { return nil }
      return ZoneClock(name) { time in
        let instant = Instant(millisecondsSinceStart: time - start)
        return (table.segments.last { $0.from <= instant } ?? table.segments[0]).offset.milliseconds
      }
    }
  }

  private func noEndpoint(_ logs: LogsReport, _ scenario: Scenario) -> Failure {
    console.error(String(decoding: logs.text, as: UTF8.self))
    let names = scenario.endpoints.map(\.name).joined(separator: ", ")
    return .usage(
      "no path in the log matches an endpoint of the scenario (\(names.printable))", command: settings.logs.commandName,
      hint: "give their paths: --endpoint '\(scenario.endpoints.first?.name.printable ?? "api")=^/v2/forecast'")
  }
}

/// The changes to write to a scenario file.
struct CalibratedChanges {
  private let findings: [KeyFinding]

  init(_ findings: [KeyFinding]) { self.findings = findings }

  /// The paths of keys with changed values.
  var paths: [String] { all.filter { $0.value != nil }.map(\.path) }

  var all: [CalibrationPlan.Change] { findings.filter { $0.whole == nil }.map(change) + shareGroups.map(change) }

  private func change(_ finding: KeyFinding) -> CalibrationPlan.Change {
    CalibrationPlan.Change(
      path: finding.path, value: finding.found, comment: calibrationRemark(finding))
  }

  /// The findings on shares, grouped such that the shares in each group add up to 100 %.
  private var shareGroups: [[KeyFinding]] {
    var paths: [String] = []
    for path in findings.compactMap(\.whole) where !paths.contains(path) { paths.append(path) }
    return paths.map { path in findings.filter { $0.whole == path } }
  }

  /// Returns the change to all shares in a group, provided that all shares are known and at least one changes.
  private func change(_ parts: [KeyFinding]) -> CalibrationPlan.Change {
    let path = parts[0].whole ?? ""
    let shares = parts.compactMap { part in part.estimate.value.map { (part.name, $0) } }
    let changes = parts.contains { $0.found != nil } && shares.count == parts.count
    return CalibrationPlan.Change(
      path: path, value: changes ? PercentShares.text(shares) : nil,
      comment: parts.map { "\($0.name) \(calibrationRemark($0))" }.joined(separator: "; "))
  }
}
