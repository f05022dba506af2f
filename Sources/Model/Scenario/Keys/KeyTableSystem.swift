extension KeyTable {
  static let osKeys: [KeyEntry] = [preset, version] + profileKeys + schedulerKeys

  private static let preset = KeyEntry.key(
    "preset", .words(Preset.allCases.map(\.rawValue)), .value("ios-26"), "the other keys override it")

  private static let version = KeyEntry.key(
    "version", \OperatingSystem.version, as: .text, .absent,
    "the phones' system, 26.2: warns of a profile that was measured on another")

  private static let schedulerKeys: [KeyEntry] = [
    .key("min_spacing", \OperatingSystem.minSpacing, "least gap between scheduled runs").from("0s", to: "1d"),
    .key("start_delay", .mapping, .absent, "how late a run starts, by the class of its cause"),
    .key(
      "start_delay.policy", \OperatingSystem.startDelay.policy, .value("{uniform: 0s..15min}"),
      "of reloads by policy and retry while the phone is idle"
    ).upTo("1d"),
    .key(
      "start_delay.in_use", \OperatingSystem.startDelay.inUse, .value("{uniform: 0s..1min}"),
      "of reloads by policy and retry in a session"
    ).upTo("1d"),
    .key(
      "start_delay.background", \OperatingSystem.startDelay.background, .value("{uniform: 0s..1min}"),
      "of reloads by silent push and background refresh"
    ).upTo("1d"),
    .key(
      "start_delay.widget_push", \OperatingSystem.startDelay.widgetPush, .value("{exponential: 60s}"), "widget push"
    ).upTo("1d"),
    .key("coalescing_window", \OperatingSystem.coalescingWindow, "runs due this soon start together")
      .from("0s", to: "1d"),
    .key("at_end_gap", \OperatingSystem.atEndGap, "at-end with one entry").from("0s", to: "400d"),
    .key("stale_view_reload", .mapping, .absent, "probability of a reload at the view of an overdue instance"),
    .key("stale_view_reload.rare", \OperatingSystem.staleViewReloadRare, "of rarely viewed instances"),
    .key("stale_view_reload.frequent", \OperatingSystem.staleViewReloadFrequent, "of the others"),
    .key("stale_view_grace", \OperatingSystem.staleViewGrace, "overdue by this much").from("0s", to: "400d"),
    .key(
      "foreground_latency", \OperatingSystem.foregroundLatency, .value("{uniform: 1s..30s}"),
      "from the app's call to the run"
    ).upTo("1d"),
    .key("silent_push", .mapping, .absent, "what becomes of silent pushes"),
    .key("silent_push.delivered", \OperatingSystem.silentPushDelivered, "probability of delivery"),
    .key("silent_push.per_hour", \OperatingSystem.silentPushesPerHour, "at most")
      .from("0", to: "10000").per("per hour"),
    .key("foreground_gap", \OperatingSystem.foregroundGap, "between calls of one kind").from("0s", to: "1d"),
    .key(
      "idle", .oneOf([.words(["none"]), .mapping]), .value("{after: 2h, give_up: 4h}"),
      "when an idle phone withholds reloads; or none"),
    .key("idle.after", \Idle.after, "since the last session").from("0s", to: "400d"),
    .key("idle.give_up", \Idle.giveUp, "after the due date it starts anyway").from("0s", to: "400d"),
    .key("budget", .mapping, .absent, "the reload budget of an instance"),
    .key("budget.model", \OperatingSystem.budget.model, "how it fills"),
    .key(
      "budget.capacity", .oneOf([.words(["views"]), .distribution(of: .rate), .range(of: .rate)]), .value("views"),
      "from views, or runs per day; a range: drawn per widget; a distribution: per phone and kind"
    ).from("0/day", to: "1M/day"),
    .key("budget.cap", \OperatingSystem.budget.cap, "most, from views").from("1", to: "1000000").per("runs per day"),
    .key("budget.carry_over", \OperatingSystem.budget.carryOver, "most that is saved up")
      .from("0", to: "400").per("days"),
    .key("budget.accrual", \OperatingSystem.budget.accrual, "awake: 07:00 to 22:45; even: all day"),
  ]

  /// The keys for constants measured on phones (MODEL.md 4.9).
  private static let profileKeys: [KeyEntry] = [
    .key("profile", .oneOf([.text, .mapping]), .absent, "measured constants: a file of them, or its content"),
    .key("profile.schema", .words([SystemProfile.schema]), .required, "version of the format of profiles"),
    .key("profile.name", .label, .required, "names it in results"),
    .key("profile.measured", .mapping, .absent, "with what it was measured"),
    .key("profile.measured.os", \SystemProfile.Measurement.system, as: .text, .absent, "the system with its build"),
    .key("profile.measured.phones", .names, .absent, "phones that took part, by model"),
    .key("profile.measured.phones.*", .integer, .absent, "how many of the model").from("1", to: "1000000"),
    .key("profile.measured.days", \SystemProfile.Measurement.days, as: .number, .absent, "how long")
      .from("0", to: "10000").per("days"),
    .key("profile.measured.runs", \SystemProfile.Measurement.runs, as: .integer, .absent, "refreshes that were seen")
      .from("0", to: "1000000000000"),
    .key("profile.measured.by", \SystemProfile.Measurement.program, as: .text, .absent, "program and version"),
    .key("profile.measured.data_sha256", \SystemProfile.Measurement.dataHash, as: .text, .absent, "hash of the data"),
    .key("profile.measured.licence", \SystemProfile.Measurement.licence, as: .text, .absent, "of the profile"),
    .key("profile.os", .names, .required, "measured constants, by their paths below os"),
    .key("profile.os.*", .mapping, .absent, "one constant").noun("constant"),
    .key("profile.os.*.value", .anything, .required, "in the form of the key"),
    .key("profile.os.*.low", .anything, .required, "lower end of what was measured; the bracket runs both ends"),
    .key("profile.os.*.high", .anything, .required, "upper end"),
    .key("profile.os.*.method", .words(MeasuringMethod.allCases.map(\.rawValue)), .required, "how it was measured"),
    .key("profile.os.*.n", .integer, .required, "observations that it rests on").from("1", to: "1000000000000"),
    .key("profile.os.*.phones", .integer, .absent, "phones that it rests on").from("1", to: "1000000000"),
  ]

  private static let audience = ValueType.oneOf([.share, .mapping])
  private static let kinds = ValueType.oneOf([.words(["all"]), .values(of: .kind, count: nil)])

  private static func audience(at path: String) -> [KeyEntry] {
    [
      .key(path + ".audience", audience, .value("100%"), "a share, or a named group that keeps its members"),
      .key(path + ".audience.of", .label, .required, "name of the group"),
      .key(path + ".audience.share", .share, .required, "of the devices"),
    ]
  }

  static let eventKeys: [KeyEntry] =
    [
      .key("events", .list, .none, "what happens to the fleet and the backend"),
      .key("events.*", .mapping, .absent, "one event").noun("event"),
      .key("events.*.name", .label, .required, "names it in results"),
      .key(
        "events.*.at", .oneOf([.instant, .timeOfDay]), .absent,
        "an instant with offset, or a local clock time with zone"
      ).upTo("23:59:59"),
      .key("events.*.zone", .oneOf([.words(["local"]), .zone]), .absent, "of a clock time"),
      .key("events.*.push", .mapping, .absent, "pushes to the devices"),
      .key(
        "events.*.push.type", \Push.kind, .required,
        "silent wakes the app, widget the widgets; notifications for people are not modelled"),
      .key("events.*.push.per_device_per_day", .number, .absent, "in place of at").from("0", to: "10000").per(
        "per day"),
      .key("events.*.push.over", .duration, .value("0s"), "sent over this long").from("0s", to: "400d"),
      .key("events.*.push.kinds", kinds, .absent, "the kinds that a silent push reloads"),
      .key(
        "events.*.push.cohorts", .values(of: .label, count: nil), .absent,
        "the cohorts that it may reach, all when left out; audience is a share of their devices"),
      .key("events.*.push.clears_cache", \Push.clearsCache, "empties the kinds' caches first"),
      .key("events.*.push.fills_cache", \Push.fillsCache, "runs find a fresh cache"),
      .key("events.*.push.restarts", \Push.restarts, "takes phases back to the first"),
    ] + audience(at: "events.*.push")
    + [
      .key("events.*.outage", .mapping, .absent, "an endpoint fails"),
      .key("events.*.outage.endpoint", .endpoint, .required, "which"),
      .key("events.*.outage.for", \Outage.lasts, .required, "how long").from("1ms", to: "400d"),
      .key("events.*.outage.errors", \Outage.errors, "of requests, answered at once"),
      .key("events.*.outage.capacity", \Outage.capacity, as: .rate, .absent, "meanwhile; unchanged when left out"),
      .key("events.*.app_update", .mapping, .absent, "an update of the app reaches the devices"),
      .key("events.*.app_update.over", .duration, .value("0s"), "spread over this long").from("0s", to: "400d"),
    ] + audience(at: "events.*.app_update")
    + [.key("events.*.system_change", .mapping, .absent, "locale, account or significant time change")]
    + audience(at: "events.*.system_change")
    + [
      .key("events.*.gallery", .mapping, .absent, "people look at the widget gallery"),
      .key("events.*.gallery.over", .duration, .value("0s"), "spread over this long").from("0s", to: "400d"),
      .key("events.*.gallery.network", .share, .value("100%"), "of snapshots that send requests"),
    ] + audience(at: "events.*.gallery")

  static let studyKeys: [KeyEntry] =
    [
      .key("goals", .list, .none, "what the results must satisfy"),
      .key("goals.*", .mapping, .absent, "one goal").noun("goal"),
      .key("goals.*.id", .label, .required, "names it in results"),
      .key("goals.*.assert", .text, .required, "a comparison of a metric with a value"),
      .key("goals.*.severity", .words(["error", "warning"]), .value("error"), "what a miss means"),
      .key("sweep", .mapping, .absent, "read by sweep, ignored by run"),
      .key(
        "sweep.method", .words(SweepMethod.allCases.map(\.rawValue)), .value("grid"),
        "how settings are made: of lists, or of points in ranges"),
      .key("sweep.points", .integer, .absent, "how many settings sobol makes").from("1", to: "10000").per("settings"),
      .key("sweep.vary", .names, .required, "paths with their values"),
      .key("sweep.vary.*", .anything, .absent, "a list of values, or a range a..b, both ends included"),
      .key("tune", .mapping, .absent, "read by tune, ignored by run"),
      .key("tune.minimize", .text, .required, "the metric to make small, or a key of search"),
      .key("tune.subject_to", .values(of: .label, count: nil), .absent, "goals that must hold; all when left out"),
      .key("tune.search", .names, .required, "paths with what they may become"),
      .key("tune.search.*", .anything, .absent, "a range 0s..30min, or a list [a, b] to choose from"),
    ] + calibrationKeys

  /// The keys for reading the access logs of a backend and comparing them with the simulation.
  private static let calibrationKeys: [KeyEntry] = [
    .key("calibrate", .mapping, .absent, "read by calibrate, ignored by run"),
    .key("calibrate.log", .mapping, .absent, "how the access log is read"),
    .key(
      "calibrate.log.format", .words(LogFormatName.allCases.map(\.rawValue)), .value("auto"),
      "of the log; auto: as its first lines look"),
    .key("calibrate.log.log_format", .text, .absent, "nginx's log_format, where it is not combined"),
    .key("calibrate.log.id", .text, .absent, "the field that identifies phones: query.install"),
    .key("calibrate.log.widget", .text, .absent, "which requests are the widget's: ua ~ ^WeatherWidget/"),
    .key("calibrate.log.endpoints", .names, .absent, "endpoints by their paths; else by their names in the path"),
    .key("calibrate.log.endpoints.*", .text, .absent, "a regular expression: ^/v2/forecast"),
    .key("calibrate.log.map", .names, .absent, "where fields are, as --map takes them"),
    .key("calibrate.log.map.*", .text, .absent, "a field: request_time"),
    .key(
      "calibrate.fit", .names, .absent, "keys that may be replaced; all that the log identifies when left out"),
    .key(
      "calibrate.fit.*", .anything, .absent, "prior, or what is known before: a note, which closed forms do not use"),
    .key(
      "calibrate.check", .values(of: .text, count: nil), .absent,
      "keys to compare and not to change; all of the app's own code when left out"),
  ]
}
