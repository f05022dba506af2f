import SimulationKernel

/// Samples too small to show a peak.
extension FleetSurvey {
  /// A sample whose busiest window holds less than 100 requests: a maximum below that is marked as not resolved
  /// (MODEL.md 6.8). The relative standard error of a count m is 1 / sqrt(m).
  ///
  /// The load is guessed from above: each widget's demand or budget and all its taps, calls and changes, three times
  /// their mean at the peak, or the plateau of aligned dates. Where events send reloads nothing is said.
  var sampleLints: [Lint] {
    guard let sample = scenario.run.simulate, sample < scenario.fleet.devices, !hasCrowdEvents,
      let window = goalWindow ?? LoadWindow.all(of: scenario.clock).last
    else { return [] }
    let load = scenario.kinds.indices.reduce(0) { $0 + meanLoad($1) }
    let plateau = scenario.kinds.indices.compactMap { alignedPeak($0)?.plateau }.max() ?? 0
    let peak = max(3 * load, plateau)
    let share = Double(sample) / Double(scenario.fleet.devices)
    let count = peak * share * window.length.seconds
    guard load > 0, count < 100 else { return [] }
    let needed = min((100 / (peak * window.length.seconds) * Double(scenario.fleet.devices)).rounded(.up), 1e15)
    let error = 1 / count.squareRoot()
    return [
      Lint(
        .sampleTooSmall, at: ["run", "simulate"],
        "the peak is not resolved by the sample: of about \(LintText.rate(peak)) the "
          + "\(sample == 1 ? "one device" : LintText.number(Double(sample)) + " devices") simulated send "
          + (count < 1
            ? "less than one in \(window.name)"
            : "\(LintText.number(count)) in \(window.name), a standard error of \(LintText.percent(error))"),
        note: "less than 100 in \(window.name)",
        help: needed >= Double(scenario.fleet.devices)
          ? "leave simulate out; in so small a fleet peaks depend on chance"
          : "simulate at least \(LintText.number(needed)) devices",
        numbers: ["peak": (peak, "1/s"), "count": (count, "1"), "error": (error, "1")])
    ]
  }

  private var hasCrowdEvents: Bool {
    scenario.events.contains { if case .outage = $0.action { false } else { true } }
  }

  /// The finest window that a goal asks about.
  private var goalWindow: LoadWindow? {
    let names = Set(scenario.goals.map(\.figure.labels.window))
    return LoadWindow.all(of: scenario.clock).first { names.contains($0.name) }
  }

  /// Requests per second of a kind over the day, from above.
  private func meanLoad(_ index: Int) -> Double {
    let kind = kind(index)
    let requests = kind.requests.reduce(0.0) { $0 + Double($1.count) }
    let calls = scenario.app.reloads.filter { $0.kinds.contains(index) }.reduce(0) { $0 + $1.callsPerDay(scenario.app) }
    let taps = (kind.taps?.perDay ?? 0) * Double(uses[index].count)
    let runs = uses[index].reduce(0.0) { sum, use in
      let charged = min(demand(index, under: use) ?? 100, use.granted ?? .infinity, 288)
      return sum + use.instances * (charged + calls + taps + kind.locationChangesPerDay)
    }
    return runs * requests * Double(kind.attempts.count) / 86_400
  }
}

extension AppReload {
  /// Calls per device and day, from above.
  func callsPerDay(_ app: App) -> Double {
    switch occasion {
    case .open, .close: app.opensPerDay
    case .change(let perDay), .profileSwitch(let perDay), .backgroundRefresh(let perDay): perDay
    case .audio(let every):
      (app.audioSession.map { $0.perDay * (1 + $0.length.meanSeconds / max(every.seconds, 1)) } ?? 0)
    }
  }
}
