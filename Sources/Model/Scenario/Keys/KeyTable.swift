/// The table of all keys of a scenario file, used by the parser, `--set`, messages, the schema and `explain`.
package struct KeyTable: Sendable {
  package static let standard = KeyTable(
    scenarioKeys + below("app", appKeys) + KindKeys.namedWindows
      + KindKeys.all + fleetKeys + tableKeys + below("os", osKeys) + backendKeys
      + below("backend.endpoints.*", endpointKeys) + eventKeys + studyKeys,
    besides: below("plan", PlanKeys.all))

  /// The entries of the table, in the order of the reference documentation.
  package let entries: [KeyEntry]
  /// The entries of plan files, below the root `plan`.
  package let planEntries: [KeyEntry]
  private let byPath: [String: KeyEntry]
  private let childrenByPath: [String: [KeyEntry]]

  /// Creates the table from its entries.
  ///
  /// - Parameter others: the entries of other files; they can only be found by their full paths.
  init(_ entries: [KeyEntry], besides others: [KeyEntry] = []) {
    self.entries = entries
    planEntries = others
    byPath = Dictionary((entries + others).map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    let mixed = Set(entries.filter { $0.type.alternatives.contains(.mapping) }.map(\.path))
    // If a mapping may be given instead of a list, the list's items are not keys of that mapping.
    let keys = (entries + others).filter { $0.name != "*" || !mixed.contains(KeyTable.parent(of: $0.path)) }
    childrenByPath = Dictionary(grouping: keys) { KeyTable.parent(of: $0.path) }
  }

  /// Returns the entry for a path pattern, such as `kinds.*.jitter`.
  package subscript(path: String) -> KeyEntry? { byPath[path] }

  /// Returns the entries directly below a path pattern; `""` returns the top-level entries.
  package func children(of path: String) -> [KeyEntry] { childrenByPath[path] ?? [] }

  /// Returns the entry for `key` below a path pattern: either the entry with this name, or the entry that applies to
  /// any name.
  package func child(_ key: String, of path: String) -> KeyEntry? {
    let prefix = path.isEmpty ? "" : path + "."
    if let entry = byPath[prefix + key] { return entry }
    let isMapping = byPath[path]?.type.alternatives.contains(.mapping) ?? false
    return isMapping && Int(key) == nil ? nil : byPath[prefix + "*"]
  }

  /// Returns copies of the entries with a path pattern prepended to their paths.
  static func below(_ path: String, _ entries: [KeyEntry]) -> [KeyEntry] {
    entries.map { entry in entry.with { $0.path = path + "." + entry.path } }
  }

  private static func parent(of path: String) -> String {
    path.split(separator: ".").dropLast().joined(separator: ".")
  }

  static let scenarioKeys: [KeyEntry] = [
    .key("schema", .schema, .required, "version of the file format: widgetfleet/v1; the first key"),
    .key("name", .folderName, .required, "name of the folder under Reports/: [a-z0-9-]"),
    .key("description", .text, .value("\"\""), "what the scenario is about"),
    .key("clock", .mapping, .required, "the simulated calendar"),
    .key("clock.start", .instant, .required, "start of the measured period, with UTC offset"),
    .key(
      "clock.settle", \Clock.settle,
      "before the warm-up: widgets settle in as if placed long ago; 0s (as for warmup): new widgets"
    ).from("0s", to: "30d"),
    .key("clock.warmup", \Clock.warmup, "time simulated before start, excluded from every figure")
      .from("0s", to: "400d"),
    .key("clock.duration", \Clock.duration, "the measured period").from("1ms", to: "400d"),
    .key("clock.step", \Clock.step, "time step of the load series; divides settle, warmup and duration")
      .from("1ms", to: "1d"),
    .key("run", .mapping, .absent, "simulation settings"),
    .key("run.seed", \RunSettings.seed, "random seed; the same seed gives the same users and networks"),
    .key("run.replications", \RunSettings.replications, "independent repetitions, for confidence intervals")
      .from("1", to: "10000"),
    .key(
      "run.simulate", \RunSettings.simulate,
      "devices actually simulated (counts are scaled); auto: all, or a sample of a large fleet; quick: few"
    ).from("1", to: "1G"),
    .key(
      "run.device_rows", \RunSettings.deviceRows, as: .oneOf([.words(["all"]), .count]),
      "devices with rows in devices.csv: all simulated ones, or a sample of this size"
    ).from("0", to: "1G"),
    .key("app", .mapping, .absent, "the app that contains the widgets"),
  ]

  private static let appKeys: [KeyEntry] = [
    .key("opens_per_day", \App.opensPerDay, "how often users open the app").from("0", to: "1000").per("per day"),
    .key(
      "foreground", \App.foreground, .value("{lognormal: {median: 60s, sigma: 1.0}}"),
      "time in the foreground per opening"),
    .key("audio_session", .mapping, .none, "playback during which the app's reloads are free"),
    .key("audio_session.per_day", \AudioSession.perDay, .required, "playback sessions")
      .from("0", to: "1000").per("per day"),
    .key(
      "audio_session.length", \AudioSession.length, .value("{lognormal: {median: 20min, sigma: 0.5}}"),
      "length of a playback session"),
    .key("reloads", .list, .none, "reloads that the app requests from the system"),
    .key("reloads.*", .mapping, .absent, "one kind of reload request").noun("reload"),
    .key(
      "reloads.*.when",
      .words(["open", "launch", "close", "change", "profile-switch", "background-refresh", "audio"]), .required,
      "what triggers it; reloads in the background are charged"),
    .key("reloads.*.per_day", .number, .absent, "how often change, profile-switch or background-refresh happens").from(
      "0", to: "10000"
    ).per("per day"),
    .key("reloads.*.share", .share, .absent, "with launch: the share of openings that are cold launches"),
    .key("reloads.*.every", .duration, .absent, "interval between reloads, for audio").from("1s", to: "1d"),
    .key(
      "reloads.*.kinds", .oneOf([.words(["all"]), .values(of: .kind, count: nil)]), .required,
      "the kinds to reload"),
    .key("reloads.*.clears_cache", \AppReload.clearsCache, "empties the kinds' caches first"),
    .key("reloads.*.fills_cache", \AppReload.fillsCache, "the app has fetched the data, so runs find a fresh cache"),
    .key("reloads.*.restarts", \AppReload.restarts, "restarts from the first phase"),
  ]

  private static let backendKeys: [KeyEntry] = [
    .key("backend", .mapping, .absent, "the servers that all devices share"),
    .key("backend.endpoints", .names, .absent, "endpoints used in requests but not listed here have no limits"),
    .key("backend.endpoints.*", .mapping, .absent, "one class of backend URLs").noun("endpoint"),
  ]

  private static let endpointKeys: [KeyEntry] = [
    .key("capacity", \Endpoint.capacity, as: .rate, "load that it serves; excess requests are queued"),
    .key("queue", \Endpoint.queue, as: .count, "maximum number of queued requests; without it, all wait").from("0"),
    .key("latency", .mapping, .none, "response latency: lognormal, given by two percentiles"),
    .key("latency.p50", \LatencyQuantiles.median, .required, "median response latency").from("0s", to: "1h"),
    .key("latency.p99", \LatencyQuantiles.p99, .required, "99th percentile of the response latency").from(
      "0s", to: "1h"),
    .key(
      "hint", \Endpoint.hint, as: .distribution(of: .duration),
      "how long its answers ask clients to wait, for after: hint"
    ).from("0s", to: "400d"),
    .key("timeout", \Endpoint.timeout, "time after which an unanswered request fails").from("1ms", to: "1h"),
    .key("base_load", .oneOf([.rate, .mapping]), .none, "other traffic on a shared API").shorthand("rate"),
    .key("base_load.rate", \BaseLoad.rate, as: .rate, .required, "daily mean of the base load"),
    .key("base_load.hours", hours, .value("default"), "hourly weights, interpolated between mid-hours"),
    .key(
      "base_load.peak", .timeOfDay, .absent,
      "instead of hours: the default hours, shifted so that this one is the busiest"),
    .key("base_load.zone", \BaseLoad.zone, as: .zone, "time zone of the base load's hours and dates"),
    .key("base_load.follows_days", \BaseLoad.followsDays, "whether fleet.day_factor also applies to the base load"),
    .key("rate_limit", .oneOf([.rate, .mapping]), .none, "rate above which requests get 429").shorthand("rate"),
    .key("rate_limit.rate", \RateLimit.rate, as: .rate, .required, "maximum rate that passes"),
    .key(
      "rate_limit.retry_after", \RateLimit.retryAfter, .value("60s"), "Retry-After sent with a 429"
    ).from("0s", to: "1d"),
    .key("autoscale", .mapping, .none, "capacity that follows the load"),
    .key("autoscale.target", \Autoscale.target, .required, "target utilisation"),
    .key("autoscale.delay", \Autoscale.delay, .required, "time between changes of the capacity").from("1s", to: "1d"),
    .key("autoscale.step", \Autoscale.step, .required, "size of each change, as a share of the capacity"),
    .key("autoscale.min", \Autoscale.minimum, as: .rate, .required, "minimum capacity"),
    .key("autoscale.max", \Autoscale.maximum, as: .rate, .required, "maximum capacity"),
    .key("cdn", .mapping, .none, "a cache in front of the endpoint"),
    .key("cdn.keys", \CDN.keys, as: .count, .required, "number of distinct answers that the CDN caches").from(
      "1", to: "100G"),
    .key("cdn.ttl", \CDN.ttl, .required, "how long an answer stays fresh").from("1s", to: "400d"),
    .key("cdn.collapsing", \CDN.collapsing, "coalesces all misses for a key in a step into one origin request"),
    .key("cdn.stale_if_error", \CDN.staleIfError, "how long past the ttl an answer is used if a fetch fails").from(
      "0s", to: "400d"),
    .key("cdn.error_ttl", \CDN.errorTTL, "how long a failed fetch is cached").from("0s", to: "400d"),
    .key(
      "cdn.popularity", .oneOf([.words(["uniform"]), .zipf]), .value("uniform"),
      "how often each key is requested: uniform, or zipf S: rank r in proportion to r^-S"
    ).upTo("zipf 5"),
  ]

  static let hours = ValueType.oneOf([.words(["default", "flat"]), .values(of: .number, count: 24)])

  /// The keys for radios and phones defined by the scenario (MODEL.md 7).
  static let tableKeys: [KeyEntry] =
    [
      .key("radios", .names, .none, "your own radio profiles, in addition to the built-in ones"),
      .key(radio, .mapping, .absent, "one radio profile").noun("radio"),
    ] + spell("promotion", to: "1min", "from idle to active") + [
      .key(radio + ".active", \RadioProfile.active, .required, "power during a request").upTo(maxPower),
      .key(radio + ".down", \RadioProfile.down, .required, "additional power while receiving").upTo("1000mW/Mbps"),
      .key(radio + ".up", \RadioProfile.up, .required, "additional power while sending").upTo("1000mW/Mbps"),
      .key(
        radio + ".tails", .list, .required, "periods awake after the last transfer, up to 4 in sequence; may be []"),
    ] + spell("tails.*", to: "1h", "one tail") + [
      .key(
        radio + ".round_trip", \RadioProfile.roundTrip, .required,
        "round-trip time of a request, excluding server time"
      ).from("0s", to: "10s"),
      .key("phones", .names, .none, "your own phone models, in addition to the built-in ones"),
      .key("phones.*", .battery, .absent, "battery capacity when new").from("0.1Wh", to: "100Wh"),
      .key("os", .mapping, .absent, "the scheduler's constants"),
    ]

  private static let radio = "radios.*"
  private static let maxPower = "20W"

  private static func spell(_ name: String, to longest: String, _ help: String) -> [KeyEntry] {
    let path = radio + "." + name
    let noun = name == "tails.*" ? "tail" : nil
    return [
      .key(path, .mapping, noun == nil ? .required : .absent, help).noun(noun),
      .key(path + ".length", \RadioSpell.length, .required, "length of this state of the radio").from(
        "0s", to: longest),
      .key(path + ".power", \RadioSpell.power, .required, "power drawn during that time, above the phone's baseline")
        .upTo(maxPower),
    ]
  }
}
