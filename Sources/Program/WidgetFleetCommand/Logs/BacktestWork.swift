import Calibration
import FleetEngine
import FleetReports
import RequestStatistics
import Scenario
import ScenarioFiles

/// A backtest: a calibration on training days, followed by forecasts of later days.
struct BacktestWork {
  let settings: Settings
  let console: Console
  let calibrate: CalibrateCommand
  let plan: CalibrationPlan
  let bytes: [UInt8]
  let log: LogSource.Log
  /// The report on the log as a whole.
  let logs: LogsReport
  let days: BacktestSettings
  let changed: ChangedScenario

  private func test() throws(Failure) -> ClosedRange<Int> {
    let last = min(days.test.last ?? .max, numberOfDays)
    guard days.train.lowerBound <= numberOfDays, days.test.first <= last else {
      throw .usage(
        numberOfDays == 1
          ? "the log has one day, so none is left to forecast"
          : "the log has \(numberOfDays) days, none of which is left to forecast", command: settings.logs.commandName,
        hint: "--train 1-\(max(1, numberOfDays - 1))")
    }
    return days.test.first...last
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
    SimulatedLog(
      settings: settings, console: console, span: span(days), maxDays: Int64(days.count),
      resolution: LogFields.resolution(of: logs))
  }

  /// Returns the number of phones to simulate, for the progress display. The number is based on the values in the file.
  func lives() throws(Failure) -> Int {
    let simulated = simulated(days.train.lowerBound...(try test()).upperBound)
    let (times, devices) = try simulated.lives(of: plan.base)
    let fits = FitProblem.maxSimulations(keys: plan.ranges.count) * min(devices, LogFit.maxDevices)
    let stretches = try changed.stretches(bytes, found: [], over: simulated.span).count
    return times * (stretches * (try simulated.repetitions(of: plan.base)) * devices + fits)
  }

  func report(_ control: RunControl) throws(Failure) -> BacktestReport {
    let own = log.report(days: days.train)
    guard own.isReadable else {
      throw .unsuitableInput(path: settings.logs.paths[0], reason: "has training days that cannot be used")
    }
    let test = try test()
    let calibration = try calibrate.calibration(own, [], plan, bytes, simulated(days.train), control)
    let load = try expected(calibration, days.train.lowerBound...test.upperBound, control)
    let requestsPerRun = calibration.evidence.requestsPerRun
    let measured = MeasuredLoad(logs.picture, logs.counted, requestsPerRun: requestsPerRun)
    let day = { (number: Int) in
      let steps = BacktestReport.stepsPerDay
      let first = (number - days.train.lowerBound) * steps
      let start = span(number...number).lowerBound
      return BacktestDay(
        number: number,
        measured: (0..<steps).map { measured.count(at: start + Int64($0) * MeasuredLoad.step) },
        expected: Array(load.counts[first..<first + steps]))
    }
    do {
      let training = days.train.map(day)
      let spread = requestsPerRun * (1 + load.scale)
      guard let forecaster = try LoadForecaster(training, spread: spread) else {
        throw Failure.unsuitableInput(path: settings.logs.paths[0], reason: "has no requests on the training days")
      }
      var forecasts: [ForecastDay] = []
      for next in test.map(day) where next.measured.contains(where: { $0 != nil }) {
        forecasts.append(try ForecastDay(next, training: training, forecaster))
      }
      guard !forecasts.isEmpty else {
        throw Failure.unsuitableInput(
          path: settings.logs.paths[0], reason: "has no requests on the days to forecast")
      }
      return try BacktestReport(
        calibration, logs: logs, trained: days.train, forecasts: forecasts, forecaster,
        changes: days.changes.map { BacktestReport.Change(start: $0.start, text: $0.setting.text) })
    } catch let error as Failure { throw error } catch {
      throw .bug("\(error)", seed: plan.base.run.seed)
    }
  }

  /// Returns the mean load from the first training day onwards, and the number of phones that each simulated phone
  /// represents.
  ///
  /// Each period between two changes is simulated from the first training day, so that budgets, growth and events reach
  /// the correct state. Only the first minutes after a change are inaccurate, because the simulated change has already
  /// taken full effect.
  private func expected(
    _ calibration: CalibrationReport, _ all: ClosedRange<Int>, _ control: RunControl
  ) throws(Failure) -> (counts: [Double], scale: Double) {
    let bin = MeasuredLoad.step
    let found = calibration.findings.filter { $0.found != nil }.flatMap { [$0.path, $0.whole ?? $0.path] }
    var counts: [Double] = []
    var scale = 0.0
    for stretch in try changed.stretches(calibration.calibratedText ?? bytes, found: found, over: span(all)) {
      guard let (own, ownScale) = try simulated(all).mean(of: stretch.scenario, control) else {
        throw .unsuitableInput(path: settings.operands[0], reason: "cannot be simulated over the period of the log")
      }
      counts += own[counts.count..<Int((stretch.span.upperBound - span(all).lowerBound) / bin)]
      scale = max(scale, ownScale)
    }
    return (counts, scale)
  }
}
