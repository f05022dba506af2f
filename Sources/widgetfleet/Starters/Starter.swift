/// The scenarios that `init` writes to begin with.
enum Starter: String, CaseIterable, Sendable {
  case weather, news, wallet, sports, minimal

  /// A scenario file with comments.
  var text: String {
    switch self {
    case .weather: Self.weatherText
    case .news: Self.newsText
    case .wallet: Self.walletText
    case .sports: Self.sportsText
    case .minimal: Self.minimalText
    }
  }
}

extension Starter {
  static let minimalText = """
    # The least that a scenario needs. Keys that are left out have defaults: widgetfleet run FILE --dry-run shows them,
    # widgetfleet explain KEY says what they mean.
    schema: widgetfleet/v1
    name: minimal                         # names the folder under Reports/
    clock: {start: 2027-01-18T00:00:00Z}  # one day from here, after a day of warm-up
    kinds:
      hello:
        reload: {after: 1h}               # when the timeline is asked for again
        jitter: {up_to: 10min}            # so that phones do not line up
        on_error: {after: 1h}             # when a failed refresh is tried again
        requests: [{endpoint: api, up: 1kB, down: 20kB}]
    fleet:
      devices: 10k
      cohorts:
        - name: everybody
          zones: {Europe/Berlin: 100%}    # local time decides when people look
          widgets: [{kind: hello}]

    """

  static let weatherText = """
    # A weather widget: a forecast with an entry an hour, asked for again every two hours.
    # Try: --set kinds.weather.reload.after=1h, or take jitter away and look at the peak.
    schema: widgetfleet/v1
    name: weather
    description: an hourly forecast on the home screen and the lock screen
    clock: {start: 2027-01-18T00:00:00Z}  # one day from here, after a day of warm-up

    kinds:
      weather:
        entries: {count: 6, every: 1h, align: wall}   # shown one after the other, at the full hours
        reload: {after: 2h}               # asks the system for a refresh; it decides when
        jitter: {up_to: 20min}            # spreads phones that would ask together
        on_error: {after: 2h}
        requests: [{endpoint: forecast, up: 1kB, down: 12kB}]
        cache: {ttl: 30min}               # refreshes within half an hour share an answer
        location_changes_per_day: 2       # another place: the next look reloads
        stale_after: 3h                   # what people would call old

    app:
      reloads: [{when: open, kinds: all}] # the app asks too: free while it is open

    fleet:
      devices: 20k
      cohorts:
        - name: commuters
          zones: {Europe/Berlin: 60%, Europe/London: 40%}
          network: {wifi: 60%, offline: {share: 2%}}
          widgets:
            - {kind: weather, family: medium, page: 1}
            - {kind: weather, place: lock-screen, share: 30%}

    backend:
      endpoints:
        forecast: {latency: {p50: 45ms, p99: 400ms}, capacity: 100/s, queue: 1k}

    goals:
      - {id: peak, assert: "peak_rps{endpoint=forecast, window=10s} <= 50/s"}
      - {id: fresh, assert: "stale_views{kind=weather} <= 20%", severity: warning}

    """

  static let newsText = """
    # A news widget: headlines with pictures, reloaded every hour in the day and hardly at night.
    # Try: --set kinds.headlines.requests.1.count=8, or a push with: explain events.*.push
    schema: widgetfleet/v1
    name: news
    description: headlines with pictures, and breaking news once a day
    clock: {start: 2027-01-18T00:00:00Z}

    kinds:
      headlines:
        reload: {after: 1h}
        jitter: {up_to: 10min}
        when:                             # other policies for part of the time; the first that matches wins
          - {from: "23:00", to: "06:00", reload: {after: 4h}}
        on_error: {after: 1h}
        requests:
          - {endpoint: api, up: 1kB, down: 20kB}
          - {endpoint: images, count: 3, up: 500B, down: {small: 12kB, medium: 25kB, large: 60kB}}
        cache: {ttl: 15min, single_flight: true}
        attempts: {count: 2, backoff: 2s} # tries of each request inside one refresh
        stale_after: 2h

    app:
      opens_per_day: 3
      reloads: [{when: close, kinds: all, fills_cache: true}]

    fleet:
      devices: 20k
      cohorts:
        - name: readers
          share: 80%
          zones: {Europe/Berlin: 70%, Europe/London: 30%}
          widgets: [{kind: headlines, family: medium, page: 1}]
        - name: collectors                # on a page that few people turn to
          share: 20%
          zones: {Europe/Berlin: 100%}
          widgets: [{kind: headlines, family: large, page: 3}]

    events:
      - name: breaking-news
        at: 2027-01-18T17:30:00Z
        push: {type: silent, kinds: [headlines], over: 10min, clears_cache: true}

    backend:
      endpoints:
        api: {latency: {p50: 40ms, p99: 300ms}}
        images: {latency: {p50: 60ms, p99: 600ms}, cdn: {keys: 500, ttl: 10min}}

    goals:
      - {id: api-peak, assert: "peak_rps{endpoint=api, window=10s} <= 200/s"}

    """

