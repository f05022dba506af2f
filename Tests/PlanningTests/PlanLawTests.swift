import Scenario
import Testing

@testable import Planning

/// The closed forms of Docs/PLAN.md.
struct PlanLawTests {
  private func plan(_ law: PhoneGrowth.Law, start: Double = 0, days: Int = 365) -> Plan {
    var plan = Plan()
    plan.days = days
    plan.growth.start = start
    plan.growth.law = law
    return plan
  }

  /// Returns the forecast of a fleet whose loads are in proportion to its phones.
  private func forecast(_ plan: Plan, requests: Double = 24, peak: Double = 0.001) -> PlanForecast {
    var (unit, curve) = (DayDemand(), DemandCurve())
    (unit.requests, unit.originRequests, unit.bytesDown) = (requests, requests, 1_000 * requests)
    unit.peak = Bounded(peak)
    (unit.promptPeak, unit.lazyPeak) = (peak, peak)
    for phones in [1.0, 1e9] { curve.add(.init(phones: phones, demands: [unit * phones])) }
    return PlanForecast(plan, endpoints: ["api"], old: curve, new: nil)
  }

  // MARK: Growth

  /// K = 1M, r = 5 % a day, m = 60, 0.001/s a phone, 700/s with 80 % to use: 560 000 phones, first on day 65.
  @Test func logisticGrowthReachesTheLimitOnDay65() {
    var plan = plan(.logistic(ceiling: 1e6, rate: 0.05, midpoint: 60))
    var capacity = PlannedCapacity(endpoint: "api")
    (capacity.amount, capacity.target) = (700, 0.8)
    plan.capacity = [capacity]
    #expect(forecast(plan).headroom.first?.day == 65)
  }

  /// Without a midpoint the curve starts at the given number.
  @Test func logisticGrowthWithoutMidpointStartsAtTheGivenNumber() {
    let growth = plan(.logistic(ceiling: 7e6, rate: 0.01, midpoint: nil), start: 2.2e6).growth
    #expect((growth.total(on: 0) / 2.2e6 - 1).magnitude < 1e-12)
    #expect(growth.total(on: 3_000) > 6.99e6)
  }

  /// From 1 000 phones at 2 % a week, 1 500 phones are reached after 7 ln 1.5 / ln 1.02 = 143.3 days.
  @Test func exponentialGrowthReachesAFactorAfterItsLogarithm() {
    var plan = plan(.exponential(0.02), start: 1_000)
    var capacity = PlannedCapacity(endpoint: "api")
    capacity.amount = 1.5
    plan.capacity = [capacity]
    #expect(forecast(plan).headroom.first?.day == 144)
  }

  /// Bass: the largest number of new phones at ln(q/p)/(p+q), where the share is 1/2 - p/(2q).
  @Test func bassGrowthIsFastestAtItsInflection() throws {
    let (innovation, imitation) = (0.03 / 100, 0.38 / 100)
    let plan = plan(.bass(ceiling: 1e6, innovation: innovation, imitation: imitation), days: 1_500)
    let totals = plan.phones
    let added = zip(totals.dropFirst(), totals).map { $0 - $1 }
    let fastest = try #require(added.indices.max { added[$0] < added[$1] })
    // ln(38/3)/0.0041 = 619.3 days; a day's growth ends at the next index.
    #expect(abs(Double(fastest) + 0.5 - 619.3) < 1)
    #expect((totals[619] / 1e6 - 0.4605).magnitude < 0.001)
  }

  @Test func tablesAreStraightBetweenDatesAndConstantAfterTheLast() {
    let growth = plan(.table([.init(day: 10, phones: 200), .init(day: 20, phones: 250)]), start: 100).growth
    #expect([0, 5, 10, 15, 20, 99].map(growth.total) == [100, 150, 200, 225, 250, 250])
  }

  @Test func fasterGrowthMultipliesOnlyWhatIsAdded() {
    let plan = plan(.linear(10), start: 100, days: 11).growing(by: 1.2)
    #expect(plan.phones.first == 100)
    #expect((plan.phones[10] - 220).magnitude < 1e-9)
  }

