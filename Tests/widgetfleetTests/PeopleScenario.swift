/// A scenario with people who view widgets, tap and open the app, with or without a cache.
enum PeopleScenario {
  static func text(cache: String, devices: Int = 60, kind: String = "kind") -> String {
    """
    schema: widgetfleet/v1
    name: people
    clock: {start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 12h, duration: 1d}
    app:
      opens_per_day: 3
      reloads:
        - {when: change, per_day: 2, kinds: [cw], clears_cache: true}
    kinds:
      cw:
        reload: {after: 2h}
        requests:
          - {endpoint: api, count: 1, up: 1kB, down: 20kB}
          - {endpoint: images, count: 2, down: {small: 12kB, medium: 25kB, large: 60kB}}
        \(cache)
        taps: {per_day: 20, burst: 5, reloads: \(kind)}
        stale_after: 3h
    fleet:
      devices: \(devices)
      cohorts:
        - name: all
          zones: {Europe/Berlin: 100%}
          network: wifi
          power: mains
          widgets: [{kind: cw}, {kind: cw, page: 2, share: 50%}]
    backend: {endpoints: {api: {latency: {p50: 45ms, p99: 400ms}}}}

    """
  }
}
