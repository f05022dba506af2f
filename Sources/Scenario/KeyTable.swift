/// Every key of a scenario file, once: parser, `--set`, messages, schema and `explain` read this table.
package struct KeyTable: Sendable {
  package static let standard = KeyTable(
    scenarioKeys + appKeys + kindKeys + fleetKeys + tableKeys + osKeys + backendKeys + eventKeys + studyKeys)

  /// In the order of the reference.
  package let entries: [KeyEntry]
  private let byPath: [String: KeyEntry]
  private let childrenByPath: [String: [KeyEntry]]

  init(_ entries: [KeyEntry]) {
    self.entries = entries
    byPath = Dictionary(entries.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    childrenByPath = Dictionary(grouping: entries) { KeyTable.parent(of: $0.path) }
  }

  /// The entry of a pattern, such as `kinds.*.jitter`.
  package subscript(path: String) -> KeyEntry? { byPath[path] }

  /// The entries directly below a pattern; below "" those of the top.
  package func children(of path: String) -> [KeyEntry] { childrenByPath[path] ?? [] }

  /// The entry for `key` below a pattern: its own, or the one for any name.
  package func child(_ key: String, of path: String) -> KeyEntry? {
    let prefix = path.isEmpty ? "" : path + "."
    return byPath[prefix + key] ?? byPath[prefix + "*"]
  }

  private static func parent(of path: String) -> String {
    path.split(separator: ".").dropLast().joined(separator: ".")
  }
}

extension KeyTable {
  static let scenarioKeys: [KeyEntry] = [
    .key("schema", .schema, .required, "version of the file format: widgetfleet/v1; the first key"),
    .key("name", .folderName, .required, "names the folder under Reports/: [a-z0-9-]"),
    .key("description", .text, .value("\"\""), "what the scenario is about"),
    .key("clock", .mapping, .required, "the simulated calendar"),
    .key("clock.start", .instant, .required, "the first measured instant, with offset"),
    .key(
      "clock.settle", .duration, .value("1d"), from: "0s", to: "30d",
      "before the warm-up: widgets take their places as if long there; 0s, as with warmup 0s: new ones"),
    .key(
      "clock.warmup", .duration, .value("1d"), from: "0s", to: "400d",
      "simulated before start, left out of every figure"),
    .key("clock.duration", .duration, .value("1d"), from: "1ms", to: "400d", "the measured period"),
    .key(
      "clock.step", .duration, .value("1s"), from: "1ms", to: "1d",
      "time step of the load series; divides settle, warmup and duration"),
    .key("run", .mapping, .absent, "how the scenario is run"),
    .key("run.seed", .integer, .value("1"), "replays the same people, networks and draws"),
    .key(
      "run.replications", .integer, .value("1"), from: "1", to: "10000", "independent repetitions, for intervals"),
    .key(
      "run.simulate", .oneOf([.words(["all"]), .count]), .value("all"), from: "1", to: "1G",
      "devices really simulated; counts are scaled to fleet.devices"),
  ]

  static let appKeys: [KeyEntry] = [
    .key("app", .mapping, .absent, "the app that contains the widgets"),
    .key("app.opens_per_day", .number, .value("1"), from: "0", to: "1000", per: "per day", "how often people open it"),
    .key(
      "app.foreground", .distribution(of: .duration), .value("{lognormal: {median: 60s, sigma: 1.0}}"),
      "length of one opening"),
    .key("app.audio_session", .mapping, .none, "playback during which the app's reloads are free"),
    .key(
      "app.audio_session.per_day", .number, .required, from: "0", to: "1000", per: "per day", "spells of playback"),
    .key(
      "app.audio_session.length", .distribution(of: .duration), .value("{lognormal: {median: 20min, sigma: 0.5}}"),
      "length of one spell"),
    .key("app.reloads", .list, .none, "what the app asks the system to reload, and when"),
    .key("app.reloads.*", .mapping, .absent, noun: "reload", "one way in which the app asks for reloads"),
    .key(
      "app.reloads.*.when",
      .words(["open", "close", "change", "profile-switch", "background-refresh", "audio"]), .required,
      "the occasion; in the background it is charged"),
    .key(
      "app.reloads.*.per_day", .number, .absent, from: "0", to: "10000", per: "per day",
      "of change, profile-switch and background-refresh"),
    .key("app.reloads.*.every", .duration, .absent, from: "1s", to: "1d", "of audio: the gap between reloads"),
    .key(
      "app.reloads.*.kinds", .oneOf([.words(["all"]), .values(of: .kind, count: nil)]), .required,
      "the kinds that are reloaded"),
    .key("app.reloads.*.clears_cache", .flag, .value("false"), "empties the kinds' caches first"),
    .key(
      "app.reloads.*.fills_cache", .flag, .value("false"), "the app has fetched the data: runs find a fresh cache"),
    .key("app.reloads.*.restarts", .flag, .value("false"), "takes phases back to the first"),
  ]

  static let backendKeys: [KeyEntry] = [
    .key("backend", .mapping, .absent, "what the devices share"),
    .key("backend.endpoints", .names, .absent, "an endpoint that requests name and that is not listed has no limits"),
    .key("backend.endpoints.*", .mapping, .absent, noun: "endpoint", "one backend URL class"),
    .key("backend.endpoints.*.capacity", .rate, .none, "what it serves; the rest queues"),
    .key("backend.endpoints.*.queue", .count, .none, from: "0", "requests that may wait; more are refused"),
    .key("backend.endpoints.*.latency", .mapping, .none, "of an answer, lognormal between two quantiles"),
    .key("backend.endpoints.*.latency.p50", .duration, .required, from: "0s", to: "1h", "median"),
    .key("backend.endpoints.*.latency.p99", .duration, .required, from: "0s", to: "1h", "99 % are faster"),
    .key(
      "backend.endpoints.*.timeout", .duration, .value("30s"), from: "1ms", to: "1h",
      "a request without answer fails then"),
    .key(
      "backend.endpoints.*.base_load", .oneOf([.rate, .mapping]), .none, shorthand: "rate",
      "other traffic of a shared API"),
    .key("backend.endpoints.*.base_load.rate", .rate, .required, "mean over the day"),
    .key("backend.endpoints.*.base_load.hours", hours, .value("default"), "weights of the hours"),
    .key("backend.endpoints.*.base_load.zone", .zone, .value("UTC"), "whose hours"),
    .key(
      "backend.endpoints.*.rate_limit", .oneOf([.rate, .mapping]), .none, shorthand: "rate", "the excess gets 429"),
    .key("backend.endpoints.*.rate_limit.rate", .rate, .required, "what passes"),
    .key(
      "backend.endpoints.*.rate_limit.retry_after", .duration, .value("60s"), from: "0s", to: "1d",
      "the Retry-After of a 429"),
    .key("backend.endpoints.*.autoscale", .mapping, .none, "capacity that follows the load"),
    .key("backend.endpoints.*.autoscale.target", .share, .required, "load to aim at"),
    .key("backend.endpoints.*.autoscale.delay", .duration, .required, from: "1s", to: "1d", "between changes"),
    .key("backend.endpoints.*.autoscale.step", .share, .required, "size of a change"),
    .key("backend.endpoints.*.autoscale.min", .rate, .required, "least capacity"),
    .key("backend.endpoints.*.autoscale.max", .rate, .required, "most capacity"),
    .key("backend.endpoints.*.cdn", .mapping, .none, "a cache in front of the endpoint"),
    .key("backend.endpoints.*.cdn.keys", .count, .required, from: "1", to: "100G", "different answers"),
    .key("backend.endpoints.*.cdn.ttl", .duration, .required, from: "1s", to: "400d", "how long an answer stays fresh"),
    .key(
      "backend.endpoints.*.cdn.collapsing", .flag, .value("true"),
      "one origin request for all misses of a key in a step"),
    .key(
      "backend.endpoints.*.cdn.stale_if_error", .duration, .value("0s"), from: "0s", to: "400d",
      "how long after its ttl an answer still stands in for a fetch that fails"),
    .key(
      "backend.endpoints.*.cdn.error_ttl", .duration, .value("0s"), from: "0s", to: "400d",
      "how long a fetch that failed is remembered: its key is not fetched again until then"),
    .key(
      "backend.endpoints.*.cdn.popularity", .oneOf([.words(["uniform"]), .zipf]), .value("uniform"), to: "zipf 5",
      "how often each key is asked for: uniform, or zipf S, rank r in proportion to r^-S"),
  ]

  static let hours = ValueType.oneOf([.words(["default", "flat"]), .values(of: .number, count: 24)])
}
