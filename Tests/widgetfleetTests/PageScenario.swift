/// Scenarios that together show everything a report page can contain.
enum PageScenario {
  /// Returns two hostile kinds, two cohorts, a capacity, a CDN, an outage, a push and goals, with 10 % of the phones
  /// simulated.
  static func everything(replications: Int = 2, duration: String = "26h", extra: String = "") -> String {
    """
    schema: widgetfleet/v1
    name: everything
    description: A capacity, a CDN, an outage, a push, goals
    clock: {start: 2027-01-18T06:00:00Z, settle: 0s, warmup: 2h, duration: \(duration), step: 10s}
    run: {seed: 3, replications: \(replications), simulate: 12}
    kinds:
      "=news, \\"quoted\\"":
        reload: {after: {every: 1h, zone: local}}
        requests: [{endpoint: "a&b", up: 1kB, down: 20kB}, {endpoint: images, count: 2, down: 12kB}]
        stale_after: 45min
        attempts: {count: 3, backoff: 2s}
      weather:
        reload: {after: 15min}
        cache: {ttl: 1h}
        requests: [{endpoint: "a&b", down: 5kB}]
        taps: {per_day: 4}
        stale_after: 2h
    fleet:
      devices: 1000
      cohorts:
        - {name: west, share: 60%, zones: {Europe/Berlin: 100%}, widgets: [{kind: "=news, \\"quoted\\""}, {kind: weather, page: 2}]}
        - {name: east, share: 40%, zones: {Asia/Tokyo: 100%}, os: ios-17, widgets: [{kind: weather}]}
    backend:
      endpoints:
        "a&b": {capacity: 400/min, queue: 200, base_load: {rate: 2/s, hours: default, zone: Europe/Berlin}}
        images: {cdn: {keys: 50, ttl: 10min}}
    events:
      - {name: blackout, at: 2027-01-18T09:12:00Z, outage: {endpoint: "a&b", for: 8min}}
      - {name: storm, at: 2027-01-18T17:00:00Z, push: {type: silent, audience: 30%, over: 5min, kinds: all}}
    goals:
      - {id: peak, assert: "peak_rps <= 2/s"}
      - {id: fresh, assert: "stale_views{kind=weather} < 90%"}
      - {id: herd, assert: "peak_rps{endpoint='a&b'} <= 150% of mean_rps", severity: warning}
    \(extra)

    """
  }

  static let all: [(name: String, text: String)] = [
    ("everything", everything()),
    ("half-a-day", everything(replications: 1, duration: "12h")),
    ("people", PeopleScenario.text(cache: "cache: {ttl: 6h}", devices: 20)),
    ("small", Child.scenario()),
    ("nobody", Child.scenario(devices: 1, extra: "goals: [{id: none, assert: \"requests <= 5\"}]")),
  ]
}
