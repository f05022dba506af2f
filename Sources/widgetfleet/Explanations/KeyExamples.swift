import Scenario

/// What a mapping of a scenario looks like, for a kind `weather` that asks an endpoint `api`.
enum KeyExamples {
  /// A line of YAML with the key and a value; nil for keys without others below them.
  static func line(of entry: KeyEntry) -> String? {
    guard let value = value(at: entry.path) else { return nil }
    return entry.name == "*" ? value : "\(entry.name): \(value)"
  }

  /// By the longest end of the path that is known; a list has one item.
  static func value(at path: String) -> String? {
    guard !KeyTable.standard.children(of: path).isEmpty else { return nil }
    let steps = path.split(separator: ".")
    for count in (1...steps.count).reversed() {
      if let known = known[steps.suffix(count).joined(separator: ".")] { return known }
    }
    return path.hasSuffix(".*") ? nil : value(at: path + ".*").map { "[\($0)]" }
  }

  private static let known = ofTheApp.merging(ofTheFleet) { first, _ in first }.merging(ofTheSystem) { first, _ in first
  }
  .merging(ofTheBackend) { first, _ in first }

  private static let cohort = "{name: everybody, zones: {Europe/Berlin: 100%}, widgets: [{kind: weather}]}"
  private static let kind = "{reload: {after: 1h}, requests: [{endpoint: api, up: 1kB, down: 20kB}]}"
  private static let endpoint = "{capacity: 7k/s, latency: {p50: 45ms, p99: 400ms}}"
  private static let constant = "{value: 5min, low: 4min50s, high: 5min5s, method: lab, n: 610}"
  private static let radio =
    "{promotion: {length: 260ms, power: 1.21W}, active: 1.29W, down: 51.97mW/Mbps, up: 438.39mW/Mbps, "
    + "tails: [{length: 10s, power: 1.09W}], round_trip: 70ms}"

  private static let ofTheApp = [
    "clock": "{start: 2027-01-18T00:00:00Z, warmup: 1d, duration: 1d}",
    "run": "{seed: 42, replications: 5}",
    "app": "{opens_per_day: 2.5, reloads: [{when: close, kinds: all}]}",
    "audio_session": "{per_day: 0.5, length: {lognormal: {median: 20min, sigma: 0.5}}}",
    "app.reloads.*": "{when: change, per_day: 5, kinds: all, clears_cache: true}",
    "kinds": "{weather: \(kind)}",
    "kinds.*": kind,
    "entries": "{count: 4, every: 1h, align: wall}",
    "reload": "{after: 1h}",
    "after": "{at: \"09:30\", zone: local, days: mon-fri}",
    "phases.*": "{entries: {count: 4, every: 1h}, reload: at-end}",
    "when.*": "{days: sat-sun, from: \"18:00\", to: \"20:30\", reload: {after: 5min}}",
    "jitter": "{up_to: 10min, per: run}",
    "requests.*": "{endpoint: api, count: 1, up: 1kB, down: 20kB}",
    "up": "{small: 1kB, medium: 1kB, large: 2kB}",
    "down": "{small: 12kB, medium: 25kB, large: 60kB}",
    "cache": "{ttl: 6h, scope: kind, single_flight: true}",
    "on_error": "{after: 15min}",
    "attempts": "{count: 2, backoff: 2s}",
    "taps": "{per_day: 20, burst: 5, gap: 3s, reloads: kind}",
  ]

  private static let ofTheFleet = [
    "fleet": "{devices: 1M, cohorts: [\(cohort)]}",
    "day_factor": "{sigma: 0.1}",
    "cohorts.*": cohort,
    "person": "{unlocks_per_day: 40, hours: default}",
    "network": "{wifi: 63%, cellular: lte-2021-vz, offline: {share: 3%, mean: 20min}}",
    "offline": "{share: 3%, mean: 20min}",
    "power": "{overnight: 85%, low_power_mode: 30%}",
    "widgets.*": "{kind: weather, family: medium, page: 1, share: 50%}",
    "stack.*": "{kind: weather, weight: 2}",
    "radios": "{lab-lte: \(radio)}",
    "radios.*": radio,
    "promotion": "{length: 260ms, power: 1.21W}",
    "tails.*": "{length: 10s, power: 1.09W}",
    "phones": "{lab-phone: 13.5Wh}",
  ]

  private static let ofTheSystem = [
    "os": "{preset: ios-26, min_spacing: 5min}",
    "os.profile": "{schema: widgetfleet.os-profile/v1, name: ios-26-lab, os: {min_spacing: \(constant)}}",
    "profile.measured": "{os: \"26.1 (23B85)\", phones: {iphone-15: 3}, days: 14, runs: 14210}",
    "measured.phones": "{iphone-15: 3}",
    "profile.os": "{min_spacing: \(constant)}",
    "profile.os.*": constant,
    "start_delay": "{policy: {uniform: 0s..15min}, in_use: {uniform: 0s..1min}}",
    "stale_view_reload": "{rare: 100%, frequent: 30%}",
    "silent_push": "{delivered: 90%, per_hour: 3}",
    "idle": "{after: 2h, give_up: 4h}",
    "budget": "{model: bucket, capacity: 50/day}",
  ]

  private static let ofTheBackend = [
    "backend": "{endpoints: {api: \(endpoint)}}",
    "backend.endpoints": "{api: \(endpoint)}",
    "backend.endpoints.*": endpoint,
    "latency": "{p50: 45ms, p99: 400ms}",
    "base_load": "{rate: 2k/s, zone: Europe/Berlin}",
    "rate_limit": "{rate: 9k/s, retry_after: 60s}",
    "autoscale": "{target: 60%, delay: 2min, step: 20%, min: 3k/s, max: 20k/s}",
    "cdn": "{keys: 10k, ttl: 10min}",
    "events.*": "{name: goal, at: 2027-01-18T19:30:00Z, push: {type: widget, over: 2min}}",
    "push": "{type: silent, kinds: all, audience: 30%, over: 2min}",
    "audience": "{of: subscribers, share: 30%}",
    "outage": "{endpoint: api, for: 8min, errors: 50%}",
    "app_update": "{audience: 100%, over: 20h}",
    "system_change": "{audience: 100%}",
    "gallery": "{audience: 10%, over: 1h}",
    "goals.*": "{id: peak, assert: \"peak_rps{endpoint=api, window=10s} <= 7k/s\"}",
    "sweep": "{vary: {kinds.weather.reload.after: [1h, 2h]}}",
    "sweep.vary": "{kinds.weather.reload.after: [1h, 2h]}",
    "tune": "{minimize: requests, search: {kinds.weather.reload.after: 1h..8h}}",
    "tune.search": "{kinds.weather.reload.after: 1h..8h}",
    "calibrate": "{log: {format: nginx, id: query.install}}",
    "calibrate.log": "{format: nginx, id: query.install}",
    "log.endpoints": "{api: \"^/v2/forecast\"}",
    "log.map": "{duration: request_time}",
    "calibrate.fit": "{fleet.devices: 10k..5M}",
  ]
}
