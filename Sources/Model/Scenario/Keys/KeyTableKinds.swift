/// The table of the keys for widget kinds.
enum KindKeys {
  static let all: [KeyEntry] =
    [
      .key("kinds", .names, .required, "one entry per widget kind"),
      .key("kinds.*", .mapping, .absent, "one widget's provider code").noun("kind"),
    ] + entries(at: "kinds.*") + reload(at: "kinds.*.reload", .absent, "when the next timeline is requested")
    + [
      .key(
        "kinds.*.reload.provider", .label, .absent, "instead of after: code in this program that returns the dates"),
      .key("kinds.*.reload.version", .label, .absent, "with provider: the version that its code must have"),
      .key(
        "kinds.*.phases", .list, .absent, "instead of entries and reload: one phase per run, in order; the last repeats"
      ),
      .key("kinds.*.phases.*", .mapping, .absent, "one stage in a kind's life").noun("phase"),
      .key("kinds.*.phases.*.repeat", \Phase.repeats, "number of runs before the next phase").from("1", to: "10000"),
    ] + entries(at: "kinds.*.phases.*")
    + reload(at: "kinds.*.phases.*.reload", .required, "reload policy of this phase")
    + windowKeys + KeyTable.below("kinds.*", jitterKeys)
    + requests(at: "kinds.*.requests", "requests of a run that the cache cannot serve")
    + KeyTable.below("kinds.*", cacheKeys)
    + errorKeys + KeyTable.below("kinds.*", attemptKeys + tapKeys)
    + requests(at: "kinds.*.taps.requests", "sent by a tap itself, before the reload, bypassing the cache")
    + KeyTable.below("kinds.*", visitKeys)

  private static func entries(at path: String) -> [KeyEntry] {
    [
      .key(
        path + ".entries", .oneOf([.integer, .mapping]), .absent,
        "the timeline entries; with reload: at-end, the reload is due at the date of the last one"
      ).from("1", to: "10000")
        .shorthand("count"),
      .key(path + ".entries.count", \Phase.entries.count, "number of entries").from("1", to: "10000"),
      .key(path + ".entries.every", \Phase.entries.every, "time between entries").from("1ms", to: "400d"),
      .key(
        path + ".entries.align", \Phase.entries.alignment,
        "run: from the end of the run; wall: clock multiples of every, so phones reload at once"),
    ]
  }

  private static func reload(at path: String, _ default: KeyEntry.Default, _ help: String) -> [KeyEntry] {
    [
      .key(path, .oneOf([.words(["at-end", "never", "hint"]), .duration, .mapping]), `default`, help).shorthand(
        "after"),
      .key(
        path + ".after", dates(or: [.words(["hint"])]), path == "kinds.*.reload" ? .absent : .required,
        "a duration <dist>, hint, a time of day (at), a clock multiple (every), or a list: the earliest"),
    ] + date(at: path + ".after")
      + [.key(path + ".after.*", one(or: [.words(["hint"])]), .absent, "one of several dates").noun("date")]
      + date(at: path + ".after.*") + [
        .key(
          path + ".from", .words(["run", "data"]), .value("run"),
          "whether spans count from the end of the run or from its data"),
        .key(path + ".at_least", .duration, .value("0s"), "min time from the end of the run to the date").from(
          "0s", to: "400d"),
      ]
  }

  private static func one(or words: [ValueType]) -> ValueType {
    .oneOf(words + [.distribution(of: .duration), .mapping])
  }

  private static func dates(or words: [ValueType]) -> ValueType {
    .oneOf(words + [.distribution(of: .duration), .list, .mapping])
  }

  private static func date(at path: String) -> [KeyEntry] {
    [
      .key(
        path + ".at", .oneOf([.timeOfDay, .instant, .values(of: .oneOf([.timeOfDay, .instant]), count: nil)]), .absent,
        "the next of these times of day or instants"
      ).upTo("23:59:59"),
      .key(path + ".every", .duration, .absent, "interval aligned to the wall clock").from("1s", to: "1d"),
      .key(path + ".zone", localOrZone, .value("local"), "time zone: local or an IANA name"),
      .key(path + ".days", .weekdays, .value("mon-sun"), "with at: the days on which it applies"),
    ]
  }

