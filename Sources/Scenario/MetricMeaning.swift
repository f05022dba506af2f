extension Metric {
  /// What it counts or measures, in a sentence or two (MODEL.md 8), and what moves it, for those who want it otherwise.
  package var explanation: WordMeaning { refreshText ?? trafficText ?? loadText ?? otherText }

  private var refreshText: WordMeaning? {
    switch self {
    case .runsPerDay:
      .init(
        "How often a widget on a screen refreshes: runs of its provider per instance and day, by cause and by whether "
          + "the budget is charged.",
        "Fewer: a longer reload.after, fewer calls of the app. More: the budget caps charged runs; use free causes.")
    case .lateness:
      .init(
        "How much later than its due date a scheduled run starts, coalesced ones too.",
        "The system decides it (os.start_delay, budget, idle); ask earlier, or put several entries in a timeline.")
    case .waitsPerDay:
      .init(
        "How often per instance and day the system withheld a run that was due, by reason.",
        "Ask for fewer runs than the budget grants; see 'explain budget', 'explain idle'.")
    case .waitLength:
      .init(
        "How long a run that was withheld had to wait, by reason.",
        "Budget waits shorten when fewer runs are asked for; the others end with the next unlock or charge.")
    case .budgetExhaustedHour:
      .init(
        "The local hour at which the budget first withheld a run of an instance on a day, over days on which it did.",
        "Later: ask for fewer charged runs, such as a longer reload.after or reloads only in part of the day (when).")
    case .runs:
      .init(
        "How many runs the whole fleet has in the measured period, by cause.",
        "As runs_per_day, times the widgets and the days.")
    case .budgetExhaustedPerDay:
      .init(
        "How often per instance and day the budget withheld a run for the first time on a local day.",
        "Less often: fewer charged runs, such as a longer reload.after.")
    case .budgetExhaustedDrift:
      .init(
        "How much more often per instance and day budgets run out in the second half of the measured whole days than in "
          + "the first: 0 in a fleet whose days are alike.",
        "Nearer to 0: a longer clock.settle or clock.warmup, unless weekdays or an event make the halves differ.")
    case .cacheHitsPerDay:
      .init(
        "How many runs per instance and day the provider's cache answered, so that nothing was sent.",
        "More: a longer cache.ttl, scope kind, or an app that fills the cache.")
    case .viewsPerDay:
      .init(
        "How often people look at an instance per day.",
        "It follows from person (unlocks, pages) and from where the widget is placed.")
    case .staleViews:
      .init(
        "The share of views at which the data was older than stale_after, before the reload that a view may start.",
        "Lower: shorter reload.after within the budget, reloads by the app, a longer stale_after if that is acceptable."
      )
    case .staleViewsAfter:
      .init(
        "The share of views that are still stale when the reload that the view started has ended; a view that starts "
          + "none keeps its state.",
        "Lower: faster answers of the backend, and what lowers stale_views.")
    case .dataAge:
      .init(
        "How old the data is that people see, at the view and before the reload that it starts; views without data "
          + "are left out of the mean.",
        "Lower: shorter reload.after, a shorter cache.ttl, pushes.")
    case .pushToView:
      .init(
        "How long a phone takes to show what was pushed: from the push to the first view of a widget of the kind whose "
          + "data came after it; quantiles count those that never show it as longer than all; share: of those that show it "
          + "within the measured period, or within a period of 5, 15, 30 or 60 minutes.",
        "Lower: pushes that reload at once (widget pushes), no cache that outlives them, a budget that is not spent.")
    case .eventToView:
      .init(
        "How long after the start of a push event phones show what it pushed, the span over which it is sent included; "
          + "quantiles and share as of push_to_view.",
        "Lower: a shorter span (over), and what lowers push_to_view.")
    default: nil
    }
  }

  private var trafficText: WordMeaning? {
    switch self {
    case .requests:
      .init(
        "The requests of the whole fleet in the measured period, retries included.",
        "Fewer: a cache, single_flight, a longer reload.after, fewer attempts.")
    case .failures:
      .init(
        "The requests that failed, by reason: outage, refused, limited, timeout, offline, cached-error; "
          + "share(failures): of all requests, without those that a phone without network never sent.",
        "See the reason: 'explain refused' and so on. Jitter lowers the peaks that make most of them.")
    case .bytesDown:
      .init("The bytes that all devices received.", "Fewer: smaller answers (down), fewer requests.")
    case .bytesUp: .init("The bytes that all devices sent.", "Fewer: smaller requests (up), fewer of them.")
    case .requestsSaved:
      .init(
        "The requests that would have been sent without the provider's cache, less those that were.",
        "More: a longer cache.ttl, scope kind, single_flight.")
    default: nil
    }
  }

  private var loadText: WordMeaning? {
    let flatter = "Lower: kinds.*.jitter, dates that do not line devices up, a cache, a longer reload.after."
    let origin = "Lower: a longer cdn.ttl, collapsing, fewer keys, and what lowers the load before the CDN."
    let servers = "Lower: what lowers peak_rps and origin_peak_rps, and less base load."
    switch self {
    case .peakRPS:
      return .init(
        "The highest mean load in any window, as the phones send it: before any CDN, without base load.", flatter)
    case .meanRPS: return .init("The mean load over the measured period, as the phones send it.", flatter)
    case .p99RPS: return .init("The load that 99 % of the windows do not exceed.", flatter)
    case .p999RPS: return .init("The load that 99.9 % of the windows do not exceed.", flatter)
    case .peakToMean: return .init("The peak load over the mean load: how uneven it is.", flatter)
    case .otherDayPeakRPS:
      return .init(
        "The peak of another day like the simulated one, with other people: its median, and where 95 % of such days lie.",
        flatter)
    case .originPeakRPS: return .init("The highest mean load in any window behind the CDN, at the origin.", origin)
    case .originMeanRPS: return .init("The mean load behind the CDN.", origin)
    case .originP99RPS: return .init("The load behind the CDN that 99 % of the windows do not exceed.", origin)
    case .originP999RPS: return .init("The load behind the CDN that 99.9 % of the windows do not exceed.", origin)
    case .originPeakToMean: return .init("The peak load over the mean load behind the CDN.", origin)
    case .cdnStaleAnswers:
      return .init(
        "The requests that a CDN answered with what it had last fetched, because its origin failed (stale_if_error).",
        "Fewer: a longer cdn.ttl and an origin that fails less; without stale_if_error they would have failed.")
    case .serverPeakRPS:
      return .init(
        "The highest mean load in any window at the servers: past CDN, outages and limit, base load included. This is what "
          + "a capacity is held against.", servers)
    case .serverMeanRPS: return .init("The mean load at the servers, base load included.", servers)
    case .serverP99RPS:
      return .init("The load at the servers, base load included, that 99 % of the windows do not exceed.", servers)
    case .serverP999RPS:
      return .init("The load at the servers, base load included, that 99.9 % of the windows do not exceed.", servers)
    case .offeredPeakRPS:
      return .init(
        "The highest mean load in any window at the servers if they answered every request: without capacity, queue, "
          + "rate limit and outages. A plan must carry it.", servers)
    case .overloadSeconds:
      return .init(
        "How long what reached an endpoint's servers, base load included, was above their capacity, added up.",
        "Less: more capacity, autoscaling that reacts sooner, and what lowers server_peak_rps.")
    case .recoveryTime:
      return .init(
        "From an event's end until nothing waits, and in the hour from then on fewer than 1 % of the requests fail and "
          + "requests wait longer than 5 s for less than a minute in total.",
        "Less: fewer attempts with a longer backoff, jitter, spare capacity, a shorter queue.")
    case .herd:
      return .init(
        "The share of the load's variance at a period of 5, 15, 30 or 60 minutes, in the six hours in which it is highest: "
          + "whether devices fire together.",
        "Less: jitter per device as wide as the period, start times that differ by device.")
    default: return nil
    }
  }

  private var otherText: WordMeaning {
    switch self {
    case .energySavedPerDay:
      .init(
        "The energy that running widgets together spares, against each run alone.",
        "More: widgets that are due within os.coalescing_window of each other.")
    case .energyAlonePerDay:
      .init(
        "What the runs would have cost if nothing else had used the phone's radio: what running together is measured by.",
        "Less: as energy_per_day; energy_saved_per_day is the difference.")
    case .widgets:
      .init(
        "How many instances there are in the whole fleet.",
        "It follows from fleet.devices and from the widgets and shares of the cohorts.")
    case .energyInSessions:
      .init(
        "The share of the widgets' energy that is spent while the person uses the phone and holds the radio anyway.",
        "More: reloads at views and opens in place of scheduled ones.")
    case .batteryPercentPerDay:
      .init(
        "What all widgets of a device take from its battery, charging or not, over capacity x health.",
        "Less: fewer runs over cellular, smaller answers, less processor time.")
    default:
      .init(
        "The energy of an instance's runs per day, by component: promotion, active, transfer, tail, cpu, wait.",
        "Less: fewer runs over cellular (their tails cost most), smaller answers, less processor time.")
    }
  }
}

extension MetricUnit {
  /// The unit in words.
  package var meaning: String {
    switch self {
    case .widgets: "instances of the whole fleet"
    case .runs: "runs of the whole fleet"
    case .runsPerDay: "runs per instance and day"
    case .waitsPerDay: "waits per instance and day"
    case .hitsPerDay: "hits per instance and day"
    case .viewsPerDay: "views per instance and day"
    case .seconds: "seconds"
    case .hours: "hours of a local clock, 13.5 is 13:30"
    case .timesPerDay: "times per instance and day"
    case .requests: "requests of the whole fleet"
    case .bytes: "bytes of the whole fleet"
    case .share: "a share from 0 to 1"
    case .requestsPerSecond: "requests per second of the whole fleet"
    case .ratio: "a ratio without unit"
    case .joulesPerDay: "joules per instance and day"
    case .percentPerDay: "per cent of a battery per device and day, 0.5 is half a per cent"
    }
  }
}
