import SimulationKernel

/// The setting for the number of phones to simulate (`run.simulate` in the file, MODEL.md 1.6).
package enum SimulatedPhones: Hashable, Sendable {
  case all
  /// All phones of a small fleet, or a sample of a larger fleet that is large enough for the goals.
  case auto
  /// The number of phones for a quick run.
  case quick
  case count(Int)

  /// The words that are allowed instead of a number, in the order in which they are listed in messages.
  static let words = ["auto", "all", "quick"]

  /// The number of phones; `nil` if the setting is a word.
  package var count: Int? { if case .count(let count) = self { count } else { nil } }
}

extension SimulatedPhones: KeyValue {
  package static var valueType: ValueType { .oneOf([.words(words), .count]) }

  package var keyText: String? {
    switch self {
    case .all: "all"
    case .auto: "auto"
    case .quick: "quick"
    case .count(let count): String(count)
    }
  }

  package init?(read value: any KeyValue) {
    switch value {
    case let word as String where Self.words.contains(word):
      self = word == "all" ? .all : word == "auto" ? .auto : .quick
    case let number as UInt64:
      guard let count = Int(exactly: number) else { return nil }
      self = .count(count)
    default: return nil
    }
  }
}

extension Scenario {
  /// The number of devices simulated when the clock starts.
  package var devicesSimulated: Int {
    switch run.simulate {
    case .count(let count): count
    case .all: fleet.devices
    case .quick: run.settledDevices ?? devicesOfFirstLook
    case .auto: run.settledDevices ?? SampleRule(self).devices
    }
  }

  /// Whether the phones are a sample whose size is determined by a word in `run.simulate`.
  package var hasChosenSample: Bool {
    [.auto, .quick].contains(run.simulate) && devicesSimulated < fleet.devices
  }

  /// The reason for simulating only a sample; `nil` unless the sample's size is determined by a word in `run.simulate`.
  package var sampleReason: String? {
    guard hasChosenSample else { return nil }
    let rule = SampleRule(self)
    let phones = "\(devicesSimulated) of \(fleet.devices) devices"
    if run.settledDevices != nil { return "\(run.simulate.keyText ?? ""): \(phones), which settle the verdict" }
    return run.simulate == .quick
      ? "quick: a first look at \(phones)"
      : "auto: \(phones), because the work for all, \(LintText.number(rule.work)), exceeds "
        + "\(LintText.number(SampleRule.maxWork)) (MODEL.md 1.6)"
  }

  /// The number of devices simulated with `quick`.
  package var devicesOfFirstLook: Int { min(fleet.devices, SampleRule(self).firstLook(parts: 1)) }

  /// Returns the number of devices per replication for one setting in a search (STUDIES.md, "Capacity").
  ///
  /// The replications together do the work of a quick run, or a fifth of that work if `quick` is set. If the scenario
  /// specifies a number of phones or `all`, that setting applies instead.
  package func devicesOfSearch(replications: Int) -> Int {
    let parts =
      switch run.simulate {
      case .all, .count: 0
      case .auto: replications
      case .quick: 5 * replications
      }
    return parts == 0 ? devicesSimulated : min(fleet.devices, SampleRule(self).firstLook(parts: parts))
  }

  /// The number of devices in a rough search, which is at most a fifth of the number of devices in a quick run.
  package var devicesOfRoughSearch: Int { min(devicesOfSearch(replications: 5), SampleRule(self).firstLook(parts: 5)) }

  /// A copy of the scenario in which `auto` is replaced by `all` if `auto` would simulate the whole fleet.
  package var withSampleDecided: Scenario {
    guard run.simulate == .auto, SampleWaves(self).sizes == [fleet.devices] else { return self }
    var scenario = self
    scenario.run.simulate = .all
    return scenario
  }
}