  // MARK: Retention

  /// 25, 12 and 6 % at 1, 7 and 30 days: slopes -0.37719 and -0.47630; one phone a day: 3.8830 after 30 days, 13.187
  /// after 365.
  @Test func retentionFollowsPowerLawsBetweenItsPoints() {
    let keep = Retention([.init(day: 1, share: 0.25), .init(day: 7, share: 0.12), .init(day: 30, share: 0.06)])
    #expect((keep.share(afterDays: 14) - 0.08626).magnitude < 5e-6)
    #expect((keep.share(afterDays: 3) - 0.25 * 0.660745).magnitude < 5e-5)
    var plan = plan(.linear(1), days: 366)
    plan.keep = keep
    #expect((plan.phones[30] - 3.8830).magnitude < 5e-5)
    #expect((plan.phones[365] - 13.187).magnitude < 5e-4)
  }

  @Test func retentionStopsAtItsFloor() {
    let keep = Retention([.init(day: 1, share: 0.5), .init(day: 10, share: 0.3)], floor: 0.2)
    #expect(keep.share(afterDays: 0) == 1 && keep.share(afterDays: 100_000) == 0.2)
  }

  // MARK: Release and calendar

  /// Phased, all with automatic updates: 1, 2, 5, 10, 20, 50, 100 %; 1.88 device-days; at most half update in a day.
  @Test func phasedReleaseTakesSevenDays() {
    var rollout = Rollout()
    (rollout.stages, rollout.automatic, rollout.manual, rollout.start) = (.phased, 1, 0, 10)
    #expect((9..<18).map { (rollout.share(on: $0) * 100).rounded() } == [0, 1, 2, 5, 10, 20, 50, 100, 100])
    #expect(((10..<17).reduce(0) { $0 + rollout.share(on: $1) } - 1.88).magnitude < 1e-12)
    #expect(((0..<30).map(rollout.updates).max() ?? 0) == 0.5)
  }

  /// Other phones update with a chance of h a day: 1 - (1 - h)^n after n days.
  @Test func manualUpdatesAreGeometric() {
    var rollout = Rollout()
    (rollout.automatic, rollout.manual) = (0, 0.03)
    #expect((rollout.share(on: 9) - 0.26258).magnitude < 5e-6)
  }

  @Test func weekdayFactorsKeepTheLoadOfAWeek() {
    var calendar = TrafficCalendar()
    calendar.setWeekdays([3, 1, 4, 1, 5, 9, 2])
    let week = (0..<7).map { calendar.factor(on: LocalDay(number: 20_000 + $0)) }
    #expect((week.reduce(0, +) - 7).magnitude < 1e-12)
    // 1970-01-01 was a Thursday.
    #expect((calendar.factor(on: LocalDay(number: 0)) - 7.0 / 25).magnitude < 1e-12)
  }

  @Test func campaignsMultiplyTheirDays() {
    var calendar = TrafficCalendar()
    calendar.spans = [.init(name: "a", from: LocalDay(number: 5), to: LocalDay(number: 6), factor: 1.5)]
    #expect((4...7).map { calendar.factor(on: LocalDay(number: $0)) } == [1, 1.5, 1.5, 1])
  }

  // MARK: Demand

  /// With x = 0, factors of 1 and the base's own phones, the demand is that of the simulated fleet.
  @Test func constantFleetHasItsSimulatedDemand() {
    var plan = plan(.none, start: 1_000, days: 3)
    plan.rollout.start = 100
    var (demand, curve) = (DayDemand(), DemandCurve())
    (demand.requests, demand.peak) = (12_345, Bounded(7, low: 6, high: 9))
    curve.add(.init(phones: 1_000, demands: [demand]))
    #expect(PlanForecast(plan, endpoints: ["api"], old: curve, new: nil).days.allSatisfy { $0 == [demand] })
  }

