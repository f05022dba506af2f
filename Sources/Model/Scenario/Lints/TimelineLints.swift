import SimulationKernel

/// Lints about timelines, caches and jitter that do not fit the reload policy.
struct TimelineLints {
  let survey: FleetSurvey
  private var scenario: Scenario { survey.scenario }

  /// Returns lints about entries after the latest possible start of the reload that replaces them (MODEL.md 4.1, 4.5).
  ///
  /// The latest possible start is the due date plus the jitter and the maximum delay. There are no lints if a budget, a
  /// lock or a failure may delay reloads further, because these entries may then be shown.
  func entryLints(_ index: Int) -> [Lint] {
    let kind = survey.kind(index)
    guard !kind.isProtected, kind.crash == .none, !survey.mayBeRefused(index), !survey.uses[index].isEmpty,
      !survey.uses[index].contains(where: { use in use.mayBeOffline || isShort(index, use) })
    else { return [] }
    return kind.phases.indices.compactMap { entryLint(index, phase: $0) }
  }

  /// Whether the demand of the kind's busiest policy is close to the budget.
  private func isShort(_ index: Int, _ use: WidgetUse) -> Bool {
    guard let granted = use.granted else { return false }
    let kind = survey.kind(index)
    let policies =
      kind.phases.map { ($0.reload, $0.entries) } + kind.windows.map { ($0.reload, kind.phases[0].entries) }
    let demands = policies.map { Cadence($0.0, $0.1, kind, under: use)?.keptPerDay ?? 0 }
    return (demands.max() ?? 0) > granted * 0.9
  }

  private func entryLint(_ index: Int, phase: Int) -> Lint? {
    let kind = survey.kind(index)
    let entries = kind.phases[phase].entries
    let policies = [kind.phases[phase].reload] + kind.windows.map(\.reload)
    let delay = survey.uses[index].map { max($0.longestDelay, $0.system.minSpacing.seconds) }.max() ?? 0
    guard entries.count > 1 else { return nil }
    var reach = 0.0
    for policy in policies {
      guard let due = policy.latestDue else { return nil }
      reach = max(reach, due + (kind.jitter?.upTo.seconds ?? 0) + delay)
    }
    // Entries at wall-clock multiples can come up to one interval earlier, unless the reload is aligned to the same
    // multiples.
    let ahead = entries.alignment == .wall && !policies[0].follows(entries.every) ? 1.0 : 0
    // The tails of distributions may exceed the largest representable integer.
    let last = min(reach / entries.every.seconds + ahead, Double(entries.count))
    let shown = min(Int(last.rounded(.down)) + 1, entries.count)
    guard shown < entries.count else { return nil }
    let (never, of) = (entries.count - shown, entries.count)
    let path =
      kind.phases.count == 1
      ? survey.path(index, "entries", "count") : survey.path(index, "phases", "\(phase)", "entries", "count")
    return Lint(
      .entriesNeverShown, at: path,
      "\(never) of \(of) entries of kind \(kind.name.inQuotes) are never shown: a reload replaces the timeline after "
        + "at most \(LintText.span(seconds: reach))",
      note: shown == 1 ? "only the first shows" : "the first \(shown) show",
      help: "reload: at-end shows them all; they are harmless as a reserve for phones without a network",
      numbers: ["never_shown": (Double(never), "1"), "entries": (Double(of), "1"), "replaced_after": (reach, "s")])
  }

  /// Returns lints about a cache that outlasts two or more reloads, so that reloads before its expiry send no requests
  /// (MODEL.md 5.2).
  func cacheLints(_ index: Int) -> [Lint] {
    let kind = survey.kind(index)
    guard let cache = kind.cache, !kind.requests.isEmpty, kind.phases.count == 1, kind.windows.isEmpty,
      !isFilledByApp(index), case .after(let span) = kind.phases[0].reload,
      let delay = survey.uses[index].map(\.meanDelay).max()
    else { return [] }
    let gap = max(span.meanSeconds + delay, 1)
    guard let ttl = cache.ttl else { return [neverExpires(index, gap)] }
    guard ttl.seconds >= 2 * gap else { return [] }
    let reloads = (ttl.seconds / gap).rounded(.down)
    return [
      Lint(
        .cacheOutlivesInterval, at: survey.path(index, "cache", "ttl"),
        "the cache of kind \(kind.name.inQuotes) lasts \(LintText.span(ttl)), as long as "
          + "\(LintText.number(reloads)) reloads: one of them fetches, the others show the same data again",
        note: "reloads come every \(LintText.span(seconds: gap))",
        help: "such reloads spare the servers but cost budget: reload less often, or shorten the ttl",
        numbers: ["ttl": (ttl.seconds, "s"), "gap": (gap, "s"), "reloads": (reloads, "1")])
    ]
  }

