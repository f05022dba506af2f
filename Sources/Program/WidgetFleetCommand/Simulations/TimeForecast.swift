import FleetEngine
import FleetReports
import Scenario
import SimulationKernel
import Studies

/// A forecast of the duration of a run on this machine, displayed before the run starts. The forecast does not affect
/// any output files.
struct TimeForecast: Equatable {
  /// The number of seconds that a run needs on one thread, regardless of the number of devices.
  var fixed: Double
  /// The number of seconds that each device needs on one thread.
  var perDevice: Double
  /// The elapsed time per device in seconds when all threads are busy; `nil` if not measured.
  var shared: Double?

  /// Creates a forecast from the durations of two single-threaded runs with different numbers of devices.
  ///
  /// - Parameter few, more: the number of devices and the duration in seconds of the smaller and the larger run.
  init(few: (devices: Int, seconds: Double), more: (devices: Int, seconds: Double)) {
    perDevice = max(more.seconds - few.seconds, 0) / Double(max(more.devices - few.devices, 1))
    fixed = max(few.seconds - perDevice * Double(few.devices), 0)
  }

  /// Returns the forecast refined by a measurement on all threads, which includes the effects of shared caches and
  /// memory bandwidth.
  func knowing(_ many: (devices: Int, seconds: Double)) -> TimeForecast {
    var forecast = self
    forecast.shared = max(many.seconds - fixed, 0) / Double(max(many.devices, 1))
    return forecast
  }

  /// Returns the forecast for a scenario, given that this is the forecast for a trial of the scenario.
  func stretched(by trial: TimeTrial) -> TimeForecast {
    var forecast = self
    forecast.perDevice *= trial.stretch
    forecast.fixed *= max(trial.stretch, trial.learning)
    return forecast
  }

  /// Returns the duration of a run in seconds.
  ///
  /// - Parameter threads: the number of threads that share the devices; the fixed part of the duration is not shared.
  func seconds(devices: Int, runs: Int, threads: Int) -> Double {
    Double(runs) * (fixed + (shared ?? perDevice / Double(max(threads, 1))) * Double(devices))
  }

  /// Returns the number of devices that can be simulated on all threads in 5 % of the forecast duration, but at most in
  /// a few seconds.
  func sample(of devices: Int, runs: Int, threads: Int) -> Int {
    let share = min(seconds(devices: devices, runs: runs, threads: threads) / 20, Self.longestSample) - fixed
    guard share > 0, perDevice > 0 else { return 0 }
    return min(Int(min(share * Double(max(threads, 1)) / perDevice, 1e9)), devices / 4)
  }

  /// The maximum duration of one measurement in seconds.
  private static let longestSample = 3.0
}

/// The size of a long run, displayed before the run starts.
struct RunSize {
  /// The number of devices per replication, and the number of simulated days per device, including days before the
  /// measured period.
  var devices: Int
  var days: Double
  /// The names of the runs, such as `2 replications, prompt, lazy`.
  var runs: [String]
  var count: Int
  /// The memory that the run needs, in bytes.
  var memory: Int
  /// The number of devices simulated with `--quick`.
  var firstLook: Int
  /// The maximum number of trials that apply the advice in findings.
  var trials = 0

  /// The number of device-days below which a run is too short for a useful forecast.
  static let quick = 300_000.0
  /// The minimum duration, in seconds, of a run for which a forecast is displayed.
  static let shortest = 10.0
  /// The number of device-days in all runs; a device-day is one day of one phone in one run.
  var deviceDays: Double { Double(devices) * days * Double(count) }

  /// Returns a sentence such as `27 M device-days (the scenario, prompt, lazy), about 4 min and 1.2 GB; --quick: about
  /// 20 s`; `nil` for a short run.
  func sentence(_ forecast: TimeForecast, threads: Int) -> String? {
    let seconds = forecast.seconds(devices: devices, runs: count, threads: threads)
    guard seconds >= Self.shortest else { return nil }
    let work = "\(NumberText.short(deviceDays)) device-days (\(runs.joined(separator: ", ")))"
    let cost = "about \(Self.span(seconds)) and \(NumberText.bytes(Double(memory)))"
    let look = forecast.seconds(devices: firstLook, runs: count, threads: threads)
    let more = forecast.seconds(devices: devices, runs: trials, threads: threads)
    let after = trials == 0 ? "" : "; up to \(trials) trials after the verdict, about \(Self.span(max(more, 5))) more"
    return "\(work), \(cost)\(after)" + (look < seconds / 2 ? "; --quick: about \(Self.span(max(look, 5)))" : "")
  }

  /// Returns a sentence about a group of runs, such as `1 344 000 device-days, about 4 min; --quick: about 35 s`; `nil`
  /// if the duration is short.
  ///
  /// - Parameters:
  /// - seconds: the total duration of all runs, in seconds.
  /// - quickest: the duration, in seconds, of the smallest set of runs that answers the question; equal to `seconds` if
  ///   there is no quicker way.
  static func sentence(deviceDays: Double, seconds: Double, quickest: Double) -> String? {
    guard seconds >= shortest else { return nil }
    return "\(NumberText.short(deviceDays)) device-days, about \(span(seconds))"
      + (quickest < seconds / 2 ? "; --quick: about \(span(max(quickest, 5)))" : "")
  }