  private static let errorKeys: [KeyEntry] =
    [
      .key(
        "kinds.*.on_error", .oneOf([.words(["at-end", "never", "retry-after"]), .duration, .mapping]),
        .value("{after: 15min}"), "when a failed run is retried"
      ).shorthand("after"),
      .key(
        "kinds.*.on_error.after", dates(or: []), .absent,
        "a date as in reload, counted from the end of the failed run"),
    ] + date(at: "kinds.*.on_error.after")
    + [.key("kinds.*.on_error.after.*", one(or: []), .absent, "one of several dates").noun("date")]
    + date(at: "kinds.*.on_error.after.*") + [
      .key("kinds.*.on_error.backoff", .mapping, .absent, "instead of after: longer with each consecutive failed run"),
      .key("kinds.*.on_error.backoff.first", \Backoff.first, .required, "delay after the first failed run").from(
        "1s", to: "400d"),
      .key(
        "kinds.*.on_error.backoff.factor", \Backoff.factor, "factor on the delay after each further failed run"
      ).from("1", to: "100"),
      .key("kinds.*.on_error.backoff.max", \Backoff.maximum, "maximum delay after a failed run").from("1s", to: "400d"),
    ]

  private static let localOrZone = ValueType.oneOf([.words(["local"]), .zone])

  /// The keys of named windows, which policies and goals can refer to.
  static let namedWindows: [KeyEntry] = [
    .key("windows", .names, .none, "named windows of time, for when and for goals: {during=NAME}"),
    .key("windows.*", .mapping, .absent, "one named window").noun("window"),
    .key("windows.*.days", .weekdays, .value("mon-sun"), "days on which the window starts"),
    .key("windows.*.from", .oneOf([.timeOfDay, .instant]), .value("\"00:00\""), "start of the window").upTo("23:59:59"),
    .key("windows.*.to", .oneOf([.timeOfDay, .instant]), .value("\"24:00\""), "end of the window, exclusive"),
    .key("windows.*.zone", localOrZone, .value("local"), "time zone: local or an IANA name"),
  ]

  private static let windowKeys: [KeyEntry] =
    [
      .key("kinds.*.when", .list, .none, "other policies at certain times; the first match wins"),
      .key("kinds.*.when.*", .mapping, .absent, "one window").noun("window"),
      .key("kinds.*.when.*.window", .label, .absent, "instead of days, from, to and zone: a window of the scenario"),
      .key("kinds.*.when.*.days", .weekdays, .value("mon-sun"), "days on which the window starts"),
      .key("kinds.*.when.*.from", .timeOfDay, .value("\"00:00\""), "start of the window").upTo("23:59:59"),
      .key("kinds.*.when.*.to", .timeOfDay, .value("\"24:00\""), "end of the window, exclusive"),
      .key("kinds.*.when.*.zone", localOrZone, .value("local"), "time zone: local or an IANA name"),
    ] + reload(at: "kinds.*.when.*.reload", .required, "replaces the phase's policy") + [
      .key("kinds.*.when.*.jitter", .oneOf([.duration, .mapping]), .absent, "replaces the kind's jitter").shorthand(
        "up_to"),
      .key("kinds.*.when.*.jitter.up_to", \Jitter.upTo, .required, "max delay, uniform from 0 (or from early)").from(
        "0s", to: "400d"),
      .key("kinds.*.when.*.jitter.early", \Jitter.early, "max time by which a date may come earlier").from(
        "0s", to: "400d"),
      .key("kinds.*.when.*.jitter.per", \Jitter.scope, "drawn for every run, or once per device"),
      .key("kinds.*.when.*.stale_after", .duration, .absent, "replaces the kind's stale_after for views in the window")
        .from(
          "0s", to: "10000d"),
    ]

