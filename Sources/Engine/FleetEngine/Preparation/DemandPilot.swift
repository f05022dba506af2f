import DeviceModel
import Scenario
import SimulationKernel

/// A pilot simulation that measures the widgets' demand on their refresh budgets (MODEL.md 1.4).
///
/// It simulates a small number of phones for a week without ever withholding a run.
struct DemandPilot {
  private let plan: FleetPlan
  private let shape: Tally.Shape
  private let storage: SamplerStorage
  private let phones: Int

  /// The default number of simulated phones per cohort.
  static let phones = 128
  /// The number of whole local days simulated on each phone.
  static let days = 7
  /// The minimum number of phones per class, which limits the number of classes.
  static let phonesOfClass = 16
  /// The replication number of the pilot, which is not used by any other replication or pilot.
  private let replication: Int

  /// Creates the pilot for a replication.
  ///
  /// - Parameter replication: the number of the replication whose demand is estimated.
  init(_ plan: FleetPlan, shape: Tally.Shape, phones: Int, replication: Int, storage: SamplerStorage) {
    self.phones = phones
    self.plan = plan.countingDemand(for: Clock.demandSpan).withoutFollowing
    self.shape = shape
    self.replication = 0xFF_FFFF - replication
    self.storage = storage
  }

  /// The activity of one widget instance on one phone.
  private struct Life {
    var unlocks: Double
    /// The number of charged runs on each whole local day, followed by the number of views on each day.
    var charged = [Double](repeating: 0, count: DemandPilot.days)
    var views = [Double](repeating: 0, count: DemandPilot.days)
    /// The expected number of unlocks given the day factors.
    var expected = 0.0
    var hours = [Double](repeating: 0, count: 24)

    var demand: Double { charged.reduce(0, +) / Double(DemandPilot.days) }
    var viewsPerDay: Double { views.reduce(0, +) / Double(DemandPilot.days) }
  }

  enum Obstacle: Error {
    case failed(DeviceFailure)
    case stopped
  }

  /// Returns the cohorts of the plan, including the measured demand of their members.
  ///
  /// - Parameter isStopped: a function called before each phone with the number of events on the previous phone; if it
  ///   returns `true`, the pilot stops.
  func cohorts(_ isStopped: (Int64) -> Bool) throws(Obstacle) -> PreparedList<CohortPlan> {
    var simulator = DeviceSimulator(plan: plan, shape: shape)
    var cohorts: [CohortPlan] = []
    for index in plan.cohorts.indices {
      var cohort = plan.cohorts[index]
      if cohort.hasPeople || cohort.system.budget.model == .bucket {
        let lives = try lives(ofCohort: index, &simulator, isStopped)
        cohort.members = storage.keep(
          cohort.members.indices.map { member in
            var plan = cohort.members[member]
            plan.demand = demand(lives[member], plan, cohort.system.budget)
            return plan
          })
      }
      cohorts.append(cohort)
    }
    return storage.keep(cohorts)
  }

  /// Returns the activity of the instances, grouped by member.
  private func lives(
    ofCohort index: Int, _ simulator: inout DeviceSimulator, _ isStopped: (Int64) -> Bool
  ) throws(Obstacle) -> [[Life]] {
    let cohort = plan.cohorts[index]
    var all = [[Life]](repeating: [], count: cohort.members.count)
    var counted = simulator.tally.eventCount
    for phone in 0..<phones {
      if isStopped(simulator.tally.eventCount - counted) { throw .stopped }
      counted = simulator.tally.eventCount
      var lives = [Life?](repeating: nil, count: cohort.members.count)
      var first: Int64?
      let device = cohort.firstDevice + phone
      do throws(DeviceFailure) {
        try simulator.reportDemand(device: device, cohort: index, replication: replication) {
          let firstDay = first ?? $0.local.day.number + 2
          first = firstDay
          let day = Int($0.local.day.number - firstDay)
          guard day >= 0, day < Self.days else { return }
          var life = lives[$0.member] ?? Life(unlocks: 0)
          life.charged[day] += $0.charged
          life.views[day] += $0.views
          life.hours[$0.local.hour] += $0.charged
          lives[$0.member] = life
        }
      } catch { throw .failed(error) }
      for member in lives.indices {
        guard var life = lives[member] else { continue }
        life.unlocks = simulator.unlocksPerDay
        for day in 0..<Int64(Self.days) {
          life.expected += life.unlocks * simulator.dayFactor(on: LocalDay(number: (first ?? 0) + day))
        }
        all[member].append(life)
      }
    }
    return all
  }

