extension KeyTable {
  static let kindKeys: [KeyEntry] =
    [
      .key("kinds", .names, .required, "one entry per widget kind"),
      .key("kinds.*", .mapping, .absent, "one widget's provider code").noun("kind"),
    ] + entries(at: "kinds.*") + reload(at: "kinds.*.reload", .absent, "when the next timeline is requested")
    + [
      .key(
        "kinds.*.phases", .list, .absent, "instead of entries and reload: one phase per run, in order; the last repeats"
      ),
      .key("kinds.*.phases.*", .mapping, .absent, "one stage in a kind's life").noun("phase"),
    ] + entries(at: "kinds.*.phases.*")
    + reload(at: "kinds.*.phases.*.reload", .required, "reload policy of this phase")
    + windowKeys + below("kinds.*", requestKeys) + bytes(at: "kinds.*.requests.*.up", "bytes sent")
    + bytes(at: "kinds.*.requests.*.down", "bytes received") + below("kinds.*", cacheKeys)
    + reload(
      at: "kinds.*.on_error", .value("{after: 15min}"), words: ["retry-after"], "when a failed run is retried")
    + below("kinds.*", attemptKeys + visitKeys)

  private static func entries(at path: String) -> [KeyEntry] {
    [
      .key(path + ".entries", .oneOf([.integer, .mapping]), .absent, "the timeline entries").from("1", to: "10000")
        .shorthand("count"),
      .key(path + ".entries.count", \Phase.entries.count, "number of entries").from("1", to: "10000"),
      .key(path + ".entries.every", \Phase.entries.every, "time between entries").from("1ms", to: "400d"),
      .key(path + ".entries.align", \Phase.entries.alignment, "run: from the end of the run; wall: multiples of every"),
    ]
  }

  private static func reload(
    at path: String, _ default: KeyEntry.Default, words: [String] = [], _ help: String
  ) -> [KeyEntry] {
    [
      .key(path, .oneOf([.words(["at-end", "never"] + words), .duration, .mapping]), `default`, help).shorthand(
        "after"),
      .key(
        path + ".after", .oneOf([.distribution(of: .duration), .mapping]), .required,
        "a duration <dist>, a time of day (at) or a clock multiple (every)"),
      .key(path + ".after.at", .timeOfDay, .absent, "the next occurrence of this time of day").upTo("23:59:59"),
      .key(path + ".after.every", .duration, .absent, "interval aligned to the wall clock").from("1s", to: "1d"),
      .key(path + ".after.zone", localOrZone, .value("local"), "time zone: local or an IANA name"),
      .key(path + ".after.days", .weekdays, .value("mon-sun"), "with at: the days on which it applies"),
    ]
  }

  private static let localOrZone = ValueType.oneOf([.words(["local"]), .zone])

  private static let windowKeys: [KeyEntry] =
    [
      .key("kinds.*.when", .list, .none, "other policies at certain times; the first match wins"),
      .key("kinds.*.when.*", .mapping, .absent, "one window").noun("window"),
      .key("kinds.*.when.*.days", .weekdays, .value("mon-sun"), "days on which the window starts"),
      .key("kinds.*.when.*.from", .timeOfDay, .value("\"00:00\""), "start of the window").upTo("23:59:59"),
      .key("kinds.*.when.*.to", .timeOfDay, .value("\"24:00\""), "end of the window, exclusive"),
      .key("kinds.*.when.*.zone", localOrZone, .value("local"), "time zone: local or an IANA name"),
    ] + reload(at: "kinds.*.when.*.reload", .required, "replaces the phase's policy")

  private static let requestKeys: [KeyEntry] = [
    .key("jitter", .oneOf([.duration, .mapping]), .none, "random delay added to every date").shorthand("up_to"),
    .key("jitter.up_to", \Jitter.upTo, .required, "maximum delay, uniform from 0").from("0s", to: "400d"),
    .key("jitter.per", \Jitter.scope, "drawn for every run, or once per device"),
    .key("requests", .list, .none, "requests sent by a run that the cache cannot serve"),
    .key("requests.*", .mapping, .absent, "one request, sent count times").noun("request"),
    .key("requests.*.endpoint", .endpoint, .required, "endpoint that receives it"),
    .key("requests.*.count", \Request.count, "number of times it is sent").from("1", to: "1000"),
  ]

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
      + families.map { .key(path + "." + $0, .size, .absent, help + " by a widget of family " + $0).upTo("10GB") }
  }

  /// The words for `Family`, in case order.
  package static let families = ["small", "medium", "large", "extra-large"]

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

  private static let visitKeys: [KeyEntry] = [
    .key("taps", .oneOf([.number, .mapping]), .none, "taps on buttons and toggles of an instance").from(
      "0", to: "10000"
    ).per("per day").shorthand("per_day"),
    .key("taps.per_day", \Taps.perDay, .required, "taps").from("0", to: "10000").per("per day"),
    .key("taps.burst", \Taps.burst, "taps in a row").from("1", to: "1000"),
    .key("taps.gap", \Taps.gap, "time between taps of a burst").from("0s", to: "1h"),
    .key("taps.reloads", \Taps.reloads, "what a tap reloads"),
    .key(
      "location_changes_per_day", \Kind.locationChangesPerDay,
      "location changes; each makes the next view reload"
    ).from("0", to: "10000").per("per day"),
    .key("protected", \Kind.isProtected, "data protection: scheduled runs wait for an unlock"),
    .key("crash", \Kind.crash, "probability that a run crashes"),
    .key("stale_after", \Kind.staleAfter, "age above which data counts as stale when viewed").from("0s", to: "10000d"),
    .key("cpu", \Kind.cpu, "processor time of one run").from("0s", to: "1h"),
  ]
}
