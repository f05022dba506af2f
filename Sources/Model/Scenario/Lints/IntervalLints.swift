import SimulationKernel

/// Lints about policies that request more runs than the system or the budget permits.
struct IntervalLints {
  let survey: FleetSurvey

  /// The minimum ratio of demand to budget for which a warning is shown.
  private static let margin = 1.1

  /// Returns lints about intervals in phases, in windows or after errors that are shorter than the minimum spacing.
  ///
  /// At most 86 400 s / min_spacing scheduled runs per day are possible (MODEL.md 4.4; Apple: "at least about 5 minutes
  /// apart").
  func spacingLints(_ index: Int) -> [Lint] {
    guard let use = survey.uses[index].max(by: { $0.system.minSpacing < $1.system.minSpacing }) else { return [] }
    let spacing = use.system.minSpacing
    return places(of: index).compactMap { path, policy, entries in
      guard let interval = policy.interval(entries, atEndGap: use.system.atEndGap), interval < spacing.seconds else {
        return nil
      }
      let (asked, maximum) = (86_400 / max(interval, 0.001), 86_400 / spacing.seconds)
      let pace =
        interval < 1
        ? "again at once" : "every \(LintText.span(seconds: interval)), \(LintText.number(asked)) times a day"
      return Lint(
        .intervalBelowSpacing, at: path,
        "kind \(survey.kind(index).name.inQuotes) requests reloads \(pace); the system keeps \(LintText.span(spacing)) between "
          + "scheduled reloads of a widget, at most \(LintText.number(maximum)) a day",
        note: "shorter than \(LintText.span(spacing))",
        help: "request one every \(LintText.span(spacing)) or less often; the budget allows far fewer",
        numbers: ["asked": (asked, "1/day"), "most": (maximum, "1/day"), "spacing": (spacing.seconds, "s")])
    }
  }

  private func places(of index: Int) -> [(path: [String], policy: ReloadPolicy, entries: Entries)] {
    let kind = survey.kind(index)
    guard case .reload(let policy) = kind.onError else { return survey.policies(index) }
    let entries = kind.phases.last?.entries ?? Entries()
    return survey.policies(index) + [(survey.path(index, "on_error", "after"), policy, entries)]
  }

  /// Returns lints about a daily demand that exceeds C. The demand includes the mean start delay, and the widget with
  /// the smallest C is used.
  ///
  /// The maximum number of charged runs is (balance at the start) + D C + 2 (MODEL.md 4.7, 9).
  func budgetLints(_ index: Int) -> [Lint] {
    guard let (use, granted) = survey.tightest(index), let phase = survey.lastingPhase(index),
      let demand = survey.demand(index, under: use), demand > granted * Self.margin
    else { return [] }
    let kind = survey.kind(index)
    let cadence = Cadence(kind.phases[phase].reload, kind.phases[phase].entries, kind, under: use)
    let isSteady = kind.windows.isEmpty && !kind.isBackgroundSession
    let asks =
      if let cadence, isSteady, cadence.askedPerDay < demand * 1.02 {
        "requests \(LintText.number(cadence.askedPerDay)) reloads a day"
      } else if let cadence, isSteady, cadence.asked >= 1 {
        "requests \(LintText.number(cadence.askedPerDay)) reloads a day and would get \(LintText.number(demand)), "
          + "given the system's delays"
      } else {
        "makes up to \(LintText.number(demand)) charged reloads a day"
      }
    return [
      Lint(
        .beyondBudget, at: survey.path(index, phase: phase) + ["after"],
        "kind \(kind.name.inQuotes) \(asks); the budget grants \(LintText.number(granted)) (\(reason(use)))",
        note: "\(LintText.number(granted)) a day at most", help: remedy(index, phase, use, granted, cadence),
        numbers: [
          "asked": (cadence?.askedPerDay ?? demand, "1/day"), "demand": (demand, "1/day"),
          "granted": (granted, "1/day"),
        ])
    ]
  }