  static let walletText = """
    # Cards in a wallet: nothing to ask for by the clock; the app and silent pushes say when something has changed.
    # Try: --set kinds.cards.reload.after=6h after replacing never, and compare the requests.
    schema: widgetfleet/v1
    name: wallet
    description: cards that the app reloads when they change
    clock: {start: 2027-01-18T00:00:00Z}

    kinds:
      cards:
        reload: never                     # the widget never asks on its own
        on_error: {after: 2h}
        requests: [{endpoint: cards, up: 1kB, down: 8kB}]
        protected: true                   # data protection: refreshes wait for an unlock
        stale_after: 1d

    app:
      opens_per_day: 2
      reloads:
        - {when: change, per_day: 1, kinds: all}                # a card changed while the app was open: free
        - {when: background-refresh, per_day: 2, kinds: all}    # in the background: charged

    fleet:
      devices: 20k
      cohorts:
        - name: holders
          zones: {America/New_York: 50%, America/Chicago: 30%, America/Los_Angeles: 20%}
          person: {unlocks_per_day: {lognormal: {median: 60, sigma: 0.55}}}
          widgets:
            - {kind: cards, page: 2}
            - {kind: cards, place: lock-screen, share: 20%}

    events:
      - name: payment                     # a silent push when a payment was made
        push: {type: silent, kinds: [cards], per_device_per_day: 1.5}

    backend:
      endpoints:
        cards: {latency: {p50: 80ms, p99: 900ms}, timeout: 10s}

    goals:
      - {id: peak, assert: "peak_rps{endpoint=cards, window=10s} <= 60/s"}

    """

  static let sportsText = """
    # Scores of a match: calm all day, every 15 minutes while the match is on, and a push at each goal.
    # Try: --set events.goal.push.over=0s, and see how high the peak gets.
    schema: widgetfleet/v1
    name: sports
    description: a match from 18:00 to 20:00 and what it does to the backend
    clock: {start: 2027-01-18T00:00:00Z}

    kinds:
      scores:
        reload: {after: 4h}               # nobody plays
        jitter: {up_to: 15min, per: device}
        when:
          - {from: "18:00", to: "20:00", zone: Europe/Berlin, reload: {after: 30min}}
        on_error: {after: 2h}
        requests: [{endpoint: scores, up: 1kB, down: 5kB}]
        stale_after: 1h

    fleet:
      devices: 20k
      cohorts:
        - name: fans
          zones: {Europe/Berlin: 100%}
          person:
            hours: [1, 1, 1, 1, 1, 2, 4, 6, 6, 5, 5, 5, 6, 6, 5, 5, 6, 8, 12, 12, 8, 6, 4, 2]   # of looking, 0..23
          widgets:
            - {kind: scores, family: medium, page: 1}

    events:
      - name: goal
        at: 2027-01-18T18:20:00Z
        push: {type: widget, over: 2min, audience: 60%}
      - name: overload                    # the backend stumbles for five minutes
        at: 2027-01-18T18:30:00Z
        outage: {endpoint: scores, for: 5min, errors: 50%}

    backend:
      endpoints:
        scores: {latency: {p50: 50ms, p99: 500ms}, capacity: 250/s, queue: 2k}

    goals:
      - {id: recovery, assert: "recovery_time{event=overload} <= 10min"}
      - {id: peak, assert: "peak_rps{endpoint=scores, window=10s} <= 250/s"}

    """
}