  @Test func twiceThePhonesSendTwiceTheLoad() {
    let (one, two) = (forecast(plan(.none, start: 1e6)), forecast(plan(.none, start: 2e6)))
    #expect((two.days[0][0].requests / one.days[0][0].requests - 2).magnitude < 1e-9)
    #expect((two.peak(0, 0) / one.peak(0, 0) - 2).magnitude < 1e-9)
  }

  /// Half way between two simulated fleets, the interval is wider by the share by which such a line was off.
  @Test func doubtIsLargestBetweenSimulatedFleets() {
    var (small, large, curve) = (DayDemand(), DayDemand(), DemandCurve())
    (small.peak, large.peak) = (Bounded(100), Bounded(300))
    curve.add(.init(phones: 100, demands: [small]))
    curve.add(.init(phones: 300, demands: [large]))
    var middle = DayDemand()
    middle.peak = Bounded(160)
    #expect((curve.add(.init(phones: 200, demands: [middle])) - 0.25).magnitude < 1e-12)
    curve.setBend(0.25)
    #expect(curve.demands(at: 200)[0].peak == Bounded(160))
    let between = curve.demands(at: 250)[0].peak
    #expect(between.value == 230 && between.low == 230 * 0.75 && between.high == 230 * 1.25)
  }

  // MARK: Money

  /// 86.0M requests at 1.00 per million cost 86.03 in 30 days of 2 867 620 requests.
  @Test func oneTierIsAProduct() {
    var price = Price()
    price.tiers = [.init(upTo: nil, micros: 1_000_000)]
    #expect(price.cost(ofMonthly: 30 * 2_867_620) == 86_028_600)
  }

  @Test func tiersChargeOnlyWhatLiesInThem() {
    var price = Price()
    price.tiers = [.init(upTo: 300_000_000, micros: 1_000_000), .init(upTo: nil, micros: 900_000)]
    #expect(price.cost(ofMonthly: 300_000_000) == 300_000_000)
    #expect(price.cost(ofMonthly: 310_000_000) == 309_000_000)
    price.free = 1_000_000
    #expect(price.cost(ofMonthly: 1_000_000) == 0 && price.cost(ofMonthly: 301_000_000) == 300_000_000)
  }

  @Test func amountsAreRoundedHalfUpOnce() {
    var price = Price()
    (price.per, price.tiers) = (2, [.init(upTo: nil, micros: 1)])
    #expect([0, 1, 2, 3].map { price.cost(ofMonthly: $0) } == [0, 1, 1, 2])
  }

  /// 10 M requests more, all in the top tier, cost twice 5 M more.
  @Test func topTierIsProportional() {
    var price = Price()
    price.tiers = [.init(upTo: 300_000_000, micros: 1_000_000), .init(upTo: nil, micros: 900_000)]
    let marginal = { (more: Int64) in price.cost(ofMonthly: 400_000_000 + more) - price.cost(ofMonthly: 400_000_000) }
    #expect(marginal(10_000_000) == 2 * marginal(5_000_000))
  }

  /// A million phones get two pushes a day at 0.50 per million: 1.00 a day, at a campaign of 1.5 as many more.
  @Test func pushesAreBilledByFleet() {
    var plan = plan(.none, start: 1e6, days: 2)
    plan.calendar.spans = [.init(name: "a", from: plan.day(1), to: plan.day(1), factor: 1.5)]
    var price = Price()
    (price.quantity, price.tiers) = (.pushes, [.init(upTo: nil, micros: 500_000)])
    plan.prices = [price]
    var curve = DemandCurve()
    for phones in [1.0, 2e6] { curve.add(.init(phones: phones, demands: [DayDemand()], pushes: 2 * phones)) }
    let forecast = PlanForecast(plan, endpoints: ["api"], old: curve, new: nil)
    #expect(forecast.pushes == [2e6, 3e6] && forecast.cost == 2_500_000)
  }

