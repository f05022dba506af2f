package import SimulationKernel

/// One scenario file as validated, typed values with every default filled in (scenario-reference.yaml).
package struct Scenario: Hashable, Keyed, Sendable {
  package var name = ""
  package var description = ""
  package var clock = Clock()
  package var run = RunSettings()
  package var app = App()
  package var kinds: [Kind] = []
  package var fleet = Fleet()
  /// The system of every cohort that names no preset of its own.
  package var os = OperatingSystem()
  package var endpoints: [Endpoint] = []
  /// In the order of the file.
  package var events: [Event] = []
  /// In the order of the file.
  package var goals: [Goal] = []
  /// What phones have shown of the system; nil: nothing.
  package var profile: SystemProfile?
  /// The undocumented constants, and those of the profile, that the file gives under `os`: they hold in every preset.
  package var givenConstants: Set<BracketConstant> = []
  /// Radio profiles of the file's own, in its order.
  package var radios: [RadioProfile] = []
  /// Phone models of the file's own, in its order.
  package var phones: [Phone] = []

  package init() {}

  /// The phone of a name, built in or of the file's own.
  package func phone(named name: String) -> Phone? { (Phone.all + phones).first { $0.name == name } }
}

/// The simulated calendar: `clock` of the file.
package struct Clock: Hashable, Keyed, Sendable {
  /// The first measured instant, in milliseconds since 1970-01-01T00:00:00Z.
  package var startUnixMilliseconds: Int64 = 0
  /// Simulated before the warm-up: widgets that have been there for long take up their places in it; zero: the world
  /// begins with new widgets.
  package var settle = TimeAmount.day
  /// Simulated before the start, left out of every figure.
  package var warmup = TimeAmount.day
  /// The measured period.
  package var duration = TimeAmount.day
  /// The time step of the load series; divides warm-up and duration.
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

  /// The beginning of the world, before the warm-up.
  package var beginning: Instant { .start - warmup - settle }
  /// From the beginning on: widgets are placed in it (Docs/MODEL.md, 1.2).
  package var placementSpan: TimeAmount { settle > .zero ? settle : warmup }
  /// What `settle` is where the file does not say: a day in whole steps; none without a warm-up.
  package var standardSettle: TimeAmount {
    guard warmup > .zero, step > .zero else { return .zero }
    return .milliseconds(TimeAmount.day.milliseconds / step.milliseconds * step.milliseconds)
  }
  /// The first instant of which anything must be known: before the beginning phones tell their demand.
  package var firstInstant: Instant { settle > .zero ? beginning - Self.demandSpan : beginning }
  /// Seven whole local days after a day in which widgets are placed (Docs/MODEL.md, 1.4).
  package static let demandSpan = TimeAmount.days(9)
  /// The end of the measured period.
  package var end: Instant { .start + duration }
}

/// `run` of the file.
package struct RunSettings: Hashable, Keyed, Sendable {
  package var seed: UInt64 = 1
  package var replications = 1
  /// Devices really simulated.
  package var simulate = SimulatedPhones.auto
  /// Devices whose rows devices.csv has; nil: all that are simulated.
  package var deviceRows: Int?

  package init() {}

  /// How many devices the rows of devices.csv are a sample of; nil: they are those of all `devices` simulated.
  package func rowSample(of devices: Int) -> Int? { deviceRows.flatMap { $0 < devices ? $0 : nil } }
}

/// The first and the second half of the whole days of a measured period, by which drift is told (MODEL.md 8).
package struct MeasuredHalves: Hashable, Sendable {
  /// Whole days in either half; 0: the period is too short to be compared with itself.
  package let days: Int64
  private let whole: Int64

  /// - Parameter duration: of the measured period; of an odd number of days the middle one is in neither half.
  package init(of duration: TimeAmount) {
    whole = duration.milliseconds / TimeAmount.day.milliseconds
    days = whole / 2
  }

  /// 0 or 1; nil before, between and after the halves.
  package func half(at now: Instant) -> Int? {
    let day = (now - .start).milliseconds.floorDivided(by: TimeAmount.day.milliseconds)
    if (0..<days).contains(day) { return 0 }
    return (whole - days..<whole).contains(day) ? 1 : nil
  }

  /// The days of either half, from 0.
  package var ranges: [Range<Int64>] { [0..<days, whole - days..<whole] }

  /// The time steps of either half.
  package func steps(of step: TimeAmount) -> (first: Range<Int>, second: Range<Int>) {
    func index(_ day: Int64) -> Int { Int(day * TimeAmount.day.milliseconds / step.milliseconds) }
    return (0..<index(days), index(whole - days)..<index(whole))
  }
}
