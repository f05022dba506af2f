import FleetEngine
import FleetReports
import Scenario
import SimulationKernel

/// How long a run will take on this machine, told before it starts: no file depends on it.
struct TimeForecast: Equatable {
  /// Seconds of one thread that a run takes whatever its devices are.
  var fixed: Double
  /// Seconds of one thread for a device.
  var perDevice: Double

  /// From how long few and more devices took, one thread each.
  ///
  /// - Parameter few, more: devices and seconds; `more` has more devices.
  init(few: (devices: Int, seconds: Double), more: (devices: Int, seconds: Double)) {
    perDevice = max(more.seconds - few.seconds, 0) / Double(max(more.devices - few.devices, 1))
    fixed = max(few.seconds - perDevice * Double(few.devices), 0)
  }

  /// - Parameter threads: that share the devices; what is fixed is not shared.
  func seconds(devices: Int, runs: Int, threads: Int) -> Double {
    Double(runs) * (fixed + perDevice * Double(devices) / Double(max(threads, 1)))
  }

  /// The most devices, in one digit and zeros, that take no longer than some seconds; nil: not even a thousand.
  func devices(within limit: Double, runs: Int, threads: Int) -> Int? {
    let left = limit / Double(max(runs, 1)) - fixed
    guard left > 0, perDevice > 0 else { return nil }
    let most = min(left * Double(threads) / perDevice, 1e12)
    var unit = 1_000
    while Double(unit) * 10 <= most { unit *= 10 }
    return Double(unit) > most ? nil : Int(most) / unit * unit
  }
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

  /// Runs that are over before anybody asks how long they take, in device-days.
  static let quick = 300_000.0
  /// Nothing is said of a shorter run, in seconds.
  static let shortest = 10.0
  /// A first look should take no longer, in seconds.
  static let firstLook = 20.0

  /// A device-day is a day of one phone in one run.
  var deviceDays: Double { Double(devices) * days * Double(count) }

  /// `27 M device-days (the scenario, prompt, lazy), about 4 min and 1.2 GB; for a first look --set
  /// run.simulate=200000: about 20 s`; nil of a run that is over soon.
  func sentence(_ forecast: TimeForecast, threads: Int) -> String? {
    let seconds = forecast.seconds(devices: devices, runs: count, threads: threads)
    guard seconds >= Self.shortest else { return nil }
    let work = "\(NumberText.short(deviceDays)) device-days (\(runs.joined(separator: ", ")))"
    let cost = "about \(Self.span(seconds)) and \(NumberText.bytes(Double(memory)))"
    guard seconds > 2 * Self.firstLook,
      let fewer = forecast.devices(within: Self.firstLook, runs: count, threads: threads), fewer * 2 <= devices
    else { return "\(work), \(cost)" }
    return "\(work), \(cost); for a first look --set run.simulate=\(fewer): about \(Self.span(Self.firstLook))"
  }

  /// In the unit in which people would say it.
  static func span(_ seconds: Double) -> String {
    if seconds < 90 { return "\(Int((seconds / 5).rounded()) * 5) s" }
    if seconds < 5_400 { return "\(Int((seconds / 60).rounded())) min" }
    return seconds < 172_800 ? "\(Int((seconds / 3_600).rounded())) h" : "\(Int((seconds / 86_400).rounded())) days"
  }
}

extension Simulation {
  /// Says how large a run is and how long it will take, where that is long; lives some phones to find out.
  ///
  /// - Parameter others: runs beside the scenario's own replications.
  func tellSize(_ engine: Engine, memory: MemoryForecast, others: [String], _ settings: Settings) throws(Failure) {
    let clock = scenario.clock
    let replications = scenario.run.replications
    let size = RunSize(
      devices: engine.devicesLived, days: (clock.end - clock.beginning).seconds / 86_400,
      runs: [replications == 1 ? "the scenario" : "\(replications) replications"] + others,
      count: replications + others.count, memory: memory.peak)
    guard !settings.isQuiet, size.deviceDays >= RunSize.quick, !ranksAreShared else { return }
    let forecast = TimeForecast(few: try lives(64, like: engine), more: try lives(1_024, like: engine))
    if let sentence = size.sentence(forecast, threads: threads) { console.note("widgetfleet: \(sentence)\n") }
  }

  /// Lives so many phones on one thread: the seconds it took.
  private func lives(_ devices: Int, like engine: Engine) throws(Failure) -> (devices: Int, seconds: Double) {
    var small = scenario
    small.run.simulate = devices
    small.run.replications = 1
    let pilot = try prepared(small, like: engine)
    let stopwatch = Stopwatch()
    _ = try simulated { () throws(SimulationError) in try pilot.run(threads: 1, control: RunControl()) }
    return (pilot.devicesLived, stopwatch.wallSeconds)
  }
}
