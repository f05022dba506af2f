import SimulationKernel

/// What lives longer than a fleet settles, so that its beginning shows in the measured days (MODEL.md 1.4).
struct SettleLints {
  let survey: FleetSurvey

  /// The most that `settle` may be, in days.
  private static let mostDays = 30

  /// A cache or an interval of a kind that is longer than settle and warm-up together; none where `settle` is 0 s, where
  /// widgets are new on purpose.
  func settleLints(_ index: Int) -> [Lint] {
    let clock = survey.scenario.clock
    let lived = clock.settle + clock.warmup
    guard clock.settle > .zero, !survey.uses[index].isEmpty,
      let (path, name, span) = longest(index).max(by: { $0.span < $1.span }), span > lived
    else { return [] }
    let days = Int((span.seconds / 86_400).rounded(.up))
    let mend = Lint.Mend(path: "clock.settle", value: "\(days)d")
    return [
      Lint(
        .startStillShows, at: path,
        "\(name) of kind \(survey.kind(index).name.inQuotes) lasts \(LintText.span(span)), longer than the "
          + "\(LintText.span(lived)) that the fleet lives before it is measured: it began at the placement of each widget",
        note: "longer than \(LintText.span(lived))", help: "so that the beginning is over when the measuring starts",
        numbers: ["span": (span.seconds, "s"), "lived": (lived.seconds, "s")],
        mends: days <= Self.mostDays ? [mend] : [])
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