  private func neverExpires(_ index: Int, _ gap: Double) -> Lint {
    Lint(
      .cacheOutlivesInterval, at: survey.path(index, "cache", "ttl"),
      "kind \(survey.kind(index).name.inQuotes) fetches once and never again by itself: its cache never expires, and "
        + "the reloads every \(LintText.span(seconds: gap)) show the same data",
      note: "unless something clears it", help: "or the age at which data must be fetched again",
      numbers: ["gap": (gap, "s")],
      repairs: [Lint.Repair(path: "kinds.\(survey.kind(index).name).cache.ttl", value: "6h")])
  }

  private func isFilledByApp(_ index: Int) -> Bool {
    let calls = scenario.app.reloads.contains { $0.fillsCache && $0.kinds.contains(index) }
    return calls || survey.pushes(reaching: index).contains(where: \.fillsCache)
  }

  /// Returns lints about jitter that is longer than the interval, so that the jitter determines the reload rate
  /// (MODEL.md 5.5).
  ///
  /// The mean time to a date is half the jitter plus the interval, or plus half the interval if the policy follows the
  /// clock.
  func jitterLints(_ index: Int) -> [Lint] {
    let kind = survey.kind(index)
    guard let jitter = kind.jitter?.upTo.seconds, let policy = kind.phases.last?.reload, !survey.uses[index].isEmpty,
      let (interval, mean) = policy.meanDue, jitter > interval, interval > 0
    else { return [] }
    let (without, with) = (86_400 / interval, 86_400 / (mean + jitter / 2))
    return [
      Lint(
        .jitterBeyondInterval, at: survey.path(index, "jitter", "up_to"),
        "the jitter of kind \(kind.name.inQuotes), up to \(LintText.span(seconds: jitter)), is longer than the "
          + "interval of \(LintText.span(seconds: interval)): it reloads \(LintText.number(with)) times a day, not "
          + LintText.number(without),
        note: "longer than \(LintText.span(seconds: interval))",
        help: "a jitter of up to half the interval flattens the load just as well",
        numbers: ["jitter": (jitter, "s"), "interval": (interval, "s"), "asked": (with, "1/day")])
    ]
  }
}

extension ReloadPolicy {
  /// The maximum time from the end of a run to the requested date, in seconds; `nil` for `never` and `at-end`.
  fileprivate var latestDue: Double? {
    switch self {
    case .never, .atEnd, .provider: return nil
    case .after(let span): return span.latestSeconds
    case .afterMultiple(let every, zone: _): return every.seconds
    case .afterClock(_, zone: _, let days):
      let numbers = days.map(\.rawValue).sorted()
      guard let first = numbers.first else { return nil }
      let gaps = zip(numbers, numbers.dropFirst() + [first + 7]).map { $1 - $0 }
      return Double(gaps.max() ?? 7) * 86_400
    case .earliest(let date): return date.latestDue
    }
  }

  /// The interval of a policy, and the mean time from the end of a run to the requested date, both in seconds; `nil` if
  /// the policy has no interval.
  fileprivate var meanDue: (interval: Double, mean: Double)? {
    switch self {
    case .after(let span): (span.meanSeconds, span.meanSeconds)
    case .afterMultiple(let every, zone: _): (every.seconds, every.seconds / 2)
    case .earliest(let date): date.interval.map { ($0, $0) }
    case .never, .atEnd, .afterClock, .provider: nil
    }
  }

  /// Whether the requested dates are multiples of `every` on the device's wall clock.
  fileprivate func follows(_ every: TimeAmount) -> Bool {
    if case .afterMultiple(let own, zone: .local) = self { return own.milliseconds % every.milliseconds == 0 }
    return false
  }
}
