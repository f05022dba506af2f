import FleetEngine
import FleetReports
import Scenario
import SimulationKernel
import Studies

/// How long a run will take on this machine, told before it starts: no file depends on it.
struct TimeForecast: Equatable {
  /// Seconds of one thread that a run takes whatever its devices are.
  var fixed: Double
  /// Seconds of one thread for a device.
  var perDevice: Double
  /// Seconds by the clock for a device, with all threads at work side by side; nil: not measured.
  var shared: Double?

  /// From how long few and more devices took, one thread each.
  ///
  /// - Parameter few, more: devices and seconds; `more` has more devices.
  init(few: (devices: Int, seconds: Double), more: (devices: Int, seconds: Double)) {
    perDevice = max(more.seconds - few.seconds, 0) / Double(max(more.devices - few.devices, 1))
    fixed = max(few.seconds - perDevice * Double(few.devices), 0)
  }

  /// With how long so many devices took on all threads: what they lose by sharing caches and memory is in it.
  func knowing(_ many: (devices: Int, seconds: Double)) -> TimeForecast {
    var forecast = self
    forecast.shared = max(many.seconds - fixed, 0) / Double(max(many.devices, 1))
    return forecast
  }

  /// The forecast of the scenario that a trial stands for.
  func stretched(by trial: TimeTrial) -> TimeForecast {
    var forecast = self
    forecast.perDevice *= trial.stretch
    forecast.fixed *= max(trial.stretch, trial.learning)
    return forecast
  }

  /// - Parameter threads: that share the devices; what is fixed is not shared.
  func seconds(devices: Int, runs: Int, threads: Int) -> Double {
    Double(runs) * (fixed + (shared ?? perDevice / Double(max(threads, 1))) * Double(devices))
  }

  /// How many devices, lived on all threads, take a twentieth of a forecast time and no more than some seconds.
  func sample(of devices: Int, runs: Int, threads: Int) -> Int {
    let share = min(seconds(devices: devices, runs: runs, threads: threads) / 20, Self.longestSample) - fixed
    guard share > 0, perDevice > 0 else { return 0 }
    return min(Int(min(share * Double(max(threads, 1)) / perDevice, 1e9)), devices / 4)
  }

  /// Seconds that measuring takes at most.
  private static let longestSample = 3.0
}

/// What stands before a run that takes long.
struct RunSize {
  /// Devices of a replication, and days of each, those before the measured period too.
  var devices: Int
  var days: Double
  /// `2 replications, prompt, lazy`.
  var runs: [String]
  var count: Int
  /// Bytes.
  var memory: Int
  /// Devices of a first look.
  var firstLook: Int
  /// Trials of what findings may advise, at most.
  var trials = 0

  /// Runs that are over before anybody asks how long they take, in device-days.
  static let quick = 300_000.0
  /// Nothing is said of a shorter run, in seconds.
  static let shortest = 10.0
  /// A device-day is a day of one phone in one run.
  var deviceDays: Double { Double(devices) * days * Double(count) }

  /// `27 M device-days (the scenario, prompt, lazy), about 4 min and 1.2 GB; --quick: about 20 s`; nil of a run that is
  /// over soon.
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

  /// `1 344 000 device-days, about 4 min; --quick: about 35 s`, of many runs; nil of what is over soon.
  ///
  /// - Parameters:
  ///   - seconds: that all of them take.
  ///   - quickest: that the fewest take that answer the question; as long where there is no quicker form.
  static func sentence(deviceDays: Double, seconds: Double, quickest: Double) -> String? {
    guard seconds >= shortest else { return nil }
    return "\(NumberText.short(deviceDays)) device-days, about \(span(seconds))"
      + (quickest < seconds / 2 ? "; --quick: about \(span(max(quickest, 5)))" : "")
  }

  /// In the unit in which people would say it.
  static func span(_ seconds: Double) -> String {
    if seconds < 90 { return "\(Int((seconds / 5).rounded()) * 5) s" }
    if seconds < 5_400 { return "\(Int((seconds / 60).rounded())) min" }
    return seconds < 172_800 ? "\(Int((seconds / 3_600).rounded())) h" : "\(Int((seconds / 86_400).rounded())) days"
  }
}

