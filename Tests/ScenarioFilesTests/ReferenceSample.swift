extension Samples {
  /// Every key of the format: a copy of the design's scenario-reference.yaml.
  static let reference = #"""
    # Every key of a scenario file, once, with its default in [brackets] where it has one. The rules behind the
    # keys: MODEL.md. Units live in the values: durations 500ms 30s 15min 2h30min 7d, shares 5%, counts 2.5M 250k
    # 7_000, rates 7k/s 120/min, sizes 12kB 3MB (decimal) 12KiB (binary), energies and powers only in presets.
    # A bare number where a unit is due is an error, but for 0 (shapes, means, weights and caps are plain numbers); an
    # unknown key is an error; keys that begin with x- are notes. YAML 1.2 core schema: only true and false are booleans.
    # A quantity marked <dist> takes a plain value or one of
    #   {uniform: 0s..10min} {exponential: 25min} {normal: {mean: 45ms, sd: 5ms}}
    #   {lognormal: {median: 60s, sigma: 1.2}} or {lognormal: {median: 60s, p95: 7min}} {choice: {15min: 70%, 1h: 30%}}
    schema: widgetfleet/v1                 # required, first
    name: reference                        # required; [a-z0-9-]; names the folder under Reports/
    description: every key once

    clock:
      start: 2027-01-18T00:00:00Z          # required; the first measured instant, with offset
      settle: 1d                           # [1d] simulated before the warm-up (0s with warmup 0s): widgets that
                                           # have been there for long take their places; 0s: new widgets, as in a launch
      warmup: 1d                           # [1d] simulated before start, left out of every figure; may be 0s
      duration: 1d                         # [1d]
      step: 1s                             # [1s] divides settle, warmup and duration

    run:
      seed: 42                             # [1]
      replications: 5                      # [1]
      simulate: 250k                       # [all] devices really simulated; counts are scaled to fleet.devices

    app:
      opens_per_day: 2.5                   # [1]
      foreground: {lognormal: {median: 60s, sigma: 1.0}}   # <dist> [this]
      audio_session: {per_day: 0.5, length: {lognormal: {median: 20min, sigma: 0.5}}}   # [none]
      reloads:                             # what the app asks the system to reload, and when  [none]
        - {when: close, kinds: all}                                       # open | close of a foreground spell: free
        - {when: change, per_day: 5, kinds: [continue-watching], clears_cache: true}   # during an app visit: free
                                           # clears_cache [false]; fills_cache [false]; restarts [false] (phases)
        - {when: profile-switch, per_day: 0.1, kinds: all, clears_cache: true}   # during an app visit: free
        - {when: background-refresh, per_day: 4, kinds: all}              # app in the background: charged
        - {when: audio, every: 5min, kinds: all}                          # during an audio session: free

    kinds:                                 # required; one entry per widget kind
      continue-watching:
        entries: {count: 1, every: 1h, align: run}   # [this] of a timeline; align: run (from the end of the run) | wall (multiples of every)
        reload: {after: 6h}                # required: at-end | never | {after: <dist>} | {after: {at: "09:30", zone: America/New_York, days: mon-fri}}
                                           #           | {after: {every: 1h, zone: local}} (aligned to the wall clock; zone: local or an IANA name)
        # phases: [{entries: {count: 4, every: 1h}, reload: at-end}, {reload: never}]   instead of entries and reload: runs in order, the last repeats
        when:                              # [none] other policies for part of the time; the first that matches wins
          - {days: sat-sun, from: "18:00", to: "20:30", zone: local, reload: {after: 5min}}
        jitter: {up_to: 10min, per: run}   # [none] U(0, up_to); per: run [fresh for every run] | device (drawn once)
        requests:                          # [none] sent by a run that is not answered from the cache
          - {endpoint: api, count: 1, up: 1kB, down: 20kB}
          - {endpoint: images, count: 6, up: 500B, down: {small: 12kB, medium: 25kB, large: 60kB}}
        cache: {ttl: 6h, scope: kind, single_flight: false}   # [none]; ttl may be never-expires; scope kind | instance
        on_error: {after: 15min}           # [{after: 15min}] | retry-after | any form of reload
        attempts: {count: 1, backoff: 2s}  # [1] tries of each request inside one run; backoff doubles
        background_session: false          # [false]
        taps: {per_day: 20, burst: 5, gap: 3s, reloads: kind}   # [none]; burst [1], gap [3s], reloads [kind] | instance
        location_changes_per_day: 0        # [0]
        protected: false                   # [false] data protection: scheduled runs wait for an unlock
        crash: 0%                          # [0%]
        stale_after: 12h                   # [none] age at view above which a view counts as stale
        cpu: 200ms                         # [200ms] processor time of one run

    fleet:
      devices: 2.5M                        # required; devices that have at least one of these widgets
      cohorts:                             # required; shares add up to 100 %; share [100%] of a single cohort
        - name: west                       # required
          share: 60%
          zones: {Europe/Berlin: 70%, Europe/London: 30%}      # required
          phones: {iphone-15: 70%, iphone-se-3: 30%}           # [{iphone-15: 100%}]
          person:
            unlocks_per_day: {lognormal: {median: 60, sigma: 0.55}}   # <dist> [this], drawn once per device
            day_variation: 6               # [6] gamma shape of the day factor; none switches it off
            hours: default                 # [default] | flat | 24 weights for local hours 0..23
            session: {lognormal: {median: 60s, sigma: 1.2}}    # <dist> [this]
            glances_per_unlock: 1.2        # [1.2]
            home_visits: 1.2               # [1.2] mean of the Poisson number of further home screen visits
            next_page: [25%, 50%]          # [this] probability of going on from page 1, from any later page
          network: {wifi: 63%, dwell: 3h, cellular: lte-2021-vz, offline: {share: 3%, mean: 20min}}
                                           # [this with offline share 0%]; or wifi | a cellular profile alone: fixed;
                                           # wifi may be 24 shares by local hour
          power: {overnight: 85%, health: 100%, low_power_mode: 30%}   # [this]; or mains (always charging)
          widgets:                         # required; may be empty: []
            - {kind: continue-watching, family: medium, page: 1, share: 100%}   # family [small], page [1]; share [100%] of devices that placed it
            - {kind: continue-watching, place: lock-screen, share: 20%}
            - {stack: [{kind: continue-watching, weight: 2}, {kind: continue-watching, family: large, weight: 1}, {other: 4}], page: 1, share: 10%}   # other: weight of other apps' members
        - {name: east, share: 40%, zones: {Asia/Tokyo: 100%}, os: ios-17, widgets: [{kind: continue-watching}]}

    os:
      preset: ios-26                       # [ios-26]; the keys below override it
      min_spacing: 5min
      start_delay: {policy: {uniform: 0s..15min}, in_use: {uniform: 0s..1min}, background: {uniform: 0s..1min}, widget_push: {exponential: 60s}}   # <dist> each
      coalescing_window: 5min
      at_end_gap: 30min
      stale_view_reload: {rare: 100%, frequent: 30%}   # probability, once overdue by the grace
      stale_view_grace: 15min
      foreground_latency: {uniform: 1s..30s}   # <dist>
      silent_push: {delivered: 100%, per_hour: 3}
      foreground_gap: 30s
      idle: {after: 2h, give_up: 4h}       # or none
      budget: {model: bucket, capacity: views, cap: 70, carry_over: 1.5, accrual: awake}
                                           # model off | fixed | bucket; capacity: views | 50/day | 40/day..70/day; accrual awake | even

    backend:
      endpoints:                           # an endpoint that requests name and that is not listed has no limits
        api: {capacity: 7k/s, queue: 20k, latency: {p50: 45ms, p99: 400ms}, timeout: 30s,
              base_load: {rate: 2k/s, hours: default, zone: Europe/Berlin}, rate_limit: {rate: 9k/s, retry_after: 60s},
              autoscale: {target: 60%, delay: 2min, step: 20%, min: 3k/s, max: 20k/s}}
        images: {cdn: {keys: 10k, ttl: 10min, collapsing: true, stale_if_error: 1h, error_ttl: 30s, popularity: zipf 1.0}}
        # collapsing [true]: requests of a step that find the same key stale are one fetch, whose fate all of them share
        # stale_if_error [0s]: how long after ttl an answer stands in for a fetch that fails; error_ttl [0s]: how long a failure
        # is remembered; popularity [uniform] | zipf S: the key of rank r is asked for in proportion to r^-S

    events:                                # [none]; at: an instant with offset, or local clock time with zone (each device's own: zone: local)
      - {name: parcel, push: {type: silent, per_device_per_day: 6, audience: {of: has-parcel, share: 30%}, kinds: all, clears_cache: true, restarts: true}}
                                           # audience: a share drawn for the event, or a named group that keeps its members
      - {name: storm, at: 2027-01-18T17:00:00+01:00, push: {type: silent, audience: 30%, over: 0s, kinds: all}}   # type silent | widget (then no kinds: it reloads all)
      - {name: api-down, at: 2027-01-18T09:12:00Z, outage: {endpoint: api, for: 8min, errors: 100%, capacity: 0/s}}   # errors [100%], capacity [unchanged]
      - {name: release, at: 2027-01-18T20:00:00Z, app_update: {audience: 100%, over: 20h}}
      - {name: midnight, at: "00:00", zone: local, system_change: {audience: 100%}}
      - {name: campaign, at: 2027-01-18T10:00:00Z, gallery: {audience: 10%, over: 1h, network: 100%}}

    goals:                                 # [none]
      - {id: api-peak, assert: "peak_rps{endpoint=api, window=10s} <= 7k/s"}        # severity [error] | warning
      - {id: fresh, assert: "stale_views{kind=continue-watching} < 2%"}
      - {id: battery, assert: "p95(battery_percent_per_day) <= 0.5%", severity: warning}

    sweep:                                 # read by sweep, ignored by run
      method: grid                         # grid | zip | latin-hypercube | sobol
      vary:
        kinds.continue-watching.jitter.up_to: [0s, 2min, 5min, 10min]
        kinds.continue-watching.reload.after: [1h, 2h, 6h]

    tune:                                  # read by tune, ignored by run
      minimize: "peak_rps{endpoint=api, window=10s}"
      subject_to: [fresh, battery]
      search:
        kinds.continue-watching.jitter.up_to: 0s..30min
        kinds.continue-watching.reload.after: 1h..8h

    """#
}
