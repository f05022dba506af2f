import SimulationKernel

/// Lints about windows that reloads may skip and about entries that the system does not show (MODEL.md 4.1, 5.7).
struct WindowLints {
  let survey: FleetSurvey

  /// Lints about a kind's windows, followed by lints about its entries.
  func windowLints(_ index: Int) -> [Lint] {
    guard !survey.uses[index].isEmpty else { return [] }
    return (stepLint(index).map { [$0] } ?? [])
      + survey.kind(index).phases.indices.compactMap { spacingLint(index, $0) }
  }

  // MARK: Windows

  /// Returns a lint about the first window of which a reload may miss at least half.
  ///
  /// Only policies based on time spans can cause a window to be skipped; clock times and multiples within the window
  /// are never missed.
  private func stepLint(_ index: Int) -> Lint? {
    let kind = survey.kind(index)
    guard let phase = survey.lastingPhase(index) else { return nil }
    let (policy, entries) = (kind.phases[phase].reload, kind.phases[phase].entries)
    for window in kind.windows where window.time.once == nil {
      guard let span = policy.longestSpan(over: window), span >= window.time.length / 2,
        let gap = window.reload.interval(entries, atEndGap: .zero), gap <= span / 2
      else { continue }
      return stepLint(index, phase, window, span)
    }
    return nil
  }

  private func stepLint(_ index: Int, _ phase: Int, _ window: PolicyWindow, _ span: Double) -> Lint {
    let kind = survey.kind(index)
    let before = window.time.from.sinceMidnight - .seconds(Int64(min(span / 3, 43_200)))
    let next = before + .seconds(Int64(span))
    let (from, to) = (LintText.time(window.time.from), LintText.time(window.time.to))
    let path = survey.path(index, phase: phase) + ["after"]
    var date = "at: \"\(from)\""
    if case .named(let zone) = window.time.zone { date += ", zone: \(zone)" }
    var repairs: [Lint.Repair] = []
    if case .after(.constant(let span)) = kind.phases[phase].reload {
      repairs = [Lint.Repair(path: path.joined(separator: "."), value: "[\(LintText.span(span)), {\(date)}]")]
    }
    let asked = span < 86_400 ? " at \(time(next))" : ", \(LintText.span(seconds: span)) later"
    return Lint(
      .windowSteppedOver, at: path,
      "kind \(kind.name.inQuotes) can skip its window from \(from) to \(to): a reload at \(time(before)) requests "
        + "the next one\(asked)",
      note: "up to \(LintText.span(seconds: span))", help: "that reloads at the start of the window at the latest",
      numbers: ["span": (span, "s"), "window": (window.time.length, "s")], repairs: repairs)
  }

  private func time(_ sinceMidnight: TimeAmount) -> String {
    let day = TimeAmount.day.milliseconds
    return LintText.time(TimeOfDay(sinceMidnight: .milliseconds((sinceMidnight.milliseconds % day + day) % day)))
  }

  // MARK: Entries

  /// The minimum time between entries according to Apple, which recommends "about 5 minutes apart".
  private static let minGap = TimeAmount.minutes(5)
  /// The number of entries above which developers report widgets that stop updating.
  private static let maxEntries = 400

  private func spacingLint(_ index: Int, _ phase: Int) -> Lint? {
    let kind = survey.kind(index)
    let entries = kind.phases[phase].entries
    func path(_ key: String) -> [String] {
      kind.phases.count == 1
        ? survey.path(index, "entries", key) : survey.path(index, "phases", "\(phase)", "entries", key)
    }
    if entries.count > Self.maxEntries {
      return Lint(
        .manyEntries, at: path("count"),
        "a timeline of kind \(kind.name.inQuotes) has \(LintText.number(Double(entries.count))) entries; widgets with more "
          + "than \(Self.maxEntries) have been reported to stop updating",
        note: "reported limit: about \(Self.maxEntries)", help: "return fewer entries, and reload earlier",
        numbers: ["entries": (Double(entries.count), "1")])
    }
    guard entries.count > 1, entries.every < Self.minGap else { return nil }
    return Lint(
      .closeEntries, at: path("every"),
      "the entries of kind \(kind.name.inQuotes) are \(LintText.span(entries.every)) apart; Apple asks for at least about "
        + "\(LintText.span(Self.minGap))",
      note: "some may not be shown", help: "a text with a date style keeps counting without new entries",
      numbers: ["every": (entries.every.seconds, "s")])
  }
}

extension ReloadPolicy {
  /// Returns the maximum time from a run to the requested date, in seconds; `nil` if the policy cannot skip a window.
  fileprivate func longestSpan(over window: PolicyWindow) -> Double? {
    switch self {
    case .after(let span): span.latestSeconds
    case .earliest(let date):
      date.rules.contains { if case .span = $0 { false } else { $0 != .hint } } ? nil : date.latestDue
    case .atEnd, .never, .afterClock, .afterMultiple, .provider: nil
    }
  }
}

extension WindowTime {
  /// The time from the window's start to its end on a 24-hour day, in seconds.
  fileprivate var length: Double {
    let length = (to.sinceMidnight - from.sinceMidnight).seconds
    return length > 0 ? length : length + 86_400
  }
}
