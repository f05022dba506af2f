import SimulationKernel

/// Dates that line devices up, and samples too small to show a peak.
extension FleetSurvey {
  /// Dates by the clock without jitter, when their plateau is above twice the mean and at least 1 request/s if all
  /// start within a minute (`AlignedPeak`; Apple, WWDC21 session 10048 at 766 s: add jitter to dates that devices
  /// share).
  func alignmentLints(_ index: Int) -> [Lint] {
    guard let peak = alignedPeak(index), peak.requests >= 60, peak.plateau > 2 * peak.requests / peak.period else {
      return []
    }
    let endpoint = scenario.endpoints[peak.endpoint]
    let whose = peak.zone.map { ", in \($0) and zones with its clock" } ?? ""
    let prompt = peak.prompt.flatMap { $0 > 1.1 * peak.plateau ? $0 : nil }
    let promptly = prompt.map { ", and \(LintText.number($0)) if the system starts all within a minute" } ?? ""
    return [
      Lint(
        .alignedDates, at: peak.path,
        "\(peak.date)\(whose), \(LintText.number(peak.widgets)) widgets of kind \(kind(index).name.inQuotes) are due "
          + "at one instant: about \(LintText.rate(peak.plateau)) to endpoint \(endpoint.name.inQuotes) with this "
          + "start delay\(promptly)",
        note: capacityNote(endpoint, peak), help: jitterHelp(endpoint, peak),
        numbers: [
          "widgets": (peak.widgets, "1"), "plateau": (peak.plateau, "1/s"), "width": (peak.width, "s"),
          "prompt": (peak.prompt ?? peak.plateau, "1/s"), "capacity": (endpoint.capacity ?? .infinity, "1/s"),
        ])
    ]
  }

  private func capacityNote(_ endpoint: Endpoint, _ peak: AlignedPeak) -> String {
    guard let capacity = endpoint.capacity, let spare = endpoint.spare else { return "no jitter" }
    let left = spare < capacity ? ", \(LintText.number(spare)) of it free" : ""
    let worst = max(peak.plateau, peak.prompt ?? 0)
    return worst > spare ? "capacity \(LintText.rate(capacity))\(left): too little" : "no jitter"
  }

  /// The shortest of some usual jitters that spreads more than the system does, and keeps to the capacity.
  private func jitterHelp(_ endpoint: Endpoint, _ peak: AlignedPeak) -> String {
    let choices = [5, 10, 15, 30, 60, 120, 240].map { $0 * 60.0 }.filter { $0 < peak.period }
    let fits = choices.first { $0 >= 2 * peak.width && peak.requests / $0 <= endpoint.spare ?? .infinity }
    guard let jitter = fits ?? choices.last(where: { $0 > peak.width }) else {
      return "count from the end of the run (after: 1h), which lines nobody up"
    }
    let span = LintText.span(seconds: jitter)
    return "jitter: {up_to: \(span)} makes it \(LintText.rate(peak.requests / max(jitter, peak.width))) at most, "
      + "however prompt the system is"
  }

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
          ? "leave simulate out; in so small a fleet peaks hang on chance"
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
  fileprivate func callsPerDay(_ app: App) -> Double {
    switch occasion {
    case .open, .close: app.opensPerDay
    case .change(let perDay), .profileSwitch(let perDay), .backgroundRefresh(let perDay): perDay
    case .audio(let every):
      (app.audioSession.map { $0.perDay * (1 + $0.length.meanSeconds / max(every.seconds, 1)) } ?? 0)
    }
  }
}