  /// Returns an explanation of the number of runs that the budget grants.
  private func reason(_ use: WidgetUse) -> String {
    guard use.system.budget.capacity == .views else { return use.place }
    return use.isNeverUnlocked
      ? "\(use.place): no views" : "\(use.place), seen \(LintText.number(use.views)) times a day"
  }

  private func remedy(
    _ index: Int, _ phase: Int, _ use: WidgetUse, _ granted: Double, _ cadence: Cadence?
  ) -> String {
    if use.isNeverUnlocked, use.system.budget.capacity == .views {
      return "without users, there are no views to base it on: set os.budget.capacity to a number, such as 50/day"
    }
    guard case .after = survey.kind(index).phases[phase].reload, survey.kind(index).windows.isEmpty, let cadence else {
      return "reload less often: the budget runs out, and reloads come when it refills, not when they are due"
    }
    let refreshes = survey.kind(index).isBackgroundSession ? granted / 2 : granted
    let minutes = ((86_400 / refreshes - (cadence.kept - cadence.asked)) / 300).rounded(.up) * 5
    return
      "after: \(LintText.span(seconds: max(minutes, 5) * 60)) fits; with less, reloads come when the budget refills, not when they are due"
  }

  /// Returns lints about retries after errors that would use up a day's budget within half a day of outage.
  ///
  /// The number of retries per day is 86 400 s / (on_error + mean start delay), and each retry is charged (MODEL.md
  /// 4.2, 5.5).
  func errorLints(_ index: Int) -> [Lint] {
    let kind = survey.kind(index)
    guard case .reload(let policy) = kind.onError, !kind.requests.isEmpty, let (use, granted) = survey.tightest(index),
      survey.mayBeRefused(index) || survey.uses[index].contains(where: \.mayBeOffline),
      let entries = kind.phases.last?.entries, let retry = Cadence(policy, entries, kind, under: use),
      retry.keptPerDay > granted * 2, retry.keptPerDay > (survey.demand(index, under: use) ?? 0) * Self.margin
    else { return [] }
    let hours = granted / retry.keptPerDay * 86_400
    return [
      Lint(
        .errorsOutrunBudget, at: survey.path(index, "on_error", "after"),
        "after errors, kind \(kind.name.inQuotes) retries every \(LintText.span(seconds: retry.asked)): "
          + "\(LintText.number(retry.keptPerDay)) charged reloads a day during an outage, from a budget of "
          + LintText.number(granted),
        note: "a day's budget in \(LintText.span(seconds: hours))",
        help: "budget spent during an outage is missing later: retry later, or use on_error: retry-after",
        numbers: [
          "tries": (retry.keptPerDay, "1/day"), "granted": (granted, "1/day"), "spent_after": (hours, "s"),
        ])
    ]
  }
}

/// The interval that a policy requests for a widget, and the interval that the system permits (MODEL.md 4.1, 4.4, 4.5,
/// 9).
struct Cadence {
  /// The mean time from a run to the next requested date, in seconds.
  let asked: Double
  /// The time between runs in seconds, including the effects of the minimum spacing and the start delay, but not of the
  /// budget.
  let kept: Double

  /// Computes the intervals; `nil` for `never` and for policies with times of day, which apply no more than once a day.
  init?(_ policy: ReloadPolicy, _ entries: Entries, _ kind: Kind, under use: WidgetUse) {
    guard let interval = policy.interval(entries, atEndGap: use.system.atEndGap) else { return nil }
    let jitter = kind.jitter?.mean ?? 0
    asked = max(interval + jitter, 0.001)
    let spacing = use.system.minSpacing.seconds
    var gap = max(asked, spacing) + use.meanDelay
    if case .afterMultiple = policy, use.longestDelay + 2 * jitter <= interval { gap = max(interval, spacing) }
    // A background session causes a second run after the minimum spacing (MODEL.md 5.6).
    if kind.isBackgroundSession { gap += spacing + use.system.startDelay.background.meanSeconds }
    kept = max(gap, 0.001)
  }

