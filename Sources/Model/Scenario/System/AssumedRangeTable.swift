import SimulationKernel

extension AssumedRange {
  /// All assumed ranges, in the order in which MODEL.md 4.8 lists them.
  package static let all = starts + calls + views + idle + budget + people + networks

  private static let noLaw = "Apple gives no distribution"
  private static let unpublished = "no published measurement"

  private static let starts: [AssumedRange] = [
    AssumedRange(
      "os.start_delay.policy", "how late iOS starts a scheduled refresh", .assumed,
      from: ("a window of 900 s was reported for one iOS build", "an hour's delay was observed"),
      [
        End("1 min", system: { $0.startDelay.policy = .uniform(from: .zero, to: .minute) }),
        End("1 h", system: { $0.startDelay.policy = .uniform(from: .zero, to: .hour) }),
      ], felt: { $0.hasWidgets && $0.hasDates }),
    AssumedRange(
      "os.start_delay.in_use", "how late iOS starts a refresh on a phone in use", .assumed,
      from: (noLaw, "as soon as for pushes, or as late as on an unused phone"),
      [
        End("5 s", system: { $0.startDelay.inUse = .uniform(from: .zero, to: .seconds(5)) }),
        End("15 min", system: { $0.startDelay.inUse = .uniform(from: .zero, to: .minutes(15)) }),
      ], felt: { $0.isUsed && $0.hasDates }),
    AssumedRange(
      "os.start_delay.background", "how late iOS starts a background refresh", .assumed,
      from: (noLaw, "at once, or when the system has time"),
      [
        End("5 s", system: { $0.startDelay.background = .uniform(from: .zero, to: .seconds(5)) }),
        End("10 min", system: { $0.startDelay.background = .uniform(from: .zero, to: .minutes(10)) }),
      ], felt: { $0.hasBackgroundCalls }),
    AssumedRange(
      "os.start_delay.widget_push", "how late iOS starts a pushed refresh", .assumed,
      from: (noLaw, "at once, or when the system has time"),
      [
        End("5 s", system: { $0.startDelay.widgetPush = .exponential(mean: .seconds(5)) }),
        End("10 min", system: { $0.startDelay.widgetPush = .exponential(mean: .minutes(10)) }),
      ], felt: { $0.gets(.widget) }),
    AssumedRange(
      "os.min_spacing", "how far apart iOS keeps refreshes", .assumed,
      from: ("Apple's five minutes apply to timeline entries", "a minute can be valid, or the default window"),
      [
        End("1 min", system: { $0.minSpacing = .minute }), End("15 min", system: { $0.minSpacing = .minutes(15) }),
      ], felt: { $0.hasWidgets }),
    AssumedRange(
      "os.coalescing_window", "how far ahead iOS starts refreshes together", .inWords,
      from: ("WidgetKit may coalesce reloads", "never, or the default window"),
      [
        End("0 s", system: { $0.coalescingWindow = .zero }),
        End("15 min", system: { $0.coalescingWindow = .minutes(15) }),
      ], felt: { $0.hasSeveralWidgets }),
    AssumedRange(
      "os.at_end_gap", "when iOS renews a timeline with one entry", .assumed,
      from: ("the system picks a time", "every 15 minutes to two hours"),
      [
        End("15 min", system: { $0.atEndGap = .minutes(15) }), End("2 h", system: { $0.atEndGap = .hours(2) }),
      ], felt: { $0.hasSingleEntries }),
    AssumedRange(
      "os.low_power_wait", "how long iOS withholds refreshes in Low Power Mode", .assumed,
      from: ("no number is documented", "five minutes, or an hour"),
      [
        End("5 min", system: { $0.lowPowerWait = .minutes(5) }), End("1 h", system: { $0.lowPowerWait = .hour }),
      ], felt: { $0.hasWidgets && ($0.battery?.lowPowerMode ?? .none) > .none }),
    AssumedRange(
      "os.crash_retry", "when iOS starts a crashed widget again", .measured,
      from: ("steipete/CodexBar issues 3339 and 2838", "a quarter of an hour, or half a day"),
      [
        End("15 min", system: { $0.crashRetry = .minutes(15) }), End("12 h", system: { $0.crashRetry = .hours(12) }),
      ], felt: { $0.mayCrash }),
  ]