  private func demand(_ lives: [Life], _ member: MemberPlan, _ budget: BudgetPlan) -> DemandPlan? {
    guard !lives.isEmpty else { return nil }
    let sorted = lives.sorted { $0.unlocks < $1.unlocks }
    let isOne = sorted[0].unlocks == sorted[sorted.count - 1].unlocks
    let count = isOne ? 1 : max(sorted.count / Self.phonesOfClass, 1)
    let classes = (0..<count).map { index in
      demandClass(Array(sorted[index * sorted.count / count..<(index + 1) * sorted.count / count]), member)
    }
    return DemandPlan(
      classes: storage.keep(classes), accrued: storage.keep(Self.sums((0..<24).map { accrual(budget, hour: $0) })),
      asked: storage.keep(Self.sums(hours(lives))))
  }

  private func demandClass(_ lives: [Life], _ member: MemberPlan) -> DemandClass {
    let count = Double(lives.count)
    let expected = lives.reduce(0) { $0 + $1.expected }
    let views = lives.reduce(0) { $0 + $1.views.reduce(0, +) }
    var capacity = 0.0
    var squares = 0.0
    for life in lives {
      let (mean, slope) = capacityAndSlope(life, member)
      capacity += mean / count
      let nets = life.charged.indices.map { slope * life.views[$0] - life.charged[$0] }
      squares += Self.products(nets, nets)
    }
    return DemandClass(
      unlocks: lives.reduce(0) { $0 + $1.unlocks } / count, demand: Self.dailyDemand(lives),
      variance: squares / (count * Double(Self.days - 1)), capacity: capacity,
      views: expected > 0 ? views / expected : 0)
  }

  /// Returns the number of charged runs per day as a linear function of the day's views, fitted by least squares within
  /// each phone.
  private static func dailyDemand(_ lives: [Life]) -> DailyDemand {
    let count = Double(lives.count)
    let views = lives.reduce(0) { $0 + products($1.views, $1.views) }
    let both = lives.reduce(0) { $0 + products($1.views, $1.charged) }
    let charged = lives.reduce(0) { $0 + products($1.charged, $1.charged) }
    let slope = views > 0 ? both / views : 0
    return DailyDemand(
      mean: lives.reduce(0) { $0 + $1.demand } / count, perView: slope,
      rest: max(charged - slope * both, 0) / (count * Double(days - 1)))
  }

  /// Returns the sum of products of deviations: the sum over all pairs of (left - mean of left) * (right - mean of
  /// right).
  private static func products(_ left: [Double], _ right: [Double]) -> Double {
    let count = Double(left.count)
    let means = (left.reduce(0, +) / count, right.reduce(0, +) / count)
    return zip(left, right).reduce(0) { $0 + ($1.0 - means.0) * ($1.1 - means.1) }
  }

  /// Returns the capacity C for the number of views in a week, and the increase in C per additional view per day.
  private func capacityAndSlope(_ life: Life, _ member: MemberPlan) -> (Double, Double) {
    guard case .views(_, let byWeek) = member.capacity else { return (0, 0) }
    func capacity(_ week: Double) -> Double {
      Double(byWeek[max(0, min(Int(week.rounded()), byWeek.count - 1))].count) / 1_000_000
    }
    let week = life.viewsPerDay * 7
    let step = max(week * 0.2, 7)
    return (capacity(week), (capacity(week + step) - capacity(week - step)) / (2 * step) * 7)
  }

  /// Returns the fraction of a day's capacity that is added to the budget during a local hour.
  private func accrual(_ budget: BudgetPlan, hour: Int) -> Double {
    let sinceNight = (hour - Int(budget.nightHour) + 24) % 24
    return switch budget.accrual {
    case .even: 1.0 / 24
    case .awake: sinceNight < ModelConstants.nightHours ? 0 : 1.0 / Double(24 - ModelConstants.nightHours)
    }
  }

  /// Returns the fraction of a day's charged runs that occur in each local hour.
  private func hours(_ lives: [Life]) -> [Double] {
    let sums = (0..<24).map { hour in lives.reduce(0) { $0 + $1.hours[hour] } }
    let total = sums.reduce(0, +)
    return total > 0 ? sums.map { $0 / total } : sums
  }

  private static func sums(_ shares: [Double]) -> [Double] {
    shares.reduce(into: [0.0]) { $0.append(($0.last ?? 0) + $1) }
  }
}