  var askedPerDay: Double { 86_400 / asked }
  var keptPerDay: Double { 86_400 / kept }
}

extension ReloadPolicy {
  /// Returns the mean time from the end of a run to the requested date, in seconds; `nil` for `never` or a time of day.
  func interval(_ entries: Entries, atEndGap: TimeAmount) -> Double? {
    switch self {
    case .never, .afterClock, .provider: nil
    case .after(let span): span.meanSeconds
    case .afterMultiple(let every, zone: _): every.seconds
    case .atEnd: entries.count > 1 ? entries.every.seconds * Double(entries.count - 1) : atEndGap.seconds
    case .earliest(let date): date.interval
    }
  }
}

extension EarliestDate {
  /// The shortest mean interval of the date rules, in seconds; `nil` if dates depend only on clock times or servers.
  var interval: Double? {
    let spans = rules.compactMap { rule -> Double? in
      switch rule {
      case .span(let span): span.meanSeconds
      case .multiple(of: let every, zone: _): every.seconds
      case .clock, .instants, .hint: nil
      }
    }
    return spans.min().map { max($0, atLeast.seconds) }
  }

  /// The maximum time from the end of a run to the requested date, in seconds; `nil` if it is unknown.
  var latestDue: Double? {
    let spans = rules.compactMap { rule -> Double? in
      switch rule {
      case .span(let span): span.latestSeconds
      case .multiple(of: let every, zone: _): every.seconds
      case .clock(_, zone: _, let days): days.count == 7 ? 86_400 : 604_800
      case .instants, .hint: nil
      }
    }
    return spans.min().map { max($0, atLeast.seconds) }
  }

  /// The guaranteed minimum time from the end of a run to the requested date, in seconds.
  var surelyApart: Double {
    let isApart = !isFromData && !rules.contains(.hint)
    return isApart ? interval ?? atLeast.seconds : atLeast.seconds
  }
}

extension FleetSurvey {
  private static let maxWindows = 64

  /// Returns the number of charged runs of a kind on the busiest weekday, assuming that there is no budget; `nil` if it
  /// cannot be computed.
  func demand(_ index: Int, under use: WidgetUse) -> Double? {
    let kind = kind(index)
    guard let phase = lastingPhase(index), kind.windows.count <= FleetSurvey.maxWindows else { return nil }
    let entries = kind.phases[phase].entries
    func rate(_ policy: ReloadPolicy) -> Double { Cadence(policy, entries, kind, under: use)?.keptPerDay ?? 0 }
    let base = rate(kind.phases[phase].reload)
    let perRefresh = kind.isBackgroundSession ? 2.0 : 1.0
    guard !kind.windows.isEmpty else { return base * perRefresh }
    let windows = kind.windows.map { ($0, rate($0.reload)) }
    let days = Weekday.allCases.map { day in
      // The day is divided into slots of 5 min, so results are slightly inaccurate for windows that start or end within
      // a slot.
      (0..<288).reduce(0.0) { sum, slot in
        let time = TimeAmount.minutes(Int64(slot) * 5)
        return sum + (windows.first { $0.0.time.holds(on: day, time) }?.1 ?? base) / 288
      }
    }
    return (days.max() ?? base) * perRefresh
  }
}

extension WindowTime {
  /// Whether the window contains a local time. After midnight, the weekday is the one on which the window started
  /// (MODEL.md 5.7).
  func holds(on day: Weekday, _ time: TimeAmount) -> Bool {
    let (from, to) = (from.sinceMidnight, to.sinceMidnight)
    if from < to { return days.contains(day) && from <= time && time < to }
    let before = Weekday(rawValue: (day.rawValue + 6) % 7) ?? day
    return time >= from && days.contains(day) || time < to && days.contains(before)
  }
}