  private static let jitterKeys: [KeyEntry] = [
    .key("jitter", .oneOf([.duration, .mapping]), .none, "random delay added to every date").shorthand("up_to"),
    .key("jitter.up_to", \Jitter.upTo, .required, "maximum delay, uniform from 0").from("0s", to: "400d"),
    .key("jitter.early", \Jitter.early, "max time by which a date may come earlier").from("0s", to: "400d"),
    .key("jitter.per", \Jitter.scope, "drawn for every run, or once per device"),
  ]

  private static func requests(at path: String, _ help: String) -> [KeyEntry] {
    [
      .key(path, .list, .none, help),
      .key(path + ".*", .mapping, .absent, "one request, sent count times").noun("request"),
      .key(path + ".*.endpoint", .endpoint, .required, "endpoint that receives the request"),
      .key(path + ".*.count", \Request.count, "number of times the request is sent").from("1", to: "1000"),
    ] + bytes(at: path + ".*.up", "bytes sent") + bytes(at: path + ".*.down", "bytes received")
  }

  private static let cacheKeys: [KeyEntry] = [
    .key("cache", .oneOf([.words(["never-expires"]), .duration, .mapping]), .none, "the provider's cache").shorthand(
      "ttl"),
    .key(
      "cache.ttl", \Cache.ttl, as: .oneOf([.words(["never-expires"]), .duration]), .required,
      "age at which an answer expires"
    ).from("1ms", to: "10000d"),
    .key("cache.scope", \Cache.scope, "one cache per device and kind, or per instance"),
    .key("cache.single_flight", \Cache.singleFlight, "concurrent runs with a cold cache share one request"),
  ]

  private static func bytes(at path: String, _ help: String) -> [KeyEntry] {
    [.key(path, .oneOf([.size, .mapping]), .value("0B"), help + "; by family if they differ").upTo("10GB")]
      + KeyTable.families.map {
        .key(path + "." + $0, .size, .absent, help + " by a widget of family " + $0).upTo("10GB")
      }
  }

  private static let attemptKeys: [KeyEntry] = [
    .key("attempts", .oneOf([.integer, .mapping]), .absent, "attempts per request within a run").from(
      "1", to: "16"
    )
    .shorthand("count"),
    .key("attempts.count", \Kind.attempts.count, "attempts, including the first").from("1", to: "16"),
    .key("attempts.backoff", \Kind.attempts.backoff, "delay before the second attempt; doubles each time").from(
      "0s", to: "1h"),
    .key(
      "background_session", \Kind.isBackgroundSession,
      "downloads finish in a background session, which requests a second run"),
  ]

  private static let tapKeys: [KeyEntry] = [
    .key("taps", .oneOf([.number, .mapping]), .none, "taps on buttons and toggles of an instance").from(
      "0", to: "10000"
    ).per("per day").shorthand("per_day"),
    .key("taps.per_day", \Taps.perDay, .required, "taps on an instance").from("0", to: "10000").per("per day"),
    .key("taps.burst", \Taps.burst, "number of taps in a row").from("1", to: "1000"),
    .key("taps.gap", \Taps.gap, "time between taps in a burst").from("0s", to: "1h"),
    .key("taps.reloads", \Taps.reloads, "what a tap reloads"),
  ]

  private static let visitKeys: [KeyEntry] = [
    .key(
      "location_changes_per_day", \Kind.locationChangesPerDay,
      "location changes; each causes a reload at the next view"
    ).from("0", to: "10000").per("per day"),
    .key("pushes", \Kind.takesPushes, "whether the kind has a push handler, so that widget pushes reload it"),
    .key("protected", \Kind.isProtected, "data protection: scheduled runs wait for an unlock"),
    .key("crash", \Kind.crash, "probability that a run crashes"),
    .key("stale_after", \Kind.staleAfter, "age above which data counts as stale when viewed").from("0s", to: "10000d"),
    .key("cpu", \Kind.cpu, "processor time of one run").from("0s", to: "1h"),
  ]
}

extension KeyTable {
  /// The names of the widget families in scenario files, in the order of the cases of `Family`.
  package static let families = ["small", "medium", "large", "extra-large"]
}
