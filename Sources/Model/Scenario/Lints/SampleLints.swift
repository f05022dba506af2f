import SimulationKernel

/// Lints about samples that are too small to resolve a load peak.
struct SampleLints {
  let survey: FleetSurvey
  private var scenario: Scenario { survey.scenario }

  /// Lints about samples that cannot estimate the peak to within 20 %.
  ///
  /// Let S be the number of requests that the sample sends during the peak, and C the number of requests per run. The
  /// half-width of the 95 % interval is 2 x 1.96 sqrt(C / S) of the peak (MODEL.md 8.1). The load is overestimated: it
  /// is three times each widget's mean hourly demand or budget, including taps, calls and changes. There are no lints
  /// if events or calendar dates synchronize the reloads.
  var sampleLints: [Lint] {
    guard let sample = scenario.run.simulate.count, sample < scenario.fleet.devices, !hasCrowds else { return [] }
    let load = scenario.kinds.indices.reduce(0) { $0 + meanLoad($1) }
    let (peak, span) = (3 * load, min(3_600, scenario.clock.duration.seconds))
    let cluster = scenario.kinds.map { Double($0.requests.reduce(0) { $0 + $1.count }) }.max() ?? 1
    let count = peak * Double(sample) / Double(scenario.fleet.devices) * span
    let error = 2 * 1.96 * (max(cluster, 1) / count).squareRoot()
    guard load > 0, error > 0.2 else { return [] }
    let wanted = Double(sample) * (error / 0.2) * (error / 0.2)
    let needed = min(wanted.rounded(.up), 1e15)
    let known = error < 1 ? "to within \(LintText.percent(error)) at best" : "very poorly"
    return [
      Lint(
        .sampleTooSmall, at: ["run", "simulate"],
        "the sample resolves the peak \(known): at about \(LintText.rate(peak)), the "
          + (sample == 1 ? "one simulated device sends " : "\(LintText.number(Double(sample))) simulated devices send ")
          + (count < 1 ? "less than one in " : "\(LintText.number(count)) in ") + LintText.span(seconds: span),
        note: "its 95 % interval will be wider",
        help: needed >= Double(scenario.fleet.devices)
          ? "omit simulate; in such a small fleet, peaks depend on chance"
          : "simulate at least \(LintText.number(needed)) devices",
        numbers: ["peak": (peak, "1/s"), "count": (count, "1"), "error": (error, "1")])
    ]
  }

  private var hasCrowds: Bool {
    scenario.kinds.contains { $0.sharedPeriods.contains { $0 != nil } && !$0.requests.isEmpty }
      || scenario.events.contains { if case .outage = $0.action { false } else { true } }
  }

  /// Returns an upper bound on the daily mean of a kind's load, in requests per second.
  private func meanLoad(_ index: Int) -> Double {
    let kind = survey.kind(index)
    let requests = kind.requests.reduce(0.0) { $0 + Double($1.count) }
    let calls = scenario.app.reloads.filter { $0.kinds.contains(index) }.reduce(0) { $0 + $1.callsPerDay(scenario.app) }
    let taps = (kind.taps?.perDay ?? 0) * Double(survey.uses[index].count)
    let runs = survey.uses[index].reduce(0.0) { sum, use in
      let charged = min(survey.demand(index, under: use) ?? 100, use.granted ?? .infinity, 288)
      return sum + use.instances * (charged + calls + taps + kind.locationChangesPerDay)
    }
    return runs * requests * Double(kind.attempts.count) / 86_400
  }
}

extension AppReload {
  /// Returns an upper bound on the number of calls by the app per device per day.
  func callsPerDay(_ app: App) -> Double {
    switch occasion {
    case .open, .close: app.opensPerDay
    case .launch(let share): app.opensPerDay * share.fraction
    case .change(let perDay), .profileSwitch(let perDay), .backgroundRefresh(let perDay): perDay
    case .audio(let every):
      (app.audioSession.map { $0.perDay * (1 + $0.length.meanSeconds / max(every.seconds, 1)) } ?? 0)
    }
  }
}

/// Lints about effects of the initial state that last longer than the settle time, so that they influence measured days
/// (MODEL.md 1.4).
struct SettleLints {
  let survey: FleetSurvey

  /// The maximum number of days that a lint suggests for `settle`.
  private static let maxDays = 30

  /// Returns lints about a kind's cache or interval that is longer than the settle time plus the warm-up.
  ///
  /// There are no lints if `settle` is 0 s, because the widgets are then meant to be new.
  func settleLints(_ index: Int) -> [Lint] {
    let clock = survey.scenario.clock
    let lived = clock.settle + clock.warmup
    guard clock.settle > .zero, !survey.uses[index].isEmpty,
      let (path, name, span) = longest(index).max(by: { $0.span < $1.span }), span > lived
    else { return [] }
    let days = Int((span.seconds / 86_400).rounded(.up))
    let repair = Lint.Repair(path: "clock.settle", value: "\(days)d")
    return [
      Lint(
        .startStillShows, at: path,
        "\(name) of kind \(survey.kind(index).name.inQuotes) lasts \(LintText.span(span)), longer than the "
          + "\(LintText.span(lived)) simulated before measurement: it starts when each widget is placed",
        note: "longer than \(LintText.span(lived))", help: "so that the initial phase is over when measurement starts",
        numbers: ["span": (span.seconds, "s"), "lived": (lived.seconds, "s")],
        repairs: days <= Self.maxDays ? [repair] : [])
    ]
  }

  private func longest(_ index: Int) -> [(path: [String], name: String, span: TimeAmount)] {
    let kind = survey.kind(index)
    var spans: [(path: [String], name: String, span: TimeAmount)] = []
    if !kind.requests.isEmpty, let ttl = kind.cache?.ttl {
      spans.append((survey.path(index, "cache", "ttl"), "the cache", ttl))
    }
    for (number, phase) in kind.phases.enumerated() {
      guard case .after(let span) = phase.reload else { continue }
      let mean = TimeAmount.milliseconds(Int64(min(span.meanSeconds, 1e9) * 1_000))
      spans.append((survey.path(index, phase: number) + ["after"], "the interval", mean))
    }
    return spans
  }
}
