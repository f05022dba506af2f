extension Samples {
  /// A scenario with everything that this version can simulate.
  static let rich = #"""
    schema: widgetfleet/v1
    x-note: {anything: [goes, here]}
    name: rich
    description: "everything\nthat can be \"simulated\""
    clock: {start: 2027-03-27T12:00:00.250+01:00, warmup: 2d, duration: 36h, step: 10s}
    run: {seed: 18446744073709551615, replications: 3, simulate: 1k, device_rows: 50}
    app:
      reloads:
        - {when: background-refresh, per_day: 4, kinds: all}
        - {when: background-refresh, per_day: 0.5, kinds: [b, a], clears_cache: true, fills_cache: true, restarts: true}
        - {when: launch, share: 12.5%, kinds: [a]}
    windows:
      evening: {days: sat-sun, from: "18:00", to: "02:30", zone: America/New_York}
      "=w <b>": {from: 2027-03-28T10:00:00.250+01:00, to: 2027-03-28T12:00:00+01:00}
    kinds:
      a:
        entries: {count: 4, every: 90min, align: wall}
        reload: at-end
        when:
          - {days: sat-sun, from: "18:00", to: "20:30", zone: America/New_York, reload: {after: 5min}}
          - {from: "23:00", to: "01:00", reload: never}
          - {window: evening, reload: 2h}
          - {window: "=w <b>", reload: {after: 10min}, jitter: {up_to: 1min, early: 30s}}
        pushes: false
        jitter: {up_to: 10min, early: 5min, per: device}
        requests:
          - {endpoint: api, count: 1, up: 1kB, down: 20kB}
          - {endpoint: images, count: 6, up: 500B, down: {small: 12KiB, large: 60kB}}
        cache: {ttl: 6h, scope: instance, single_flight: true}
        on_error: retry-after
        attempts: {count: 3, backoff: 1.5s}
        crash: 0.1%
        cpu: 0s
        protected: false
        location_changes_per_day: 0
      b:
        phases: [{entries: {count: 4}, reload: at-end}, {reload: {after: {at: "09:30", zone: Asia/Tokyo, days: [mon, wed-fri]}}}]
        cache: {ttl: never-expires}
        on_error: {after: {exponential: 1h}}
        jitter: none
      "=c <b>":
        reload: {after: {lognormal: {median: 60s, p95: 7min}}}
      d: {reload: {after: {every: 30min, zone: local}}}
      e: {reload: {after: {choice: {15min: 70%, 1h: 30%}}}, on_error: {after: {normal: {mean: 45ms, sd: 5ms}}}}
      f:
        phases:
          - {repeat: 3, reload: {after: [1h, {at: ["09:30", "15:30"], days: mon-fri}, {every: 2h, zone: UTC}], at_least: 10min}}
          - {reload: hint}
        requests: [{endpoint: api}]
        when:
          - {from: "18:00", to: "20:30", reload: {after: [hint, {at: "19:00"}, {every: 1h}], from: data}, jitter: 5min, stale_after: 1h}
        taps: {per_day: 3, reloads: none, requests: [{endpoint: images, count: 2, up: 1kB, down: {small: 1kB}}]}
        on_error: {backoff: {first: 1min, factor: 1.5, max: 2h}}
      g:
        reload: {after: [2h, {at: [2027-03-28T10:00:00Z, "07:00"]}, {at: 2027-03-28T09:00:00Z}, {every: 6h}], from: data}
        on_error: {after: [{exponential: 20min}, {at: "12:00"}, {every: 3h}]}
    fleet:
      devices: 2.5k
      cohorts:
        - name: west
          share: 33.3%
          zones: {Europe/Berlin: 70%, Europe/London: 30%}
          phones: {iphone-15: 70%, lab-phone: 30%}
          person: {unlocks_per_day: 0, day_variation: none, hours: flat, glances_per_unlock: 1e-3}
          network: lte-2021-vz
          power: {overnight: 50%}
          widgets:
            - {kind: a, family: medium, page: 2, share: 12.5%}
            - {kind: a, family: extra-large}
            - {kind: "=c <b>"}
        - name: east
          share: 66.7%
          zones: {Asia/Tokyo: 100%}
          os: lazy
          person: {unlocks_per_day: 0.0}
          network: {cellular: "lab <6g>"}
          power: mains
          widgets: []
    radios:
      lab lte:
        promotion: {length: 0s, power: 0W}
        active: 0.000001W
        down: 0nJ/bit
        up: 1000mW/Mbps
        tails: []
        round_trip: 0s
      "lab <6g>":
        promotion: {length: 260ms, power: 1.2107W}
        active: 1288.04mW
        down: 51.97mW/Mbps
        up: 438.39nJ/bit
        tails: [{length: 10.2s, power: 593mW}, {length: 4.8s, power: 0.05W}]
        round_trip: 70ms
    phones: {lab-phone: 6.96Wh, other: 100Wh}
    os:
      preset: prompt
      min_spacing: 4min
      start_delay: {background: 0s}
      stale_view_reload: {rare: 90%}
      idle: none
      budget: {capacity: 40/day..70.5/day, accrual: even, carry_over: 2}
    backend:
      endpoints:
        api: {latency: {p50: 368ms, p99: 1177ms}, timeout: 10s, hint: {uniform: 5min..20min}}
    events:
      - {name: parcel, x-why: a note, push: {type: silent, per_device_per_day: 0.1, audience: {of: "a b", share: 33.3%}, kinds: [d, a], restarts: true}}
      - {name: storm, at: 2027-03-28T02:30:00.125+01:00, push: {type: silent, audience: 30%, over: 90s, kinds: all, fills_cache: true}}
      - {name: new, at: "06:30:15", zone: local, push: {type: widget, over: 1h, audience: {of: "a b", share: 33.3%}}}
      - {name: down, at: "23:59", zone: America/New_York, outage: {endpoint: images, for: 8min, errors: 12.5%}}
      - {name: release, at: 2027-03-27T11:00:00.250Z, app_update: {audience: 1%, over: 20h}}
      - {name: midnight, at: "00:00", zone: local, system_change: {}}
      - {name: restart, at: "03:00", zone: local, reboot: {audience: 5%}}
      - {name: campaign, at: 2027-03-28T10:00:00Z, gallery: {audience: 10%, over: 1h, network: 50%}}

    """#
}
