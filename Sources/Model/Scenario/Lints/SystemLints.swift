import SimulationKernel

/// Lints about calls and pushes that the system ignores, and about phones that are never used.
struct HabitLints {
  let survey: FleetSurvey
  private var scenario: Scenario { survey.scenario }

  /// Lints about background reloads that exceed the budget, and about silent pushes that exceed the delivery limit.
  var callLints: [Lint] { refreshLints + pushLints }

  /// Lints about background refreshes. Each refresh charges all widgets of its kinds, and each budget grants only C
  /// runs per day (MODEL.md 4.2).
  private var refreshLints: [Lint] {
    scenario.app.reloads.enumerated().compactMap { number, reload in
      guard case .backgroundRefresh(let perDay) = reload.occasion,
        let (use, granted) = reload.kinds.compactMap({ survey.tightest($0) }).min(by: { $0.granted < $1.granted }),
        perDay > granted * 1.1
      else { return nil }
      return Lint(
        .beyondBudget, at: ["app", "reloads", "\(number)", "per_day"],
        "in the background, the app requests \(LintText.number(perDay)) reloads a day for each widget; the "
          + "budget grants \(LintText.number(granted)) (\(use.place))",
        note: "\(LintText.number(granted)) a day at most",
        help: "request them only when a widget's content has changed: every background reload is charged",
        numbers: ["asked": (perDay, "1/day"), "demand": (perDay, "1/day"), "granted": (granted, "1/day")])
    }
  }

  /// Lints about silent pushes; at most per_hour are delivered in any 60 min, which is 24 x per_hour per day.
  ///
  /// The limit is based on MODEL.md 4.2 and on Apple, which mentions two or three per hour.
  private var pushLints: [Lint] {
    scenario.events.enumerated().compactMap { number, event in
      guard let push = event.push, push.kind == .silent, case .perDevicePerDay(let perDay) = event.timing,
        let perHour = systems.map(\.silentPushesPerHour).min(), perDay > 24 * Double(perHour)
      else { return nil }
      let maximum = 24 * Double(perHour)
      return Lint(
        .pushesBeyondLimit, at: ["events", "\(number)", "push", "per_device_per_day"],
        "event \(event.name.inQuotes) sends \(LintText.number(perDay)) silent pushes a day to a device; the system "
          + "delivers at most \(perHour) an hour, \(LintText.number(maximum)) a day, and drops the rest",
        note: "\(LintText.number(maximum)) a day at most",
        help: "send a push only when visible content changes, and batch frequent changes",
        numbers: ["sent": (perDay, "1/day"), "most": (maximum, "1/day")])
    }
  }

  private var systems: [OperatingSystem] { scenario.fleet.cohorts.map { $0.os ?? scenario.os } }

  /// Lints about phones that are never unlocked and are therefore always idle (MODEL.md 1.2, 4.5).
  ///
  /// Each scheduled start is delayed by an additional give_up. Runs of protected kinds wait for an unlock that never
  /// happens.
  var peopleLints: [Lint] {
    scenario.fleet.cohorts.enumerated().compactMap { number, cohort in
      guard cohort.person.unlocksPerDay == .constant(0) else { return nil }
      let members = Set(cohort.widgets.flatMap(\.members).map(\.kind))
      let scheduled = members.sorted().map { survey.kind($0) }.filter { $0.phases.contains { $0.reload != .never } }
      let path = ["fleet", "cohorts", "\(number)", "person", "unlocks_per_day"]
      if let kind = scheduled.first(where: \.isProtected) { return lockedLint(kind, cohort, path) }
      guard !scheduled.isEmpty, let idle = (cohort.os ?? scenario.os).idle, idle.giveUp > .zero else { return nil }
      let wait = LintText.span(idle.giveUp)
      return Lint(
        .neverUnlocked, at: path,
        "the phones of cohort \(cohort.name.inQuotes) are never unlocked: they count as idle, and each scheduled reload "
          + "starts \(wait) later",
        note: "never unlocked", help: "or let users unlock them",
        numbers: ["wait": (idle.giveUp.seconds, "s")],
        repairs: [Lint.Repair(path: "os.idle", value: "none")])
    }
  }

  private func lockedLint(_ kind: Kind, _ cohort: Cohort, _ path: [String]) -> Lint {
    Lint(
      .neverUnlocked, at: path,
      "the phones of cohort \(cohort.name.inQuotes) are never unlocked: the protected kind \(kind.name.inQuotes) waits for "
        + "an unlock, so no scheduled reload ever starts",
      note: "never unlocked", help: "or let users unlock them",
      numbers: [:], repairs: [Lint.Repair(path: "kinds.\(kind.name).protected", value: "false")])
  }
}

/// Lints about a profile that was measured on a different operating system from that of the phones (MODEL.md 4.9).
struct ProfileLints {
  let scenario: Scenario

  var ageLints: [Lint] {
    guard let profile = scenario.profile,
      profile.constants.contains(where: { !scenario.givenConstants.contains($0.constant) }),
      let measuredText = profile.measurement.system, let measured = SystemVersion(measuredText),
      let other = systems.first(where: { SystemVersion($0).map(measured.agrees) == false })
    else { return [] }
    return [
      Lint(
        .profileOfOtherSystem, at: ["os", "profile"],
        "the profile \(profile.name.inQuotes) was measured on \(measuredText), but phones run \(other)",
        note: "another system",
        help: "measure again: constants change between versions, and Apple does not document them",
        numbers: [:])
    ]
  }

  private var systems: [String] {
    scenario.fleet.cohorts.compactMap { cohort in
      // The scenario's version applies to cohorts for which no operating system is given.
      cohort.os.map { $0.preset.versionText ?? $0.version } ?? scenario.os.versionText
    }.uniqued
  }
}