  /// Formats a duration in a suitable unit.
  static func span(_ seconds: Double) -> String {
    if seconds < 90 { return "\(Int((seconds / 5).rounded()) * 5) s" }
    if seconds < 5_400 { return "\(Int((seconds / 60).rounded())) min" }
    return seconds < 172_800 ? "\(Int((seconds / 3_600).rounded())) h" : "\(Int((seconds / 86_400).rounded())) days"
  }
}

extension Simulation {
  /// Returns the number of phones in a constant fleet that needs as much work as a growing fleet with `devices` initial
  /// phones.
  ///
  /// Before a phone joins the fleet, its user is simulated without widgets (MODEL.md 1.5), which takes about half as
  /// long.
  func growing(_ devices: Int) -> Int {
    let (clock, fleet) = (scenario.clock, scenario.fleet)
    let (present, lived) = (fleet.meanGrowth(over: clock), max(fleet.growth(over: clock.duration), 1))
    return Int((Double(devices) * (present < 1 ? present : (present + lived) / 2)).rounded())
  }

  /// Returns the number of phone-days simulated by a replication to estimate the demand on refresh budgets.
  private func learned(by engine: Engine) -> Double {
    guard scenario.clock.settle > .zero else { return 0 }
    return Double(engine.phonesOfDemand * scenario.fleet.cohorts.count) * Clock.demandSpan.seconds / 86_400
  }

  /// Prints the size and the expected duration of a long run, after simulating some of its phones.
  func printSize(
    _ engine: Engine, memory: MemoryForecast, _ stages: [Progress.Stage], _ settings: Settings
  ) throws(Failure) {
    let clock = scenario.clock
    let known = stages.filter { $0.devices > 0 }
    let size = RunSize(
      devices: growing(engine.devicesSimulated), days: (clock.end - clock.beginning).seconds / 86_400,
      runs: known.map(\.name), count: known.reduce(0) { $0 + $1.devices } / max(engine.devicesTotal, 1),
      memory: memory.peak, firstLook: growing(scenario.devicesOfFirstLook),
      trials: settings.makesTrials(of: scenario) ? TrialPlan.maxRuns : 0)
    let learning = learned(by: engine) * Double(size.count)
    guard !settings.isQuiet, size.deviceDays + learning >= RunSize.quick, !ranksAreShared else { return }
    let forecast = try forecast(devices: size.devices, runs: size.count, like: engine)
    if let sentence = size.sentence(forecast, threads: threads) { console.note("widgetfleet: \(sentence)\n") }
  }

  /// Prints the expected total duration of further runs of a scenario, unless it is short.
  func printTime(runs: Int, like engine: Engine, _ settings: Settings) throws(Failure) {
    let days = (scenario.clock.end - scenario.clock.beginning).seconds / 86_400
    let devices = growing(engine.devicesSimulated)
    let deviceDays = Double(devices * runs) * days
    let learning = learned(by: engine) * Double(runs)
    guard !settings.isQuiet, deviceDays + learning >= RunSize.quick, !ranksAreShared else { return }
    let forecast = try forecast(devices: devices, runs: runs, like: engine)
    let seconds = forecast.seconds(devices: devices, runs: runs, threads: threads)
    let sentence = RunSize.sentence(deviceDays: deviceDays, seconds: seconds, quickest: seconds)
    if let sentence { console.note("widgetfleet: \(sentence)\n") }
  }

  /// Returns a forecast for several runs, based on a simulation of a few devices.
  func forecast(devices: Int, runs: Int, like engine: Engine) throws(Failure) -> TimeForecast {
    let trial = TimeTrial(of: scenario, learningFrom: engine.phonesOfDemand)
    let forecast = TimeForecast(
      few: try lives(trial.few, of: trial, like: engine, threads: 1),
      more: try lives(trial.more, of: trial, like: engine, threads: 1)
    ).stretched(by: trial)
    let sample = min(forecast.sample(of: devices, runs: runs, threads: threads), trial.maximum)
    guard sample > 4_096 else { return forecast }
    let all = try lives(sample, of: trial, like: engine, threads: threads)
    return forecast.knowing((all.devices, all.seconds * trial.stretch))
  }

  /// Simulates some phones and returns the duration in seconds.
  private func lives(
    _ devices: Int, of trial: TimeTrial, like engine: Engine, threads: Int
  ) throws(Failure) -> (devices: Int, seconds: Double) {
    var pilot = try prepared(trial.scenario(devices), like: engine)
    pilot.phonesOfDemand = trial.phonesOfDemand
    let control = RunControl(maxEvents: TimeTrial.maxEvents)
    let signals = Monitor { if Interruption.isRequested { control.isCancelled.store(true, ordering: .relaxed) } }
    let stopwatch = Stopwatch()
    let isWhole = try simulated { () throws(SimulationError) -> Bool? in
      let result = try signals.during { () throws(SimulationError) in try pilot.run(threads: threads, control: control)
      }
      return Interruption.isRequested ? nil : result != nil
    }
    let done = isWhole ? pilot.devicesTotal : control.devicesDone.load(ordering: .relaxed)
    return (max(done, 1), stopwatch.wallSeconds)
  }
}
