import Calibration
import FleetEngine
import FleetReports
import RequestStatistics
import Scenario
import ScenarioFiles

/// The `widgetfleet init --from-log` command, which writes a scenario built from the paths of access logs and
/// calibrated with the same logs.
struct LogStarter: StudyCommand {
  let settings: Settings
  let console: Console

  /// The maximum number of calibrations, each of which corrects the values of the one before.
  private static let maxRounds = 3
  private static let day: Int64 = 86_400_000

  private var calibrate: CalibrateCommand { CalibrateCommand(settings: settings, console: console) }

  /// Writes the scenario.
  ///
  /// - Parameter write: a function that writes a text to the requested file.
  func run(writing write: ([UInt8]) throws(Failure) -> ExitCode) throws(Failure) -> ExitCode {
    let source = LogSource(settings: settings, console: console)
    let first = try source.report()
    try LogSource.checkIsWhole(first.files)
    guard first.isReadable, let span = first.span else { return calibrate.refuse(first) }
    try source.checkDamage(first)
    try source.checkMatches(first, nil)
    let hasLines = first.picture.census.lines > 0
    let outline = hasLines ? LogOutline(first.picture) : .ofCounts
    guard !outline.kinds.isEmpty else {
      console.error(String(decoding: first.text, as: UTF8.self))
      throw .usage(
        "no path in the log has requests of a widget", command: settings.logs.commandName,
        hint: "--widget 'path ~ ^/v2/widget' or --widget 'ua ~ ^WeatherApp/'")
    }
    let template = LogScenarioText(
      outline: outline, settings: settings, span: span, lines: first.picture.census.lines,
      hasIDs: hasLines && first.picture.census.signed > 0)
    // The file's own rules for reading logs must yield the same requests.
    let logs = try source.report(try calibrate.plan(Array(template.text.utf8)).log)
    let simulated = SimulatedLog(
      settings: settings, console: console, span: span.wholeSteps(of: MeasuredLoad.step),
      resolution: LogFields.resolution(of: logs))
    let text = try simulate(devices: 1) { control, _ throws(Failure) in
      try calibrated(try refined(template, logs, simulated), logs, simulated, control)
    }
    noteIDs(first)
    return try write(text)
  }

  /// Prints the fields that may identify phones, if the user named none.
  private func noteIDs(_ logs: LogsReport) {
    guard !logs.hasIDs, let field = logs.files.flatMap(\.candidates).first?.field else { return }
    console.note(
      "without --id, the number of phones is a guess; this field may identify phones: --id \(field.printable)\n")
  }

  /// Returns the scenario with the zones, the widgets per phone and the values that the log supports, even weakly.
  private func refined(
    _ template: LogScenarioText, _ logs: LogsReport, _ simulated: SimulatedLog
  ) throws(Failure) -> [UInt8] {
    var template = template
    let base = try calibrate.plan(Array(template.text.utf8)).base
    var evidence = try self.evidence(logs, base, simulated)
    if settings.question.values[.zones] == nil {
      var world = base
      world.fleet.cohorts[0].zones = LogScenarioText.worldZones.map { Weighted($0, weight: 1) }
      let clocks = CalibrateCommand.clocks(of: simulated.scenario(world))
      if let fleet = evidence.fleet, let history = evidence.history {
        template.setZones(fleet.roughShares(history, of: clocks))
      } else {
        template.setZone(among: clocks)
      }
    }
    for (kind, estimates) in evidence.kinds where estimates.widgets.reason == .severalWidgets {
      template.widgets[kind] = Int(estimates.widgets.value ?? 1)
    }
    let plan = try calibrate.plan(Array(template.text.utf8))
    evidence = try self.evidence(logs, plan.base, simulated)
    var changes = ScenarioKeys(evidence, plan.base).findings.filter { finding in
      finding.owner != .system && finding.owner != .people && finding.whole == nil
    }.compactMap { finding in
      finding.roughText.map { CalibrationPlan.Change(path: finding.path, value: $0, comment: "") }
    }
    for (kind, estimates) in evidence.kinds {
      let marks = estimates.wallMarks.interval
      guard marks.verdict == .identified, let seconds = marks.value else { continue }
      let path = "kinds.\(plan.base.kinds[kind].name).reload.after"
      changes.removeAll { $0.path == path }
      changes.append(
        CalibrationPlan.Change(path: path, value: "{every: \(KeyMeasure.span.text(seconds))}", comment: ""))
    }
    template.known = Set(changes.map(\.path))
    let text = Array(template.text.utf8)
    return plan.text(of: text, with: changes) ?? text
  }

  private func evidence(
    _ logs: LogsReport, _ base: Scenario, _ simulated: SimulatedLog
  ) throws(Failure) -> LogEvidence {
    try calibrate.evidence(logs, base, CalibrateCommand.clocks(of: simulated.scenario(base)))
  }

  /// Returns the scenario with all contradictions of the log resolved, and with the findings as comments.
  private func calibrated(
    _ text: [UInt8], _ logs: LogsReport, _ simulated: SimulatedLog, _ control: RunControl
  ) throws(Failure) -> [UInt8] {
    var text = text
    var result = text
    for _ in 0..<Self.maxRounds {
      let plan = try calibrate.plan(text)
      let report = try calibrate.calibration(logs, [], plan, text, simulated, control)
      result = report.calibratedText ?? text
      let changes = CalibratedChanges(report.findings).all.filter { $0.value != nil }.map { change in
        CalibrationPlan.Change(path: change.path, value: change.value, comment: "")
      }
      guard !changes.isEmpty, let next = plan.text(of: text, with: changes) else { break }
      text = next
    }
    return result
  }
}