extension Simulation {
  /// Phones that make as much work without growth as some at the start do with it.
  ///
  /// Before a phone comes its owner lives without widgets (MODEL.md 1.5), which takes about half as long.
  func growing(_ devices: Int) -> Int {
    let (clock, fleet) = (scenario.clock, scenario.fleet)
    let (present, lived) = (fleet.meanGrowth(over: clock), max(fleet.growth(over: clock.duration), 1))
    return Int((Double(devices) * (present < 1 ? present : (present + lived) / 2)).rounded())
  }

  /// Days of phones from which a replication learns what budgets are asked for.
  private func learned(by engine: Engine) -> Double {
    guard scenario.clock.settle > .zero else { return 0 }
    return Double(engine.phonesOfDemand * scenario.fleet.cohorts.count) * Clock.demandSpan.seconds / 86_400
  }

  /// Prints how large a run is and how long it will take, where that is long; lives some phones to find out.
  func tellSize(
    _ engine: Engine, memory: MemoryForecast, _ stages: [Progress.Stage], _ settings: Settings
  ) throws(Failure) {
    let clock = scenario.clock
    let known = stages.filter { $0.devices > 0 }
    let size = RunSize(
      devices: growing(engine.devicesSimulated), days: (clock.end - clock.beginning).seconds / 86_400,
      runs: known.map(\.name), count: known.reduce(0) { $0 + $1.devices } / max(engine.devicesLived, 1),
      memory: memory.peak, firstLook: growing(scenario.devicesOfFirstLook),
      trials: settings.makesTrials(of: scenario) ? TrialPlan.mostRuns : 0)
    let learning = learned(by: engine) * Double(size.count)
    guard !settings.isQuiet, size.deviceDays + learning >= RunSize.quick, !ranksAreShared else { return }
    let forecast = try forecast(devices: size.devices, runs: size.count, like: engine)
    if let sentence = size.sentence(forecast, threads: threads) { console.note("widgetfleet: \(sentence)\n") }
  }

  /// Prints how long further runs of a scenario will take together, where that is long.
  func tellTime(runs: Int, like engine: Engine, _ settings: Settings) throws(Failure) {
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

  /// How long runs of so many devices take, from the lives of a few.
  ///
  /// - Parameter devices: as `growing` has them.
  func forecast(devices: Int, runs: Int, like engine: Engine) throws(Failure) -> TimeForecast {
    let trial = TimeTrial(of: scenario, learningFrom: engine.phonesOfDemand)
    let forecast = TimeForecast(
      few: try lives(trial.few, of: trial, like: engine, threads: 1),
      more: try lives(trial.more, of: trial, like: engine, threads: 1)
    ).stretched(by: trial)
    let sample = min(forecast.sample(of: devices, runs: runs, threads: threads), trial.most)
    guard sample > 4_096 else { return forecast }
    let all = try lives(sample, of: trial, like: engine, threads: threads)
    return forecast.knowing((all.devices, all.seconds * trial.stretch))
  }

  /// Lives so many phones of a trial, or as many as its events allow: how many, and the seconds that it took.
  private func lives(
    _ devices: Int, of trial: TimeTrial, like engine: Engine, threads: Int
  ) throws(Failure) -> (devices: Int, seconds: Double) {
    var pilot = try prepared(trial.scenario(devices), like: engine)
    pilot.phonesOfDemand = trial.phonesOfDemand
    let control = RunControl(mostEvents: TimeTrial.mostEvents)
    let signals = Companion { if Interruption.isRequested { control.isCancelled.store(true, ordering: .relaxed) } }
    let stopwatch = Stopwatch()
    let isWhole = try simulated { () throws(SimulationError) -> Bool? in
      let result = try signals.during { () throws(SimulationError) in try pilot.run(threads: threads, control: control)
      }
      return Interruption.isRequested ? nil : result != nil
    }
    let done = isWhole ? pilot.devicesLived : control.devicesDone.load(ordering: .relaxed)
    return (max(done, 1), stopwatch.wallSeconds)
  }
}
