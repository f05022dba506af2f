import SimulationKernel

/// What a phone of a cohort does in a day, in the mean and from above, as the keys of the scenario tell (MODEL.md 10).
///
/// No run is taken for a cache hit, and every request for one that needs all its attempts.
struct PhoneDay {
  /// What makes the widgets of a kind run, and the key that says how often.
  struct Source {
    var path: [String]
    var kind: Int
    /// A day, of all instances of the kind on a phone.
    var runs: Double
  }

  let cohort: Cohort
  /// Phones of the cohort that are simulated, those that come later too.
  let simulated: Double
  let sources: [Source]
  /// Looks of people at the screen: sessions, visits and glances, and the key that says how many.
  let looks: (path: [String], count: Double)
  /// Instances on a phone, by kind.
  let instances: [Double]
  private let kinds: [Kind]

  init(_ index: Int, of scenario: Scenario) {
    cohort = scenario.fleet.cohorts[index]
    kinds = scenario.kinds
    let growth = max(scenario.fleet.growth(over: scenario.clock.duration), 1)
    simulated = Double(scenario.devicesSimulated) * cohort.share.fraction * growth
    let habits = PhoneHabits(index, of: scenario)
    looks = habits.looks
    instances = habits.instances
    sources = habits.sources
  }

  // MARK: Sums

  /// Runs a day.
  var runs: Double { sources.reduce(0) { $0 + $1.runs } }

  /// Tries of requests a day.
  var requests: Double { sum { kinds[$0].mostRequests } }

  /// Bytes of all tries a day, both ways.
  var bytes: Double { sum { kinds[$0].mostBytes } }

  /// What is handled a day: looks at the screen, and of each run its due date, start and end and its requests.
  var events: Double { 100 + 2 * looks.count + sum { 4 + kinds[$0].mostRequests } }

  /// Nanojoules a day that do not follow from the time on the air: bytes, and what each run would pay around it alone.
  var energy: Double { sum { energy(ofARunOf: kinds[$0]) } }

  /// Nanojoules of one run that do not follow from its time on the air, on the dearest radio.
  func energy(ofARunOf kind: Kind) -> Double {
    cohort.network.possibleRadios.map { $0.mostAround + kind.mostTransfer(on: $0) }.max() ?? 0
  }

  /// Requests of a phone whose widgets all run once.
  var requestsAtOnce: Double { instances.indices.reduce(0) { $0 + instances[$1] * kinds[$1].mostRequests } }

  private func sum(_ perRun: (Int) -> Double) -> Double { sources.reduce(0) { $0 + $1.runs * perRun($1.kind) } }

  // MARK: What decides

  /// The source with the greatest part in a sum over runs.
  func decisive(_ perRun: (Kind) -> Double) -> Source? {
    sources.max { $0.runs * perRun(kinds[$0.kind]) < $1.runs * perRun(kinds[$1.kind]) }
  }
}

extension Kind {
  /// Tries of requests that a run may need.
  var mostRequests: Double { Double(requests.reduce(0) { $0 + $1.count }) * Double(attempts.count) }

  /// Their bytes both ways.
  var mostBytes: Double {
    requests.reduce(0) { $0 + Double($1.count) * Double($1.up.most + $1.down.most) } * Double(attempts.count)
  }

  /// Nanojoules for the bytes of a run.
  func mostTransfer(on radio: RadioProfile) -> Double {
    let picojoules = requests.reduce(0.0) { sum, request in
      let (down, up) = (Double(request.down.most), Double(request.up.most))
      let bits = 8 * (down * Double(radio.down.picojoules) + up * Double(radio.up.picojoules))
      return sum + Double(request.count) * bits
    }
    return picojoules * Double(attempts.count) / 1_000
  }
}

extension BytesByFamily {
  /// The most bytes of any family.
  fileprivate var most: Int64 { [small, medium, large, extraLarge].map(\.bytes).max() ?? 0 }
}

extension RadioProfile {
  /// Nanojoules of a promotion and all tails.
  fileprivate var mostAround: Double {
    Double(promotion.energy.nanojoules) + tails.reduce(0) { $0 + Double($1.energy.nanojoules) }
  }
}

extension NetworkHabits {
  /// Those that a phone can be on.
  fileprivate var possibleRadios: [RadioProfile] {
    switch self {
    case .fixed(let radio): [radio]
    case .roaming(let roaming): [.wifi, roaming.cellular]
    }
  }
}
