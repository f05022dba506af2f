import DeviceModel
import Numerics
import Scenario
import SimulationKernel

extension FleetPlanBuilder {
  /// The habits of a cohort's owners.
  mutating func plan(of person: Person, cohort: Cohort) throws(NumericsError) -> PersonPlan {
    guard try hasPeople(person) else { return nobody(person) }
    let unlocks = try person.unlocksPerDay.mean()
    let hasLockScreen = cohort.widgets.contains { $0.place == .lockScreen }
    let audio = scenario.app.audioSession
    var plan = PersonPlan(
      unlocksPerDay: try numberSampler(person.unlocksPerDay),
      dayFactor: try person.dayVariation.map { shape throws(NumericsError) in
        try samplers.number(.gamma(shape: shape, mean: 1))
      } ?? .constant(1),
      unitGap: try samplers.number(.exponential(mean: 1)), hours: hours(of: person),
      session: try sampler(person.session), glancesPerUnlock: hasLockScreen ? person.glancesPerUnlock : 0,
      furtherVisits: try samplers.count(poisson: person.homeVisits), depth: depth(person, pages: cohort.lastPage),
      appOpens: Chance(Share(fraction: unlocks > 0 ? min(1, scenario.app.opensPerDay / unlocks) : 0)),
      foreground: try sampler(scenario.app.foreground), audioPerDay: audio?.perDay ?? 0,
      audioLength: try sampler(audio?.length ?? .constant(.zero)))
    plan.fleetDayFactor = try fleetDayFactor()
    return plan
  }

  /// Lognormal of mean 1 (MODEL.md 2.2).
  mutating func fleetDayFactor() throws(NumericsError) -> NumberSampler {
    guard let sigma = scenario.fleet.dayFactorSigma, sigma > 0 else { return .constant(1) }
    return try numberSampler(.lognormal(median: SteadyMath.exp(-sigma * sigma / 2), sigma: sigma))
  }

  /// Plan of the owners of phones that are not used at all: no tables for draws that nobody makes.
  private func nobody(_ person: Person) -> PersonPlan {
    let one = storage.choice(of: [(value: 1, weight: 1)])
    return PersonPlan(
      unlocksPerDay: .constant(0), dayFactor: .constant(1), unitGap: .constant(1), hours: hours(of: person),
      session: .constant(.zero), glancesPerUnlock: 0, furtherVisits: one, depth: one,
      appOpens: Chance(Share(fraction: 0)), foreground: .constant(.zero), audioPerDay: 0, audioLength: .constant(.zero))
  }

  /// Whether a cohort's phones are used at all, or play the app's audio.
  func hasPeople(_ person: Person) throws(NumericsError) -> Bool {
    let moves = scenario.kinds.contains { $0.locationChangesPerDay > 0 }
    return try person.unlocksPerDay.mean() > 0 || (scenario.app.audioSession?.perDay ?? 0) > 0 || moves
  }

  private func hours(of person: Person) -> PreparedList<HourProfile> {
    storage.keep(
      walls.map { wall in
        HourProfileBuilder(wall: wall, weights: person.hours, storage: storage)
          .profile(days: Calendar(wall: wall, clock: scenario.clock).days)
      })
  }

  /// The last page of a visit: on from page 1, and on from any later page, as far as there are widgets.
  private func depth(_ person: Person, pages: Int) -> ChoiceTable<Int> {
    var reached = 1.0
    var options: [(value: Int, weight: Double)] = []
    for page in 1..<max(pages, 1) {
      let further = page == 1 ? person.nextPageFromFirst.fraction : person.nextPageFromLater.fraction
      options.append((page, reached * (1 - further)))
      reached *= further
    }
    options.append((max(pages, 1), reached))
    return storage.choice(of: options)
  }

  /// Bursts of taps per session on an instance (MODEL.md 2.6); nil without taps.
  mutating func bursts(of kind: Kind, person: Person) throws(NumericsError) -> ChoiceTable<Int>? {
    let unlocks = try person.unlocksPerDay.mean()
    guard let taps = kind.taps, taps.perDay > 0, unlocks > 0 else { return nil }
    return try samplers.count(poisson: taps.perDay / Double(taps.burst) / unlocks)
  }

  /// Draws the member that a stack shows: its index, or -1 for another app's.
  func stack(of placement: Placement) -> ChoiceTable<Int>? {
    guard placement.isStack else { return nil }
    let members = placement.members.enumerated().map { (value: $0.offset, weight: $0.element.weight) }
    return storage.choice(of: members + [(value: -1, weight: placement.otherWeight)])
  }

  /// C by the number of views in seven days, up to where the curve is flat (MODEL.md 4.7).
  static func capacityByWeek(cap: Double) -> [RunMillionths] {
    // At 1 500 views a day the curve is below its end by less than a millionth of a run.
    (0...7 * 1_500).map { ViewsLaw.roundedCapacity(views: Double($0) / 7, cap: cap) }
  }

  /// The sampler of a plain number.
  mutating func numberSampler(_ distribution: Distribution<Double>) throws(NumericsError) -> NumberSampler {
    switch distribution {
    case .constant(let number): return .constant(number)
    case .uniform(let from, let to): return to > from ? .uniform(from: from, width: to - from) : .constant(from)
    case .exponential(let mean): return mean > 0 ? try samplers.number(.exponential(mean: mean)) : .constant(0)
    case .normal(let mean, let deviation):
      return deviation > 0 ? try samplers.number(.normal(mean: mean, deviation: deviation)) : .constant(max(mean, 0))
    case .lognormal(let median, let sigma):
      return sigma > 0 && median > 0
        ? try samplers.number(.lognormal(median: median, sigma: sigma)) : .constant(median)
    case .choice(let options): return try samplers.number(choice: options.map { ($0.value, $0.weight) })
    }
  }
}

extension Cohort {
  /// The last page of the home screen that has one of the widgets, counted from 1.
  fileprivate var lastPage: Int {
    widgets.reduce(1) { last, placement in
      if case .homePage(let page) = placement.place { max(last, page) } else { last }
    }
  }
}
