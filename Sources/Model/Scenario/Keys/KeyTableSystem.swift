extension KeyTable {
  static let osKeys: [KeyEntry] = [preset, version] + profileKeys + schedulerKeys

  private static let preset = KeyEntry.key(
    "preset", .words(Preset.allCases.map(\.rawValue)), .value("ios-26"),
    "preset for the os keys; other keys override it")

  private static let version = KeyEntry.key(
    "version", \OperatingSystem.version, as: .text, .absent,
    "iOS version of the phones, such as 26.2; warns if a profile was measured on another")

  private static let schedulerKeys: [KeyEntry] = [
    .key("min_spacing", \OperatingSystem.minSpacing, "minimum time between scheduled runs").from("0s", to: "1d"),
    .key("start_delay", .mapping, .absent, "how late a run starts, by class of cause"),
    .key(
      "start_delay.policy", \OperatingSystem.startDelay.policy, .value("{uniform: 0s..15min}"),
      "start delay of policy and retry reloads on a phone that is not in use"
    ).upTo("1d"),
    .key(
      "start_delay.in_use", \OperatingSystem.startDelay.inUse, .value("{uniform: 0s..1min}"),
      "start delay of policy and retry reloads on a phone in use"
    ).upTo("1d"),
    .key(
      "start_delay.background", \OperatingSystem.startDelay.background, .value("{uniform: 0s..1min}"),
      "start delay after silent pushes and background refreshes"
    ).upTo("1d"),
    .key(
      "start_delay.widget_push", \OperatingSystem.startDelay.widgetPush, .value("{exponential: 60s}"),
      "start delay after widget pushes"
    ).upTo("1d"),
    .key("coalescing_window", \OperatingSystem.coalescingWindow, "runs due within this time start together")
      .from("0s", to: "1d"),
    .key("at_end_gap", \OperatingSystem.atEndGap, "reload interval for at-end with a single entry").from(
      "0s", to: "400d"),
    .key("low_power_wait", \OperatingSystem.lowPowerWait, "maximum time for which Low Power Mode withholds a run")
      .from("0s", to: "1d"),
    .key("crash_retry", \OperatingSystem.crashRetry, "time after which a crashed run is due again")
      .from("1s", to: "400d"),
    .key("stale_view_reload", .mapping, .absent, "probability that viewing an overdue instance reloads it"),
    .key(
      "stale_view_reload.rare", \OperatingSystem.staleViewReloadRare,
      "probability that viewing an overdue, rarely viewed instance reloads it"),
    .key(
      "stale_view_reload.frequent", \OperatingSystem.staleViewReloadFrequent,
      "probability that viewing an overdue, often viewed instance reloads it"),
    .key(
      "stale_view_grace", \OperatingSystem.staleViewGrace, "how long a reload must be overdue for a view to start it"
    ).from(
      "0s", to: "400d"),
    .key(
      "foreground_latency", \OperatingSystem.foregroundLatency, .value("{uniform: 1s..30s}"),
      "time from the app's call to the run"
    ).upTo("1d"),
    .key("silent_push", .mapping, .absent, "delivery of silent pushes"),
    .key("silent_push.delivered", \OperatingSystem.silentPushDelivered, "probability that a silent push is delivered"),
    .key("silent_push.per_hour", \OperatingSystem.silentPushesPerHour, "max number of silent pushes that a phone gets")
      .from("0", to: "10000").per("per hour"),
    .key(
      "foreground_gap", \OperatingSystem.foregroundGap, "minimum time between the open app's calls for the same kind"
    ).from(
      "0s", to: "1d"),
    .key(
      "idle", .oneOf([.words(["none"]), .mapping]), .value("{after: 2h, give_up: 4h}"),
      "when the system withholds reloads on an idle phone; or none"),
    .key("idle.after", \Idle.after, "time since the last session after which a phone is idle").from("0s", to: "400d"),
    .key("idle.give_up", \Idle.giveUp, "time after its due date at which a withheld reload starts anyway").from(
      "0s", to: "400d"),
    .key("budget", .mapping, .absent, "the reload budget of an instance"),
    .key("budget.model", \OperatingSystem.budget.model, "how the budget refills"),
    .key(
      "budget.capacity", .oneOf([.words(["views"]), .distribution(of: .rate), .range(of: .rate)]), .value("views"),
      "from views, or in runs per day; a range is drawn per widget, a distribution per phone and kind"
    ).from("0/day", to: "1M/day"),
    .key("budget.cap", \OperatingSystem.budget.cap, "maximum budget capacity when derived from views").from(
      "1", to: "1000000"
    )
    .per("runs per day"),
    .key("budget.carry_over", \OperatingSystem.budget.carryOver, "maximum saved budget")
      .from("0", to: "400").per("days"),
    .key("budget.accrual", \OperatingSystem.budget.accrual, "awake: outside the user's night; even: all day"),
  ]

  /// The keys for scheduler constants that were measured on phones (MODEL.md 4.9).
  private static let profileKeys: [KeyEntry] = [
    .key("profile", .oneOf([.text, .mapping]), .absent, "measured constants: a profile file, or its contents"),
    .key("profile.schema", .words([SystemProfile.schema]), .required, "version of the profile format"),
    .key("profile.name", .label, .required, "name used in results"),
    .key("profile.measured", .mapping, .absent, "how it was measured"),
    .key("profile.measured.os", \SystemProfile.Measurement.system, as: .text, .absent, "system version and build"),
    .key("profile.measured.phones", .names, .absent, "phones used, by model"),
    .key("profile.measured.phones.*", .integer, .absent, "number of phones of this model").from("1", to: "1000000"),
    .key("profile.measured.days", \SystemProfile.Measurement.days, as: .number, .absent, "length of the measurement")
      .from("0", to: "10000").per("days"),
    .key("profile.measured.runs", \SystemProfile.Measurement.runs, as: .integer, .absent, "observed refreshes")
      .from("0", to: "1000000000000"),
    .key("profile.measured.by", \SystemProfile.Measurement.program, as: .text, .absent, "program and version"),
    .key("profile.measured.data_sha256", \SystemProfile.Measurement.dataHash, as: .text, .absent, "hash of the data"),
    .key("profile.measured.licence", \SystemProfile.Measurement.licence, as: .text, .absent, "licence of the profile"),
    .key("profile.os", .names, .required, "measured constants, by their paths below os"),
    .key("profile.os.*", .mapping, .absent, "a constant").noun("constant"),
    .key("profile.os.*.value", .anything, .required, "value, in the form that the key takes"),
    .key("profile.os.*.low", .anything, .required, "lower end of the measurement; the bracket uses both ends"),
    .key("profile.os.*.high", .anything, .required, "upper end of the measurement"),
    .key("profile.os.*.method", .words(MeasuringMethod.allCases.map(\.rawValue)), .required, "how it was measured"),
    .key("profile.os.*.n", .integer, .required, "number of observations").from("1", to: "1000000000000"),
    .key("profile.os.*.phones", .integer, .absent, "number of phones").from("1", to: "1000000000"),
  ]

  private static let audience = ValueType.oneOf([.share, .mapping])
  private static let kinds = ValueType.oneOf([.words(["all"]), .values(of: .kind, count: nil)])

  private static func audience(at path: String) -> [KeyEntry] {
    [
      .key(path + ".audience", audience, .value("100%"), "a share, or a named group that keeps its members"),
      .key(path + ".audience.of", .label, .required, "name of the group"),
      .key(path + ".audience.share", .share, .required, "share of the devices in the named group"),
    ]
  }

  static let eventKeys: [KeyEntry] =
    [
      .key("events", .list, .none, "what happens to the fleet and the backend"),
      .key("events.*", .mapping, .absent, "one event").noun("event"),
      .key("events.*.name", .label, .required, "name used in results"),
      .key(
        "events.*.at", .oneOf([.instant, .timeOfDay]), .absent,
        "an instant with UTC offset, or a time of day with zone"
      ).upTo("23:59:59"),
      .key("events.*.zone", .oneOf([.words(["local"]), .zone]), .absent, "time zone, for a time of day"),
      .key("events.*.push", .mapping, .absent, "pushes to the devices"),
      .key(
        "events.*.push.type", \Push.kind, .required,
        "silent: wakes the app; widget: reloads the widgets; user notifications are not modelled"),
      .key("events.*.push.per_device_per_day", .number, .absent, "random pushes, instead of at").from("0", to: "10000")
        .per(
          "per day"),
      .key("events.*.push.over", .duration, .value("0s"), "time over which they are sent").from("0s", to: "400d"),
      .key("events.*.push.sender", .mapping, .none, "the server that sends them, instead of over"),
      .key(
        "events.*.push.sender.rate", \PushSender.rate, as: .rate, .required,
        "pushes per second to the whole fleet; sending time = addressed phones / rate"
      ).from("0.1/s", to: "10M/s"),
      .key("events.*.push.kinds", kinds, .absent, "the kinds that a silent push reloads"),
      .key(
        "events.*.push.cohorts", .values(of: .label, count: nil), .absent,
        "cohorts that it may reach (default: all); audience is a share of their devices"),
      .key("events.*.push.clears_cache", \Push.clearsCache, "empties the kinds' caches first"),
      .key("events.*.push.fills_cache", \Push.fillsCache, "makes runs find a fresh cache"),
      .key("events.*.push.restarts", \Push.restarts, "restarts from the first phase"),
    ] + audience(at: "events.*.push")
    + [
      .key("events.*.outage", .mapping, .absent, "failure of an endpoint"),
      .key("events.*.outage.endpoint", .endpoint, .required, "endpoint that fails"),
      .key("events.*.outage.for", \Outage.lasts, .required, "length of the outage").from("1ms", to: "400d"),
      .key("events.*.outage.errors", \Outage.errors, "share of requests that fail immediately"),
      .key(
        "events.*.outage.capacity", \Outage.capacity, as: .rate, .absent,
        "capacity during the outage (default: unchanged)"),
      .key("events.*.app_update", .mapping, .absent, "an update of the app reaches the devices"),
      .key("events.*.app_update.over", .duration, .value("0s"), "time over which it is spread").from("0s", to: "400d"),
    ] + audience(at: "events.*.app_update")
    + [.key("events.*.system_change", .mapping, .absent, "locale, account or significant time change")]
    + audience(at: "events.*.system_change")
    + [.key("events.*.reboot", .mapping, .absent, "phones restart: widgets reload after the first unlock")]
    + audience(at: "events.*.reboot")
    + [
      .key("events.*.gallery", .mapping, .absent, "users open the widget gallery"),
      .key("events.*.gallery.over", .duration, .value("0s"), "time over which it is spread").from("0s", to: "400d"),
      .key("events.*.gallery.network", .share, .value("100%"), "share of snapshots that send requests"),
    ] + audience(at: "events.*.gallery")

  static let studyKeys: [KeyEntry] =
    [
      .key("goals", .list, .none, "conditions that the results must meet"),
      .key("goals.*", .mapping, .absent, "one goal").noun("goal"),
      .key("goals.*.id", .label, .required, "name used in results"),
      .key(
        "goals.*.assert", .text, .required, "a comparison of a metric with a value, another metric or 80% of capacity"),
      .key("goals.*.severity", .words(["error", "warning"]), .value("error"), "severity if missed"),
      .key("sweep", .mapping, .absent, "read by sweep, ignored by run"),
      .key(
        "sweep.method", .words(SweepMethod.allCases.map(\.rawValue)), .value("grid"),
        "how settings are chosen: from lists, or as points within ranges"),
      .key("sweep.points", .integer, .absent, "number of settings for sobol").from("1", to: "10000").per("settings"),
      .key("sweep.vary", .names, .required, "paths and their values"),
      .key("sweep.vary.*", .anything, .absent, "a list of values, or a range a..b (both ends included)"),
      .key("tune", .mapping, .absent, "read by tune, ignored by run"),
      .key("tune.minimize", .text, .required, "the metric to minimize, or a searched key"),
      .key("tune.subject_to", .values(of: .label, count: nil), .absent, "goals that must hold (default: all)"),
      .key("tune.search", .names, .required, "paths and their allowed values"),
      .key("tune.search.*", .anything, .absent, "a range 0s..30min, or a list [a, b] to choose from"),
    ] + calibrationKeys

  /// The keys that describe how a backend's access logs are read and compared with the simulation.
  private static let calibrationKeys: [KeyEntry] = [
    .key("calibrate", .mapping, .absent, "read by calibrate, ignored by run"),
    .key("calibrate.log", .mapping, .absent, "how the access log is read"),
    .key(
      "calibrate.log.format", .words(LogFormatName.allCases.map(\.rawValue)), .value("auto"),
      "format of the log; auto: detected from its first lines"),
    .key("calibrate.log.log_format", .text, .absent, "nginx's log_format, if not combined"),
    .key("calibrate.log.id", .text, .absent, "the field that identifies phones: query.install"),
    .key("calibrate.log.widget", .text, .absent, "rule for the widget's requests: ua ~ ^WeatherWidget/"),
    .key("calibrate.log.endpoints", .names, .absent, "endpoints by path; default: by their names in the path"),
    .key("calibrate.log.endpoints.*", .text, .absent, "a regular expression: ^/v2/forecast"),
    .key("calibrate.log.map", .names, .absent, "where to find fields, as for --map"),
    .key("calibrate.log.map.*", .text, .absent, "a field: request_time"),
    .key(
      "calibrate.fit", .names, .absent, "keys that may be replaced (default: all that the log identifies)"),
    .key(
      "calibrate.fit.*", .anything, .absent, "prior knowledge, as a note; closed forms ignore it"),
    .key(
      "calibrate.check", .values(of: .text, count: nil), .absent,
      "keys to compare but not change (default: all keys of the app's own code)"),
  ]
}
