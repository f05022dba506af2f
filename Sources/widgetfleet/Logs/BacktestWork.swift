import Calibration
import FleetEngine
import FleetReports
import RequestStatistics
import Scenario
import ScenarioFiles

/// A back-test: calibrations on training days, and what they foretell of the days after them.
struct BacktestWork {
  let settings: Settings
  let console: Console
  let calibrate: CalibrateCommand
  let plan: CalibrationPlan
  /// The scenario file.
  let bytes: [UInt8]
  let log: LogSource.Log
  /// All days of it.
  let logs: LogsReport
  let days: BacktestSettings
  let changed: ChangedScenario

  /// How far a forecast looks from days that are fitted anew.
  private static let longestHorizon = 7

  /// Training days, and the days that are forecast from them.
  private struct Origin {
    let train: ClosedRange<Int>
    let test: ClosedRange<Int>
  }

  /// What is known once an origin is done.
  private struct Outcome {
    let calibration: CalibrationReport
    let forecaster: LoadForecaster
    let forecasts: [ForecastDay]
  }

  private func origins() throws(Failure) -> [Origin] {
    let last = min(days.test.last ?? .max, numberOfDays)
    guard days.train.lowerBound <= numberOfDays, days.test.first <= last else {
      throw .usage(
        numberOfDays == 1
          ? "the log has one day, and none is left to forecast"
          : "the log has \(numberOfDays) days, none of which is left to forecast", command: settings.logs.commandName,
        hint: "--train 1-\(max(1, numberOfDays - 1))")
    }
    guard days.isRolling else { return [Origin(train: days.train, test: days.test.first...last)] }
    return (days.test.first...last).map { day in
      Origin(train: days.train.lowerBound...day - 1, test: day...min(day + Self.longestHorizon - 1, last))
    }
  }

  private var numberOfDays: Int {
    guard let span = logs.span else { return 0 }
    return Int((span.upperBound - 1 - logs.firstDay) / BacktestReport.dayMilliseconds) + 1
  }

  private func span(_ days: ClosedRange<Int>) -> Range<Int64> {
    let day = BacktestReport.dayMilliseconds
    return logs.firstDay + Int64(days.lowerBound - 1) * day..<logs.firstDay + Int64(days.upperBound) * day
  }

  private func simulated(_ days: ClosedRange<Int>) -> SimulatedLog {
    SimulatedLog(settings: settings, console: console, span: span(days), mostDays: Int64(days.count))
  }

  /// Lives of phones that are simulated, for progress: with the file as it is for what is not found yet.
  func lives() throws(Failure) -> Int {
    var total = 0
    for origin in try origins() {
      let simulated = simulated(origin.train.lowerBound...origin.test.upperBound)
      let (times, devices) = try simulated.lives(of: plan.base)
      let fits = FitProblem.mostSimulations(keys: plan.ranges.count) * min(devices, LogFit.mostDevices)
      let stretches = try changed.stretches(bytes, found: [], over: simulated.span).count
      total += times * (stretches * (try simulated.repetitions(of: plan.base)) * devices + fits)
    }
    return total
  }

  func report(_ control: RunControl) throws(Failure) -> BacktestReport {
    var outcomes: [Outcome] = []
    for origin in try origins() { outcomes.append(try outcome(origin, control)) }
    let forecasts = outcomes.flatMap(\.forecasts)
    guard let last = outcomes.last, !forecasts.isEmpty else {
      throw .unsuitableInput(path: settings.logs.paths[0], reason: "holds no request of the days to forecast")
    }
    do {
      return try BacktestReport(
        last.calibration, logs: logs, forecasts: forecasts, last.forecaster, clump: last.calibration.requestsPerRun,
        changes: days.changes.map { BacktestReport.Change(start: $0.start, text: $0.setting.text) })
    } catch { throw .bug(error.text, seed: plan.base.run.seed) }
  }

  private func outcome(_ origin: Origin, _ control: RunControl) throws(Failure) -> Outcome {
    let own = log.report(days: origin.train)
    guard own.isReadable else {
      throw .unsuitableInput(path: settings.logs.paths[0], reason: "has training days of which nothing can be made")
    }
    let calibration = try calibrate.calibration(own, [], plan, bytes, simulated(origin.train), control)
    let load = try expected(calibration, origin, control)
    let measured = MeasuredLoad(logs, requestsPerRun: calibration.requestsPerRun)
    let day = { (number: Int) in
      let steps = BacktestReport.stepsPerDay
      let first = (number - origin.train.lowerBound) * steps
      let start = span(number...number).lowerBound
      return BacktestDay(
        number: number,
        measured: (0..<steps).map { measured.count(at: start + Int64($0) * CalibrationReport.binMilliseconds) },
        expected: Array(load.counts[first..<first + steps]))
    }
    let training = origin.train.map(day)
    do {
      let spread = calibration.requestsPerRun * (1 + load.scale)
      guard let forecaster = try LoadForecaster(training, spread: spread) else {
        throw Failure.unsuitableInput(path: settings.logs.paths[0], reason: "holds no request of the training days")
      }
      var forecasts: [ForecastDay] = []
      for next in origin.test.map(day) where next.measured.contains(where: { $0 != nil }) {
        forecasts.append(try ForecastDay(next, training: training, forecaster))
      }
      return Outcome(calibration: calibration, forecaster: forecaster, forecasts: forecasts)
    } catch let error as Failure { throw error } catch {
      throw .bug("\(error)", seed: plan.base.run.seed)
    }
  }

  /// What is sent in the mean from the first training day on, and the phones for which each simulated one stands.
  ///
  /// Each stretch between changes is simulated from the first training day on: budgets, growth and events are then where
  /// they would be, and only the first minutes after a change are too early.
  private func expected(
    _ calibration: CalibrationReport, _ origin: Origin, _ control: RunControl
  ) throws(Failure) -> (counts: [Double], scale: Double) {
    let all = origin.train.lowerBound...origin.test.upperBound
    let bin = CalibrationReport.binMilliseconds
    let found = calibration.findings.filter { $0.found != nil }.flatMap { [$0.path, $0.whole ?? $0.path] }
    var counts: [Double] = []
    var scale = 0.0
    for stretch in try changed.stretches(calibration.calibratedText ?? bytes, found: found, over: span(all)) {
      guard let (own, ownScale) = try simulated(all).mean(of: stretch.scenario, control) else {
        throw .unsuitableInput(path: settings.operands[0], reason: "cannot be simulated in the time of the log")
      }
      counts += own[counts.count..<Int((stretch.span.upperBound - span(all).lowerBound) / bin)]
      scale = max(scale, ownScale)
    }
    return (counts, scale)
  }
}