  private static let calls: [AssumedRange] = [
    AssumedRange(
      "os.foreground_latency", "how late iOS starts the open app's refreshes", .measured,
      from: ("2, 26 and 27 s were observed", "the shortest, and Apple's minute"),
      [
        End("2 s", system: { $0.foregroundLatency = .constant(.seconds(2)) }),
        End("1 min", system: { $0.foregroundLatency = .uniform(from: .zero, to: .minute) }),
      ], felt: { $0.hasForegroundCalls }),
    AssumedRange(
      "os.foreground_gap", "how far apart iOS keeps the open app's requests", .inWords,
      from: ("may be throttled, but no number is given", "no limit, or that of timelines"),
      [
        End("0 s", system: { $0.foregroundGap = .zero }), End("5 min", system: { $0.foregroundGap = .minutes(5) }),
      ], felt: { $0.hasForegroundCalls }),
    AssumedRange(
      "os.silent_push.delivered", "how many silent pushes iOS delivers", .inWords,
      from: ("delivery is not guaranteed", "half of them"),
      [End("50 %", system: { $0.silentPushDelivered = Share(fraction: 0.5) })],
      felt: { $0.gets(.silent) }),
    AssumedRange(
      "os.silent_push.per_hour", "how many silent pushes iOS delivers an hour", .inWords,
      from: ("two or three an hour", "Apple's two, and twice the default"),
      [
        End("2", system: { $0.silentPushesPerHour = 2 }), End("6", system: { $0.silentPushesPerHour = 6 }),
      ], felt: { $0.gets(.silent) }),
  ]

  private static let views: [AssumedRange] = [
    AssumedRange(
      "os.stale_view_reload.rare", "how often a view renews a rarely viewed, overdue widget", .inWords,
      from: ("may be refreshed when viewed", "half of the time"),
      [End("50 %", system: { $0.staleViewReloadRare = Share(fraction: 0.5) })], felt: { $0.isUsed && $0.hasDates }),
    AssumedRange(
      "os.stale_view_reload.frequent", "how often a view renews an overdue widget", .assumed,
      from: ("may be refreshed when viewed", "never or always"),
      [
        End("0 %", system: { $0.staleViewReloadFrequent = .none }),
        End("100 %", system: { $0.staleViewReloadFrequent = .all }),
      ], felt: { $0.isUsed && $0.hasDates }),
    AssumedRange(
      "os.stale_view_grace", "how overdue a widget must be for a view to renew it", .assumed,
      from: (unpublished, "at once, or an hour"),
      [
        End("0 s", system: { $0.staleViewGrace = .zero }), End("1 h", system: { $0.staleViewGrace = .hour }),
      ], felt: { $0.isUsed && $0.hasDates }),
  ]

  private static let idle: [AssumedRange] = [
    AssumedRange(
      "os.idle.after", "when iOS treats a phone as unused", .inWords,
      from: ("WWDC21: updates may be withheld", "a break, or a night"),
      [
        End("30 min", system: { $0.idle?.after = .minutes(30) }), End("8 h", system: { $0.idle?.after = .hours(8) }),
      ], felt: { $0.hasWidgets }),
    AssumedRange(
      "os.idle.give_up", "how long iOS withholds refreshes on an unused phone", .inWords,
      from: ("WWDC21: updates may be withheld", "an hour, or a night"),
      [
        End("1 h", system: { $0.idle?.giveUp = .hour }), End("12 h", system: { $0.idle?.giveUp = .hours(12) }),
      ], felt: { $0.hasWidgets }),
  ]

  private static func capacity(_ runs: Int64) -> @Sendable (inout OperatingSystem) -> Void {
    { if $0.budget.capacity == .views { $0.budget.capacity = .perDay(RunMillionths(count: runs * 1_000_000)) } }
  }

  private static let budget: [AssumedRange] = [
    AssumedRange(
      "os.budget.model", "how iOS refills a budget", .assumed,
      from: ("WWDC21: accumulated through the day", "Apple names a 24-hour window"),
      [End("once a day", system: { $0.budget.model = .fixed })],
      felt: { $0.hasBudget }),
    AssumedRange(
      "os.budget.capacity", "how iOS sizes a budget", .inWords,
      from: ("typically 40 to 70 refreshes a day", "Apple's numbers, without a curve over views"),
      [End("40", system: capacity(40)), End("70", system: capacity(70))],
      felt: { $0.hasBudget }),
    AssumedRange(
      "os.budget.cap", "how large iOS makes a budget", .inWords,
      from: ("typically 40 to 70 refreshes a day", "Apple's numbers for widgets and complications"),
      [End("40", system: { $0.budget.cap = 40 }), End("75", system: { $0.budget.cap = 75 })],
      felt: { $0.isUsed && $0.hasBudget && $0.os.budget.capacity == .views }),
    AssumedRange(
      "os.budget.carry_over", "how many days' budget iOS lets a widget save", .assumed,
      from: ("reported for one iOS build", "a day's, and twice the default"),
      [End("1", system: { $0.budget.carryOver = 1 }), End("3", system: { $0.budget.carryOver = 3 })],
      felt: { $0.hasBudget && $0.os.budget.model == .bucket }),
    AssumedRange(
      "os.budget.accrual", "when iOS refills a budget", .assumed,
      from: ("WWDC21: accumulated through the day", "Apple's wording does not exclude the night"),
      [End("around the clock", system: { $0.budget.accrual = .even })],
      felt: { $0.hasBudget && $0.os.budget.model == .bucket }),
  ]

