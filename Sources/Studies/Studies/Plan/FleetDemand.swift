package import Planning
package import Scenario

extension DemandCurve {
  /// Returns the scenario of a fleet with this number of phones in which every request succeeds.
  ///
  /// - Parameter isQuick: whether to simulate only some of the phones.
  package static func fleet(of base: Scenario, phones: Int, isQuick: Bool) -> Scenario {
    var scenario = base.withoutLimits
    scenario.fleet.devices = phones
    scenario.goals = []
    var sample = isQuick || base.run.simulate == .quick ? 2_000 : 10_000
    if case .count(let count) = base.run.simulate { sample = min(sample, count) }
    scenario.run.simulate = .count(min(phones, sample))
    return scenario
  }
}

extension DayDemand {
  /// Creates the demand of a fleet at an endpoint.
  ///
  /// - Parameters:
  ///   - summary: the figures of a scenario in which all requests succeed.
  ///   - bracket: the figures under presets; figures that are missing are taken from `summary`.
  package init(
    _ summary: Summary, _ bracket: Bracket, at endpoint: String, of scenario: Scenario, in window: LoadWindow
  ) {
    self.init()
    let days = scenario.clock.duration.seconds / 86_400
    let labels = Labels().with(\.endpoint, endpoint)
    let ofWindow = labels.with(\.window, window.name)
    let value = { (metric: Metric, statistic: Statistic, labels: Labels) in
      summary.figure(FigureName(metric, statistic, labels))?.value?.approximate
    }
    let perDay = { (metric: Metric) in (value(metric, .total, labels) ?? 0) / days }
    (requests, bytesUp, bytesDown) = (perDay(.requests), perDay(.bytesUp), perDay(.bytesDown))
    originRequests = value(.originMeanRPS, .mean, ofWindow).map { $0 * 86_400 } ?? requests
    mean = value(.serverMeanRPS, .mean, ofWindow) ?? requests / 86_400
    let metric = summary.hasServerLoad ? Metric.serverPeakRPS : .peakRPS
    let row = { (summary: Summary) in summary.figure(FigureName(metric, .max, ofWindow)) }
    let own = row(summary)
    let known = own?.value?.approximate ?? 0
    peak = Bounded(known, low: own?.interval?.low, high: own?.interval?.high)
    promptPeak = bracket.summaries[.prompt].flatMap(row)?.value?.approximate ?? known
    lazyPeak = bracket.summaries[.lazy].flatMap(row)?.value?.approximate ?? known
  }
}

extension Summary {
  /// Returns the mean number of pushes that a scenario sends per day.
  package func pushesPerDay(of scenario: Scenario) -> Double {
    (figure(FigureName(.pushes, .total, Labels()))?.value?.approximate ?? 0)
      / (scenario.clock.duration.seconds / 86_400)
  }

  /// Returns the number of requests sent to an endpoint by a given number of phones when all their widgets run once.
  package func requestsOfUpdate(at endpoint: String, phones: Double) -> Double {
    let value = { (metric: Metric, labels: Labels) in
      self.figure(FigureName(metric, metric.statistics[0], labels))?.value?.approximate ?? 0
    }
    let runs = value(.runs, Labels())
    guard runs > 0, phones > 0 else { return 0 }
    return value(.requests, Labels().with(\.endpoint, endpoint)) / runs * value(.widgets, Labels()) / phones
  }
}
