package import SimulationKernel

/// A validated scenario file as typed values, including all defaults (scenario-reference.yaml).
package struct Scenario: Hashable, Keyed, Sendable {
  package var name = ""
  package var description = ""
  package var clock = Clock()
  package var run = RunSettings()
  package var app = App()
  /// The named windows, in file order.
  package var windows: [NamedWindow] = []
  package var kinds: [Kind] = []
  package var fleet = Fleet()
  /// The operating system of all cohorts that have no preset of their own.
  package var os = OperatingSystem()
  package var endpoints: [Endpoint] = []
  /// The events, in file order.
  package var events: [Event] = []
  /// The goals, in file order.
  package var goals: [Goal] = []
  /// The system constants measured on phones; `nil` if the scenario does not use measurements.
  package var profile: SystemProfile?
  /// The assumed or measured constants that are set under `os` in the file, and that apply under every preset.
  package var givenConstants: Set<BracketConstant> = []
  /// The radio profiles defined in the file, in file order.
  package var radios: [RadioProfile] = []
  /// The phone models defined in the file, in file order.
  package var phones: [Phone] = []
  /// The code used in place of reload policies; it is not part of a file.
  package var providers = ProviderTable()

  package init() {}

  /// Returns the phone model with this name, which may be built in or defined in the file.
  package func phone(named name: String) -> Phone? { (Phone.all + phones).first { $0.name == name } }
}

/// The scenario for modules that have a `Scenario` of their own.
package typealias ScenarioValues = Scenario

/// The simulated calendar (`clock` in the file).
package struct Clock: Hashable, Keyed, Sendable {
  /// The first measured instant, in milliseconds since 1970-01-01T00:00:00Z.
  package var startUnixMilliseconds: Int64 = 0
  /// The simulated time before the warm-up, in which the widgets of an established fleet are placed; zero if all
  /// widgets are new.
  package var settle = TimeAmount.day
  /// The simulated time before `start` that is excluded from all metrics.
  package var warmup = TimeAmount.day
  /// The length of the measured period.
  package var duration = TimeAmount.day
  /// The time step of the load series; warm-up and duration are multiples of it.
  package var step = TimeAmount.second

  package init() {}

  package init(
    startUnixMilliseconds: Int64, settle: TimeAmount = .zero, warmup: TimeAmount, duration: TimeAmount,
    step: TimeAmount
  ) {
    self.settle = settle
    self.startUnixMilliseconds = startUnixMilliseconds
    self.warmup = warmup
    self.duration = duration
    self.step = step
  }

  /// The start of the simulation, which precedes the settle time and the warm-up.
  package var beginning: Instant { .start - warmup - settle }
  /// The time after the start of the simulation within which widgets are placed (Docs/MODEL.md, 1.2).
  package var placementSpan: TimeAmount { settle > .zero ? settle : warmup }
  /// The default value of `settle`, which is one day, rounded down to whole steps; zero if there is no warm-up.
  package var standardSettle: TimeAmount {
    guard warmup > .zero, step > .zero else { return .zero }
    return .milliseconds(TimeAmount.day.milliseconds / step.milliseconds * step.milliseconds)
  }
  /// The first instant for which inputs are prepared. This instant is early enough for phones to measure demand before
  /// the simulation starts.
  package var firstInstant: Instant { settle > .zero ? beginning - Self.demandSpan : beginning }
  /// The time for measuring demand: one day for placing widgets, and seven whole local days (Docs/MODEL.md, 1.4).
  package static let demandSpan = TimeAmount.days(9)
  /// The end of the measured period.
  package var end: Instant { .start + duration }
}

/// The settings of the run (`run` in the file).
package struct RunSettings: Hashable, Keyed, Sendable {
  package var seed: UInt64 = 1
  package var replications = 1
  /// The number of devices to simulate.
  package var simulate = SimulatedPhones.auto
  /// The number of devices listed in devices.csv; `nil` for all simulated devices.
  package var deviceRows: Int?
  /// The number of phones per cohort on which a replication measures demand; `nil` for the default (MODEL.md 1.4, 4.8).
  ///
  /// No key sets this value.
  package var phonesOfDemand: Int?
  /// The number of devices at which the verdict was settled if `simulate` is a word (MODEL.md 1.6). No key sets this
  /// value.
  package var settledDevices: Int?

  package init() {}

  /// Returns the number of devices listed in devices.csv; `nil` if all of the `devices` simulated devices are listed.
  package func rowSample(of devices: Int) -> Int? { deviceRows.flatMap { $0 < devices ? $0 : nil } }
}

/// The first and second halves of the whole days of a measured period, which are compared to detect drift (MODEL.md 8).
package struct MeasuredHalves: Hashable, Sendable {
  /// The number of whole days in each half; 0 if the period is too short for a comparison.
  package let days: Int64
  private let whole: Int64

  /// Creates the halves of a measured period.
  ///
  /// - Parameter duration: the length of the measured period; if the number of days is odd, the middle day is in
  ///   neither half.
  package init(of duration: TimeAmount) {
    whole = duration.milliseconds / TimeAmount.day.milliseconds
    days = whole / 2
  }

  /// Returns the half that contains an instant, as 0 or 1; `nil` if the instant is in neither half.
  package func half(at now: Instant) -> Int? {
    let day = (now - .start).milliseconds.floorDivided(by: TimeAmount.day.milliseconds)
    if (0..<days).contains(day) { return 0 }
    return (whole - days..<whole).contains(day) ? 1 : nil
  }

  /// The ranges of days in each half, with days counted from 0.
  package var ranges: [Range<Int64>] { [0..<days, whole - days..<whole] }

  /// Returns the ranges of time steps in each half.
  package func steps(of step: TimeAmount) -> (first: Range<Int>, second: Range<Int>) {
    func index(_ day: Int64) -> Int { Int(day * TimeAmount.day.milliseconds / step.milliseconds) }
    return (0..<index(days), index(whole - days)..<index(whole))
  }
}