  private static let standard = (person: Person(), roaming: Roaming(), battery: BatteryHabits(), app: App())

  private static func unlocks(_ median: Double) -> @Sendable (inout Cohort) -> Void {
    { $0.person.unlocksPerDay = .lognormal(median: median, sigma: 0.55) }
  }

  private static func battery(_ change: @escaping @Sendable (inout BatteryHabits) -> Void)
    -> @Sendable (inout Cohort) -> Void
  {
    { cohort in
      guard case .battery(var habits) = cohort.power else { return }
      change(&habits)
      cohort.power = .battery(habits)
    }
  }

  private static func roaming(_ change: @escaping @Sendable (inout Roaming) -> Void)
    -> @Sendable (inout Cohort) -> Void
  {
    { cohort in
      guard case .roaming(var habits) = cohort.network else { return }
      change(&habits)
      cohort.network = .roaming(habits)
    }
  }

  private static let people: [AssumedRange] = [
    AssumedRange(
      "person.unlocks_per_day", "how often users unlock their phones", .measured,
      from: ("29 279 phones: about 60 a day", "app users differ"),
      [End("40", cohort: unlocks(40)), End("90", cohort: unlocks(90))],
      felt: { $0.isUsed && $0.cohort.person.unlocksPerDay == standard.person.unlocksPerDay }),
    AssumedRange(
      "person.glances_per_unlock", "how often users glance at the lock screen", .measured,
      from: ("46 % of interactions include an unlock", "half and twice"),
      [
        End("0.6", cohort: { $0.person.glancesPerUnlock = 0.6 }),
        End("2.4", cohort: { $0.person.glancesPerUnlock = 2.4 }),
      ], felt: { $0.isOnLockScreen && $0.cohort.person.glancesPerUnlock == standard.person.glancesPerUnlock }),
    AssumedRange(
      "person.home_visits", "how often users return to the home screen", .assumed,
      from: (unpublished, "half and twice"),
      [End("0.6", cohort: { $0.person.homeVisits = 0.6 }), End("2.4", cohort: { $0.person.homeVisits = 2.4 })],
      felt: { $0.isUsed && $0.cohort.person.homeVisits == standard.person.homeVisits }),
    AssumedRange(
      "app.opens_per_day", "how often users open the app", .assumed, from: (unpublished, "rarely, or often"),
      [End("0.3", app: { $0.opensPerDay = 0.3 }), End("3", app: { $0.opensPerDay = 3 })],
      felt: { ($0.hasForegroundCalls || $0.gets(.silent)) && $0.scenario.app.opensPerDay == standard.app.opensPerDay }),
    AssumedRange(
      "power.overnight", "how many users charge at night", .assumed, from: (unpublished, "half, or all"),
      [
        End("50 %", cohort: battery { $0.overnight = Share(fraction: 0.5) }),
        End("100 %", cohort: battery { $0.overnight = .all }),
      ], felt: { $0.hasWidgets && $0.battery?.overnight == standard.battery.overnight }),
    AssumedRange(
      "power.low_power_mode", "how many users turn on Low Power Mode", .assumed, from: (unpublished, "none, or most"),
      [
        End("0 %", cohort: battery { $0.lowPowerMode = .none }),
        End("60 %", cohort: battery { $0.lowPowerMode = Share(fraction: 0.6) }),
      ], felt: { $0.hasWidgets && $0.battery?.lowPowerMode == standard.battery.lowPowerMode }),
  ]

  private static let networks: [AssumedRange] = [
    AssumedRange(
      "network.offline", "how long phones are offline", .assumed, from: (unpublished, "tunnels and dead spots"),
      [End("3 %", cohort: roaming { $0.offlineShare = Share(fraction: 0.03) })],
      felt: { $0.hasWidgets && $0.roaming?.offlineShare == standard.roaming.offlineShare }),
    AssumedRange(
      "network.wifi", "how long phones are on Wi-Fi", .measured, from: ("63 % of the time", "app users differ"),
      [
        End("40 %", cohort: roaming { $0.wifiShare = Array(repeating: Share(fraction: 0.4), count: 24) }),
        End("85 %", cohort: roaming { $0.wifiShare = Array(repeating: Share(fraction: 0.85), count: 24) }),
      ],
      felt: { place in
        place.hasWidgets && place.roaming?.wifiShare == standard.roaming.wifiShare
          && place.scenario.goals.contains { $0.figure.metric.isEnergy }
      }),
  ]
}

extension Metric {
  /// Whether the metric depends on the radio's energy use.
  fileprivate var isEnergy: Bool {
    [.energyPerDay, .energySavedPerDay, .energyInSessions, .batteryPercentPerDay].contains(self)
  }
}