  /// A release that stops the pushes stops them with its share of phones.
  @Test func releasesMixPushes() {
    var plan = plan(.none, start: 100, days: 2)
    (plan.next, plan.rollout.automatic, plan.rollout.manual) = ("new.yaml", 0, 0.25)
    var (old, new) = (DemandCurve(), DemandCurve())
    old.add(.init(phones: 100, demands: [DayDemand()], pushes: 400))
    new.add(.init(phones: 100, demands: [DayDemand()]))
    (old.requestsOfUpdate, new.requestsOfUpdate) = ([0], [0])
    let pushes = PlanForecast(plan, endpoints: ["api"], old: old, new: new).pushes
    #expect(abs(pushes[0] - 300) < 1e-9 && abs(pushes[1] - 225) < 1e-9)
  }

  /// Half of the phones that update "at once" do so on the busiest day of a phased release.
  @Test func phasedReleaseHalvesTheHerd() {
    let largest = { (stages: Rollout.Stages) in
      var rollout = Rollout()
      (rollout.stages, rollout.automatic, rollout.manual) = (stages, 1, 0)
      return (0..<30).map(rollout.updates).max() ?? 0
    }
    #expect(largest(.phased) == 0.5 * largest(.atOnce))
  }

  /// From 100/s, 10/s a day: the limit of 155/s is exceeded on day 6, with 20 % faster growth on day 5, with slower
  /// growth on day 7; at 50/s a unit the last day's 200/s need four units.
  @Test func headroomCoversTheGrowth() throws {
    var plan = plan(.linear(10_000), start: 100_000, days: 11)
    var capacity = PlannedCapacity(endpoint: "api")
    (capacity.unit, capacity.amount) = (50, 3.1)
    plan.capacity = [capacity]
    let forecast = forecast(plan)
    let headroom = try #require(forecast.headroom.first)
    #expect(headroom.day == 6)
    #expect(headroom.earliest(of: [.fasterGrowth, .slowerGrowth]) == 5)
    #expect(headroom.latest(of: [.fasterGrowth, .slowerGrowth]) == 7)
    #expect(headroom.earliest(of: [.prompt, .lazy]) == 6 && headroom.latest(of: [.prompt, .lazy]) == 6)
    #expect(forecast.maxUnits(0) == 4 && forecast.dayOfMaxUnits(0) == 6)
  }

  /// A month's bill is that of its own days; the months add up to the plan.
  @Test func monthsFollowTheCalendar() {
    var plan = plan(.none, start: 1e6, days: 59)
    // 2027-01-01.
    plan.start = LocalDay(number: 20_819)
    var price = Price()
    price.tiers = [.init(upTo: nil, micros: 1_000_000)]
    plan.prices = [price]
    let forecast = forecast(plan)
    #expect(forecast.months.map(\.name) == ["2027-01", "2027-02"])
    #expect(forecast.months.map(\.costs) == [[31 * 24_000_000], [28 * 24_000_000]])
    #expect(forecast.cost == 59 * 24_000_000)
    #expect(forecast.costPerThousand(forecast.months[0]) == 31 * 24_000)
  }

  /// 16 001/s at 70 % of 200/s a unit need 115 units.
  @Test func unitsAreRoundedUp() {
    var capacity = PlannedCapacity(endpoint: "api")
    (capacity.unit, capacity.target) = (200, 0.7)
    #expect(capacity.units(for: 16_001) == 115 && capacity.units(for: 14_000) == 100)
  }

  /// k phones of the day's updates send their requests within 20 hours.
  @Test func updatesAddTheirRequests() {
    var plan = plan(.none, start: 72_000, days: 2)
    (plan.next, plan.rollout.automatic) = ("new.yaml", 1)
    var curve = DemandCurve()
    curve.add(.init(phones: 72_000, demands: [DayDemand()]))
    curve.requestsOfUpdate = [2]
    let forecast = PlanForecast(plan, endpoints: ["api"], old: curve, new: curve)
    #expect(forecast.days[0][0].requests == 144_000 && forecast.peak(0, 0) == 2)
    #expect(forecast.days[1][0].requests == 0)
  }
}
