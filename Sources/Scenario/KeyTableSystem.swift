extension KeyTable {
  static let osKeys: [KeyEntry] = [
    .key("os", .mapping, .absent, "the scheduler's constants"),
    .key("os.preset", .words(Preset.allCases.map(\.rawValue)), .value("ios-26"), "the other keys override it"),
    .key("os.min_spacing", .duration, .value("5min"), from: "0s", to: "1d", "least gap between scheduled runs"),
    .key("os.start_delay", .mapping, .absent, "how late a run starts, by the class of its cause"),
    .key(
      "os.start_delay.policy", .distribution(of: .duration), .value("{uniform: 0s..15min}"), to: "1d",
      "policy and retry"),
    .key(
      "os.start_delay.in_use", .distribution(of: .duration), .value("{uniform: 0s..1min}"), to: "1d",
      "policy and retry, in a session"),
    .key(
      "os.start_delay.background", .distribution(of: .duration), .value("{uniform: 0s..1min}"), to: "1d",
      "silent push and background refresh"),
    .key(
      "os.start_delay.widget_push", .distribution(of: .duration), .value("{exponential: 60s}"), to: "1d",
      "widget push"),
    .key(
      "os.coalescing_window", .duration, .value("5min"), from: "0s", to: "1d", "runs due this soon start together"),
    .key("os.at_end_gap", .duration, .value("30min"), from: "0s", to: "400d", "at-end with one entry"),
    .key("os.stale_view_reload", .mapping, .absent, "probability of a reload at the view of an overdue instance"),
    .key("os.stale_view_reload.rare", .share, .value("100%"), "of rarely viewed instances"),
    .key("os.stale_view_reload.frequent", .share, .value("30%"), "of the others"),
    .key("os.stale_view_grace", .duration, .value("15min"), from: "0s", to: "400d", "overdue by this much"),
    .key(
      "os.foreground_latency", .distribution(of: .duration), .value("{uniform: 1s..30s}"), to: "1d",
      "from the app's call to the run"),
    .key("os.silent_push", .mapping, .absent, "what becomes of silent pushes"),
    .key("os.silent_push.delivered", .share, .value("100%"), "probability of delivery"),
    .key("os.silent_push.per_hour", .integer, .value("3"), from: "0", to: "10000", per: "per hour", "at most"),
    .key("os.foreground_gap", .duration, .value("30s"), from: "0s", to: "1d", "between calls of one kind"),
    .key(
      "os.idle", .oneOf([.words(["none"]), .mapping]), .value("{after: 2h, give_up: 4h}"),
      "when a phone that nobody uses withholds; or none"),
    .key("os.idle.after", .duration, .value("2h"), from: "0s", to: "400d", "since the last session"),
    .key("os.idle.give_up", .duration, .value("4h"), from: "0s", to: "400d", "after the due date it starts anyway"),
    .key("os.budget", .mapping, .absent, "the reload budget of an instance"),
    .key("os.budget.model", .words(Budget.Model.allCases.map(\.rawValue)), .value("bucket"), "how it fills"),
    .key(
      "os.budget.capacity", .oneOf([.words(["views"]), .rate, .range(of: .rate)]), .value("views"), from: "0/day",
      to: "1M/day", "from views, or runs per day, or a range of them"),
    .key("os.budget.cap", .number, .value("70"), from: "1", to: "1000000", per: "runs per day", "most, from views"),
    .key("os.budget.carry_over", .number, .value("1.5"), from: "0", to: "400", per: "days", "most that is saved up"),
    .key(
      "os.budget.accrual", .words(Budget.Accrual.allCases.map(\.rawValue)), .value("awake"),
      "awake: 07:00 to 22:45; even: all day"),
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
      .key("events.*", .mapping, .absent, noun: "event", "one event"),
      .key("events.*.name", .label, .required, "names it in results"),
      .key(
        "events.*.at", .oneOf([.instant, .timeOfDay]), .absent, to: "23:59:59",
        "an instant with offset, or a local clock time with zone"),
      .key("events.*.zone", .oneOf([.words(["local"]), .zone]), .absent, "of a clock time"),
      .key("events.*.push", .mapping, .absent, "pushes to the devices"),
      .key("events.*.push.type", .words(["silent", "widget"]), .required, "silent wakes the app, widget the widgets"),
      .key(
        "events.*.push.per_device_per_day", .number, .absent, from: "0", to: "10000", per: "per day",
        "in place of at"),
      .key("events.*.push.over", .duration, .value("0s"), from: "0s", to: "400d", "sent over this long"),
      .key("events.*.push.kinds", kinds, .absent, "the kinds that a silent push reloads"),
      .key("events.*.push.clears_cache", .flag, .value("false"), "empties the kinds' caches first"),
      .key("events.*.push.fills_cache", .flag, .value("false"), "runs find a fresh cache"),
      .key("events.*.push.restarts", .flag, .value("false"), "takes phases back to the first"),
    ] + audience(at: "events.*.push")
    + [
      .key("events.*.outage", .mapping, .absent, "an endpoint fails"),
      .key("events.*.outage.endpoint", .endpoint, .required, "which"),
      .key("events.*.outage.for", .duration, .required, from: "1ms", to: "400d", "how long"),
      .key("events.*.outage.errors", .share, .value("100%"), "of requests, answered at once"),
      .key("events.*.outage.capacity", .rate, .absent, "meanwhile; unchanged when left out"),
      .key("events.*.app_update", .mapping, .absent, "an update of the app reaches the devices"),
      .key("events.*.app_update.over", .duration, .value("0s"), from: "0s", to: "400d", "spread over this long"),
    ] + audience(at: "events.*.app_update")
    + [.key("events.*.system_change", .mapping, .absent, "locale, account or significant time change")]
    + audience(at: "events.*.system_change")
    + [
      .key("events.*.gallery", .mapping, .absent, "people look at the widget gallery"),
      .key("events.*.gallery.over", .duration, .value("0s"), from: "0s", to: "400d", "spread over this long"),
      .key("events.*.gallery.network", .share, .value("100%"), "of snapshots that send requests"),
    ] + audience(at: "events.*.gallery")

  static let studyKeys: [KeyEntry] = [
    .key("goals", .list, .none, "what the results must satisfy"),
    .key("goals.*", .mapping, .absent, noun: "goal", "one goal"),
    .key("goals.*.id", .label, .required, "names it in results"),
    .key("goals.*.assert", .text, .required, "a comparison of a metric with a value"),
    .key("goals.*.severity", .words(["error", "warning"]), .value("error"), "what a miss means"),
    .key("sweep", .mapping, .absent, "read by sweep, ignored by run"),
    .key(
      "sweep.method", .words(SweepMethod.allCases.map(\.rawValue)), .value("grid"),
      "how settings are made: of lists, or of points in ranges"),
    .key(
      "sweep.points", .integer, .absent, from: "1", to: "10000", per: "settings",
      "how many settings latin-hypercube and sobol make"),
    .key("sweep.vary", .names, .required, "paths with their values"),
    .key("sweep.vary.*", .anything, .absent, "a list of values, or a range a..b, both ends included"),
    .key("tune", .mapping, .absent, "read by tune, ignored by run"),
    .key("tune.minimize", .text, .required, "the metric"),
    .key("tune.subject_to", .values(of: .label, count: nil), .absent, "goals that must hold"),
    .key("tune.search", .names, .required, "paths with their ranges"),
    .key("tune.search.*", .anything, .absent, "a range"),
  ]
}