/// The increasing numbers of devices that a run simulates in successive waves until the verdict is settled (MODEL.md
/// 1.6).
package struct SampleWaves: Sendable {
  /// The number of devices in the first wave.
  private static let first = 2_000
  /// The ratio of successive wave sizes. Simulating all waves takes a third longer than simulating only the last one.
  private static let factor = 4

  /// The wave sizes in ascending order; the last one is the number that `auto` or `quick` would otherwise simulate.
  package let sizes: [Int]

  package init(_ scenario: Scenario) {
    var whole = scenario
    whole.run.settledDevices = nil
    let (last, rule) = (whole.devicesSimulated, SampleRule(scenario))
    let isLong = rule.perPhone * Double(rule.devices) > SampleRule.lookWork
    guard scenario.run.simulate.count == nil, scenario.run.simulate != .all, isLong else {
      sizes = [last]
      return
    }
    let waves = sequence(first: Self.first) { $0 * Self.factor }.prefix { $0 * 2 <= rule.devices && $0 < last }
    sizes = waves.filter { Self.isLargeEnough($0, forCDNsOf: scenario) } + [last]
  }

  /// Returns whether one simulated request represents at most an eighth of the requests needed to fetch all keys of a
  /// CDN. If it represented more, the keys would expire in phase.
  private static func isLargeEnough(_ wave: Int, forCDNsOf scenario: Scenario) -> Bool {
    let keys = scenario.endpoints.compactMap(\.cdn?.keys).min() ?? .max
    return 8 * Double(scenario.fleet.devices) <= Double(wave) * Double(keys)
  }
}

/// The rule for choosing the sample size of `auto` and `quick`; it depends only on the scenario and not on the machine
/// (MODEL.md 1.6).
struct SampleRule {
  /// The maximum amount of work for simulating a whole fleet; one unit takes about 5 microseconds on one processor.
  static let maxWork = 12_000_000.0
  /// The amount of work for simulating a sample of a larger fleet.
  static let sampleWork = 6_000_000.0
  /// The amount of work for a quick run.
  static let lookWork = 1_500_000.0
  /// The minimum number of sampled phones with widgets that affect the goals.
  static let resolving = 50_000.0
  /// The minimum number of phones in a sample.
  static let fewest = 1_000

  private let scenario: Scenario
  /// The amount of work for simulating one phone.
  let perPhone: Double

  init(_ scenario: Scenario) {
    self.scenario = scenario
    let clock = scenario.clock
    let days = (clock.settle + clock.warmup + clock.duration).seconds / TimeAmount.day.seconds
    let widgets = scenario.fleet.cohorts.reduce(0) { sum, cohort in
      sum + cohort.share.fraction
        * cohort.widgets.reduce(0) { $0 + $1.share.fraction * Double($1.members.count) }
    }
    let isInSteps =
      scenario.endpoints.contains(where: \.hasFeedback) || scenario.events.contains { $0.limitedEndpoint != nil }
    let growth = max(1, scenario.fleet.growth(over: clock.duration))
    perPhone = days * (1 + widgets) * (isInSteps ? 2 : 1) * growth
  }

  /// The amount of work for simulating the whole fleet.
  var work: Double { Double(scenario.fleet.devices) * perPhone }

  /// The number of devices simulated with `auto`.
  var devices: Int {
    let all = scenario.fleet.devices
    guard work > Self.maxWork else { return all }
    let needed = min((Self.resolving / max(reach, 1e-9)).rounded(.up), Double(all))
    return min(all, max(maximum(Self.sampleWork), Self.twoDigits(Int(needed), up: true)))
  }

  /// Returns the number of devices that `quick` simulates for a large fleet. If several parts share the work, the
  /// result is the number for each part.
  func firstLook(parts: Int) -> Int { maximum(Self.lookWork / Double(parts)) }

  /// Returns the maximum number of phones that can be simulated with the given amount of work, rounded to two
  /// significant digits.
  private func maximum(_ work: Double) -> Int {
    let maximum = perPhone > 0 ? min(work / perPhone, Fleet.maxDevices) : Fleet.maxDevices
    return max(Self.fewest, Self.twoDigits(Int(maximum), up: false))
  }

  /// The minimum share of phones whose widgets send requests to an endpoint that is named in a goal; 1 if there is
  /// none.
  var reach: Double {
    let named = Set(scenario.goals.map(\.figure.labels.endpoint))
    let shares = scenario.endpoints.indices.filter { named.contains(scenario.endpoints[$0].name) }.map(reach)
    return shares.filter { $0 > 0 }.min() ?? 1
  }

  private func reach(_ endpoint: Int) -> Double {
    let kinds = Set(
      scenario.kinds.indices.filter { scenario.kinds[$0].sends(to: endpoint) })
    return scenario.fleet.cohorts.reduce(0) { sum, cohort in
      let placements = cohort.widgets.filter { $0.members.contains { kinds.contains($0.kind) } }
      return sum + cohort.share.fraction * (placements.map(\.share.fraction).max() ?? 0)
    }
  }

  private static func twoDigits(_ count: Int, up: Bool) -> Int {
    var unit = 1
    while count / unit >= 100 { unit *= 10 }
    return (count + (up ? unit - 1 : 0)) / unit * unit
  }
}
