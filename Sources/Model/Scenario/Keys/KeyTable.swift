/// The table of all keys of a scenario file, used by the parser, `--set`, messages, the schema and `explain`.
package struct KeyTable: Sendable {
  package static let standard = KeyTable(
    scenarioKeys + below("app", appKeys) + kindKeys + fleetKeys + tableKeys + below("os", osKeys) + backendKeys
      + below("backend.endpoints.*", endpointKeys) + eventKeys + studyKeys)

  /// The entries, in the order of the reference.
  package let entries: [KeyEntry]
  private let byPath: [String: KeyEntry]
  private let childrenByPath: [String: [KeyEntry]]

  init(_ entries: [KeyEntry]) {
    self.entries = entries
    byPath = Dictionary(entries.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    childrenByPath = Dictionary(grouping: entries) { KeyTable.parent(of: $0.path) }
  }

  /// Accesses the entry of a pattern, such as `kinds.*.jitter`.
  package subscript(path: String) -> KeyEntry? { byPath[path] }

  /// Returns the entries directly below a pattern; for "", those at the top.
  package func children(of path: String) -> [KeyEntry] { childrenByPath[path] ?? [] }

  /// Returns the entry for `key` below a pattern: its own, or the one for any name.
  package func child(_ key: String, of path: String) -> KeyEntry? {
    let prefix = path.isEmpty ? "" : path + "."
    return byPath[prefix + key] ?? byPath[prefix + "*"]
  }

  /// Returns the entries with their paths moved below a pattern.
  static func below(_ path: String, _ entries: [KeyEntry]) -> [KeyEntry] {
    entries.map { entry in entry.with { $0.path = path + "." + entry.path } }
  }

  private static func parent(of path: String) -> String {
    path.split(separator: ".").dropLast().joined(separator: ".")
  }

  static let scenarioKeys: [KeyEntry] = [
    .key("schema", .schema, .required, "version of the file format: widgetfleet/v1; the first key"),
    .key("name", .folderName, .required, "names the folder under Reports/: [a-z0-9-]"),
    .key("description", .text, .value("\"\""), "what the scenario is about"),
    .key("clock", .mapping, .required, "the simulated calendar"),
    .key("clock.start", .instant, .required, "the first measured instant, with offset"),
    .key(
      "clock.settle", \Clock.settle,
      "before the warm-up: widgets take their places as if long there; 0s, as with warmup 0s: new ones"
    ).from("0s", to: "30d"),
    .key("clock.warmup", \Clock.warmup, "simulated before start, left out of every figure").from("0s", to: "400d"),
    .key("clock.duration", \Clock.duration, "the measured period").from("1ms", to: "400d"),
    .key("clock.step", \Clock.step, "time step of the load series; divides settle, warmup and duration")
      .from("1ms", to: "1d"),
    .key("run", .mapping, .absent, "how the scenario is run"),
    .key("run.seed", \RunSettings.seed, "replays the same people, networks and draws"),
    .key("run.replications", \RunSettings.replications, "independent repetitions, for intervals")
      .from("1", to: "10000"),
    .key(
      "run.simulate", \RunSettings.simulate,
      "devices really simulated, the counts scaled; auto: all, of a large fleet a sample; quick: few"
    ).from("1", to: "1G"),
    .key(
      "run.device_rows", \RunSettings.deviceRows, as: .oneOf([.words(["all"]), .count]),
      "devices whose rows devices.csv has: all that are simulated, or a sample of so many"
    ).from("0", to: "1G"),
    .key("app", .mapping, .absent, "the app that contains the widgets"),
  ]

  private static let appKeys: [KeyEntry] = [
    .key("opens_per_day", \App.opensPerDay, "how often people open it").from("0", to: "1000").per("per day"),
    .key("foreground", \App.foreground, .value("{lognormal: {median: 60s, sigma: 1.0}}"), "length of one opening"),
    .key("audio_session", .mapping, .none, "playback during which the app's reloads are free"),
    .key("audio_session.per_day", \AudioSession.perDay, .required, "spells of playback")
      .from("0", to: "1000").per("per day"),
    .key(
      "audio_session.length", \AudioSession.length, .value("{lognormal: {median: 20min, sigma: 0.5}}"),
      "length of one spell"),
    .key("reloads", .list, .none, "what the app asks the system to reload, and when"),
    .key("reloads.*", .mapping, .absent, "one way in which the app asks for reloads").noun("reload"),
    .key(
      "reloads.*.when",
      .words(["open", "close", "change", "profile-switch", "background-refresh", "audio"]), .required,
      "the occasion; in the background it is charged"),
    .key("reloads.*.per_day", .number, .absent, "of change, profile-switch and background-refresh").from(
      "0", to: "10000"
    ).per("per day"),
    .key("reloads.*.every", .duration, .absent, "of audio: the gap between reloads").from("1s", to: "1d"),
    .key(
      "reloads.*.kinds", .oneOf([.words(["all"]), .values(of: .kind, count: nil)]), .required,
      "the kinds that are reloaded"),
    .key("reloads.*.clears_cache", \AppReload.clearsCache, "empties the kinds' caches first"),
    .key("reloads.*.fills_cache", \AppReload.fillsCache, "the app has fetched the data: runs find a fresh cache"),
    .key("reloads.*.restarts", \AppReload.restarts, "takes phases back to the first"),
  ]

  private static let backendKeys: [KeyEntry] = [
    .key("backend", .mapping, .absent, "what the devices share"),
    .key("backend.endpoints", .names, .absent, "an endpoint that requests name and that is not listed has no limits"),
    .key("backend.endpoints.*", .mapping, .absent, "one backend URL class").noun("endpoint"),
  ]

  private static let endpointKeys: [KeyEntry] = [
    .key("capacity", \Endpoint.capacity, as: .rate, "what it serves; the rest queues"),
    .key(
      "queue", \Endpoint.queue, as: .count,
      "requests that may wait; more are refused; without it all wait until they time out"
    ).from("0"),
    .key("latency", .mapping, .none, "of an answer, lognormal between two quantiles"),
    .key("latency.p50", \LatencyQuantiles.median, .required, "median").from("0s", to: "1h"),
    .key("latency.p99", \LatencyQuantiles.p99, .required, "99 % are faster").from("0s", to: "1h"),
    .key("timeout", \Endpoint.timeout, "a request without answer fails then").from("1ms", to: "1h"),
    .key("base_load", .oneOf([.rate, .mapping]), .none, "other traffic of a shared API").shorthand("rate"),
    .key("base_load.rate", \BaseLoad.rate, as: .rate, .required, "mean over the day"),
    .key("base_load.hours", hours, .value("default"), "weights of the hours, linear between their middles"),
    .key(
      "base_load.peak", .timeOfDay, .absent, "in place of hours: the default hours, turned so that this is the busiest"),
    .key("base_load.zone", \BaseLoad.zone, as: .zone, "whose hours and dates"),
    .key("base_load.follows_days", \BaseLoad.followsDays, "whether fleet.day_factor makes its days busier, too"),
    .key("rate_limit", .oneOf([.rate, .mapping]), .none, "the excess gets 429").shorthand("rate"),
    .key("rate_limit.rate", \RateLimit.rate, as: .rate, .required, "what passes"),
    .key(
      "rate_limit.retry_after", \RateLimit.retryAfter, .value("60s"), "the Retry-After of a 429"
    ).from("0s", to: "1d"),
    .key("autoscale", .mapping, .none, "capacity that follows the load"),
    .key("autoscale.target", \Autoscale.target, .required, "load to aim at"),
    .key("autoscale.delay", \Autoscale.delay, .required, "between changes").from("1s", to: "1d"),
    .key("autoscale.step", \Autoscale.step, .required, "size of a change"),
    .key("autoscale.min", \Autoscale.least, as: .rate, .required, "least capacity"),
    .key("autoscale.max", \Autoscale.most, as: .rate, .required, "most capacity"),
    .key("cdn", .mapping, .none, "a cache in front of the endpoint"),
    .key("cdn.keys", \CDN.keys, as: .count, .required, "different answers").from("1", to: "100G"),
    .key("cdn.ttl", \CDN.ttl, .required, "how long an answer stays fresh").from("1s", to: "400d"),
    .key("cdn.collapsing", \CDN.collapsing, "one origin request for all misses of a key in a step"),
    .key(
      "cdn.stale_if_error", \CDN.staleIfError,
      "how long after its ttl an answer still stands in for a fetch that fails"
    ).from("0s", to: "400d"),
    .key(
      "cdn.error_ttl", \CDN.errorTTL,
      "how long a fetch that failed is remembered: its key is not fetched again until then"
    ).from("0s", to: "400d"),
    .key(
      "cdn.popularity", .oneOf([.words(["uniform"]), .zipf]), .value("uniform"),
      "how often each key is asked for: uniform, or zipf S, rank r in proportion to r^-S"
    ).upTo("zipf 5"),
  ]

  static let hours = ValueType.oneOf([.words(["default", "flat"]), .values(of: .number, count: 24)])

  /// The keys for radios and phones defined by the scenario (MODEL.md 7).
  static let tableKeys: [KeyEntry] =
    [
      .key("radios", .names, .none, "radio profiles of your own, beside those built in"),
      .key(radio, .mapping, .absent, "one radio profile").noun("radio"),
    ] + spell("promotion", to: "1min", "from asleep to active") + [
      .key(radio + ".active", \RadioProfile.active, .required, "while anything is in the air").upTo(mostPower),
      .key(radio + ".down", \RadioProfile.down, .required, "of what is received, on top").upTo("1000mW/Mbps"),
      .key(radio + ".up", \RadioProfile.up, .required, "of what is sent, on top").upTo("1000mW/Mbps"),
      .key(
        radio + ".tails", .list, .required, "awake after the last transfer: at most 4, one after the other; may be []"),
    ] + spell("tails.*", to: "1h", "one tail") + [
      .key(radio + ".round_trip", \RadioProfile.roundTrip, .required, "of a request, without the server's time")
        .from("0s", to: "10s"),
      .key("phones", .names, .none, "phone models of your own, beside those built in"),
      .key("phones.*", .battery, .absent, "energy of the full battery when new").from("0.1Wh", to: "100Wh"),
      .key("os", .mapping, .absent, "the scheduler's constants"),
    ]

  private static let radio = "radios.*"
  private static let mostPower = "20W"

  private static func spell(_ name: String, to longest: String, _ help: String) -> [KeyEntry] {
    let path = radio + "." + name
    let noun = name == "tails.*" ? "tail" : nil
    return [
      .key(path, .mapping, noun == nil ? .required : .absent, help).noun(noun),
      .key(path + ".length", \RadioSpell.length, .required, "how long it takes").from("0s", to: longest),
      .key(path + ".power", \RadioSpell.power, .required, "drawn meanwhile, above the phone's floor").upTo(mostPower),
    ]
  }
}
