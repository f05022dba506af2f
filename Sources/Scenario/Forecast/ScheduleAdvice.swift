package import SimulationKernel

/// What would make the load of a scenario fit the servers of an endpoint: found by forecasts, of the presets' extremes too.
package struct ScheduleAdvice {
  /// A key with a value, as `--set` takes them.
  package struct Mend: Hashable, Sendable {
    package var path: [String]
    package var value: String
  }

  private let scenario: Scenario
  private let offsets: [String: TimeAmount]
  private let endpoint: Int

  package init(_ scenario: Scenario, offsets: [String: TimeAmount], endpoint: Int) {
    self.scenario = scenario
    self.offsets = offsets
    self.endpoint = endpoint
  }

  /// The smallest usual jitter of a kind with which the load fits, up to the period of its dates; nil: none does.
  ///
  /// - Parameters:
  ///   - together: kinds that get the same.
  ///   - least: what it is at least, where any such fits.
  package func jitter(of kind: Int, with together: [Int] = [], atLeast least: TimeAmount = .zero) -> TimeAmount? {
    guard let period = period(of: kind) else { return nil }
    let given = scenario.kinds[kind].jitter?.upTo ?? .zero
    let choices = UsualSpan.all.filter { $0 > given && $0.seconds <= period }
    let ordered = choices.filter { $0 >= least } + choices.reversed().filter { $0 < least }
    return ordered.first { span in
      fits(([kind] + together).reduce(into: scenario) { $0.spread($1, over: span) })
    }
  }

  /// The smallest usual interval, with a jitter of up to as much where dates follow the clock, with which the load fits.
  package func interval(of kind: Int) -> (interval: TimeAmount, jitter: TimeAmount?)? {
    guard let given = scenario.kinds[kind].onlyInterval else { return nil }
    for span in UsualSpan.all where span > given {
      var changed = scenario
      changed.kinds[kind].phases[0].reload.renew(every: span)
      if fits(changed) { return (span, nil) }
      guard period(of: kind) != nil else { continue }
      let advice = ScheduleAdvice(changed, offsets: offsets, endpoint: endpoint)
      if let jitter = advice.jitter(of: kind) { return (span, jitter) }
    }
    return nil
  }

  /// Whether the load fits under the constants of the scenario, and under those of `prompt`.
  private func fits(_ scenario: Scenario) -> Bool {
    [scenario.under(.prompt), scenario].allSatisfy {
      ServerForecast(FleetSurvey(of: $0, offsets: offsets), endpoint: endpoint, herds: .atMost).fits
    }
  }

  /// Seconds between the dates of a kind that follow the clock.
  private func period(of kind: Int) -> Double? { scenario.kinds[kind].clockDate?.period }
}

extension Scenario {
  mutating func spread(_ kind: Int, over span: TimeAmount) {
    kinds[kind].jitter = Jitter(
      upTo: max(span, kinds[kind].jitter?.upTo ?? .zero), scope: kinds[kind].jitter?.scope ?? .run)
  }
}

extension Kind {
  /// The first of its dates that follow the clock.
  var clockDate: ClockDate? { policies.lazy.compactMap(\.clockDate).first }
}
