import SimulationKernel

/// Policies that ask more often than the system or the budget lets them.
struct IntervalLints {
  let survey: FleetSurvey

  /// A demand this much above the budget is beyond it.
  private static let margin = 1.1

  /// A constant interval below the minimum spacing, of a phase, a window or after errors: scheduled runs are at most
  /// 86 400 s / min_spacing a day (MODEL.md 4.4; Apple: "at least about 5 minutes apart").
  func spacingLints(_ index: Int) -> [Lint] {
    guard let use = survey.uses[index].max(by: { $0.system.minSpacing < $1.system.minSpacing }) else { return [] }
    let spacing = use.system.minSpacing
    return places(of: index).compactMap { path, policy, entries in
      guard let interval = policy.interval(entries, atEndGap: use.system.atEndGap), interval < spacing.seconds else {
        return nil
      }
      let (asked, most) = (86_400 / max(interval, 0.001), 86_400 / spacing.seconds)
      let pace =
        interval < 1
        ? "again at once" : "every \(LintText.span(seconds: interval)), \(LintText.number(asked)) times a day"
      return Lint(
        .intervalBelowSpacing, at: path,
        "kind \(survey.kind(index).name.inQuotes) asks \(pace); the system keeps \(LintText.span(spacing)) between "
          + "scheduled reloads of a widget, at most \(LintText.number(most)) a day",
        note: "shorter than \(LintText.span(spacing))",
        help: "ask every \(LintText.span(spacing)) or more rarely; the budget allows far less than that",
        numbers: ["asked": (asked, "1/day"), "most": (most, "1/day"), "spacing": (spacing.seconds, "s")])
    }
  }

  private func places(of index: Int) -> [(path: [String], policy: ReloadPolicy, entries: Entries)] {
    let kind = survey.kind(index)
    guard case .reload(let policy) = kind.onError else { return survey.policies(index) }
    let entries = kind.phases.last?.entries ?? Entries()
    return survey.policies(index) + [(survey.path(index, "on_error", "after"), policy, entries)]
  }

  /// A demand, as late as the system starts reloads, of more than C a day (MODEL.md 4.7, 9: charged runs are at most
  /// the balance at the start + D C + 2). The widget with the smallest C is named.
  func budgetLints(_ index: Int) -> [Lint] {
    guard let (use, granted) = survey.tightest(index), let phase = survey.lastingPhase(index),
      let demand = survey.demand(index, under: use), demand > granted * Self.margin
    else { return [] }
    let kind = survey.kind(index)
    let cadence = Cadence(kind.phases[phase].reload, kind.phases[phase].entries, kind, under: use)
    let isSteady = kind.windows.isEmpty && !kind.isBackgroundSession
    let asks =
      if let cadence, isSteady, cadence.askedPerDay < demand * 1.02 {
        "asks for \(LintText.number(cadence.askedPerDay)) reloads a day"
      } else if let cadence, isSteady, cadence.asked >= 1 {
        "asks for \(LintText.number(cadence.askedPerDay)) reloads a day and would get \(LintText.number(demand)), "
          + "as late as the system starts them"
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

  /// Why the budget grants what it does.
  private func reason(_ use: WidgetUse) -> String {
    guard use.system.budget.capacity == .views else { return use.place }
    return use.isNeverUnlocked
      ? "\(use.place): nobody looks" : "\(use.place), seen \(LintText.number(use.views)) times a day"
  }

  private func remedy(
    _ index: Int, _ phase: Int, _ use: WidgetUse, _ granted: Double, _ cadence: Cadence?
  ) -> String {
    if use.isNeverUnlocked, use.system.budget.capacity == .views {
      return "without people there are no views to follow: give os.budget.capacity a number, such as 50/day"
    }
    guard case .after = survey.kind(index).phases[phase].reload, survey.kind(index).windows.isEmpty, let cadence else {
      return "ask more rarely: the budget runs dry, and reloads come when it fills, not when they are due"
    }
    let refreshes = survey.kind(index).isBackgroundSession ? granted / 2 : granted
    let minutes = ((86_400 / refreshes - (cadence.kept - cadence.asked)) / 300).rounded(.up) * 5
    return
      "after: \(LintText.span(seconds: max(minutes, 5) * 60)) fits; with less, reloads come when the budget fills, not when they are due"
  }

  /// Tries after errors that spend a day's budget within half a day of outage: 86 400 s / (on_error +
  /// mean delay of the start) a day, each charged as a retry (MODEL.md 4.2, 5.5).
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
        "after errors kind \(kind.name.inQuotes) retries every \(LintText.span(seconds: retry.asked)): "
          + "\(LintText.number(retry.keptPerDay)) charged reloads a day in an outage, of a budget of "
          + LintText.number(granted),
        note: "a day's budget in \(LintText.span(seconds: hours))",
        help: "what an outage spends is missing when it is over: try again later, or on_error: retry-after",
        numbers: [
          "tries": (retry.keptPerDay, "1/day"), "granted": (granted, "1/day"), "spent_after": (hours, "s"),
        ])
    ]
  }
}
