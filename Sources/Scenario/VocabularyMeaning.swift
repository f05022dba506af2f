/// A word of the results with its explanation, and what to do about it.
package struct WordMeaning: Hashable, Sendable {
  package var meaning: String
  package var remedy: String

  init(_ meaning: String, _ remedy: String) { (self.meaning, self.remedy) = (meaning, remedy) }
}

extension Cause {
  /// Why such a run begins (MODEL.md 4.2), and how to have fewer or more of them.
  package var explanation: WordMeaning {
    let charge = isCharged ? " Takes 1 from the budget." : " Free: the budget is not charged."
    return WordMeaning(text.meaning + charge, text.remedy)
  }

  private var text: (meaning: String, remedy: String) {
    switch self {
    case .policy:
      ("The timeline's reload policy asked for a reload, and its date has come.", "Set by kinds.*.reload and phases.")
    case .retry:
      ("A run failed, and on_error asked for another one.", "Fewer: a longer on_error.after, a backend that answers.")
    case .background:
      ("The app asked for a reload from the background: a refresh or a silent push.", "Set by app.reloads and events.")
    case .widgetPush:
      ("A widget push reached the device and asks its widgets to reload.", "Set by events.*.push with type: widget.")
    case .foreground:
      ("The app asked for a reload while it was open.", "Set by app.reloads; os.foreground_gap thins calls out.")
    case .tap: ("Somebody pressed a button or toggle of the widget.", "Set by kinds.*.taps.")
    case .view:
      ("Somebody looked at a widget whose reload was overdue.", "Set by os.stale_view_reload and stale_view_grace.")
    case .location: ("The place changed since the last view.", "Set by kinds.*.location_changes_per_day.")
    case .placement: ("The widget was put on a screen.", "Each instance has one at its beginning.")
    case .system:
      ("The system asked: an update of the app, a change of locale, account or time.", "Set by events.")
    case .gallery:
      ("Somebody looked at the widget gallery, which draws a snapshot.", "Set by events.*.gallery; see its network.")
    }
  }
}

extension WaitReason {
  /// Why a run that is due does not start (MODEL.md 4.5), and what helps.
  package var explanation: WordMeaning {
    switch self {
    case .locked:
      .init(
        "The provider's data is protected and the phone is locked: the run waits for the next unlock.",
        "Leave kinds.*.protected out where the data need not be.")
    case .idle:
      .init(
        "Nobody has used the phone for os.idle.after: the system withholds scheduled runs.",
        "Nothing in the app changes this; people without a phone in use see no widget either.")
    case .lowPower:
      .init(
        "Low Power Mode is on: scheduled runs wait until it is off.",
        "Nothing in the app changes this; several entries in a timeline keep the widget moving.")
    case .budget:
      .init(
        "The instance's reload budget is used up: the run waits until it has accrued again.",
        "Ask for fewer charged runs than os.budget grants; reloads by the app in the foreground are free.")
    }
  }
}

extension FailureReason {
  /// Why a request fails (MODEL.md 6), and what helps.
  package var explanation: WordMeaning {
    switch self {
    case .outage:
      .init(
        "An outage of the scenario answered it with an error at once.",
        "See events.*.outage; retries with backoff and jitter soften the echo.")
    case .refused:
      .init(
        "The endpoint's queue was full: refused with 503.",
        "More capacity, a longer queue, or a lower peak (jitter, cache).")
    case .limited:
      .init(
        "The rate limit cut it off with 429 and a Retry-After.",
        "A higher rate_limit.rate, a lower peak, or on_error: retry-after to obey it.")
    case .timeout:
      .init(
        "No answer came within the endpoint's timeout.",
        "More capacity or a shorter queue: waiting is queue over capacity.")
    case .offline:
      .init(
        "The phone had no network.", "Set by fleet.cohorts.*.network.offline; on_error retries.")
    case .cachedError:
      .init(
        "The CDN answered with the error of a fetch that had failed, without asking the origin again.",
        "A shorter cdn.error_ttl, which asks a failing origin more often, or cdn.stale_if_error.")
    }
  }
}

extension EnergyComponent {
  /// What the energy is spent on (MODEL.md 7).
  package var explanation: WordMeaning {
    switch self {
    case .promotion:
      .init("Waking the radio before the first request.", "Fewer, bundled runs.")
    case .active:
      .init("The radio while a request is in the air.", "Faster answers, fewer requests.")
    case .transfer: .init("The bytes themselves.", "Smaller answers.")
    case .tail:
      .init(
        "The radio that stays awake after the last byte.",
        "Runs together with others, or while the person uses the phone.")
    case .cpu: .init("The processor time of the runs.", "A smaller kinds.*.cpu.")
    case .wait: .init("The system awake while it waits for answers.", "Faster answers.")
    }
  }
}

extension Statistic {
  /// Which number of a distribution it is.
  package var meaning: String {
    switch self {
    case .mean: "The mean."
    case .p50: "The median: half of the values are smaller."
    case .p90: "90 % of the values are smaller."
    case .p95: "95 % of the values are smaller."
    case .p99: "99 % of the values are smaller."
    case .p999: "99.9 % of the values are smaller."
    case .max: "The largest value."
    case .total: "The sum over the fleet and the measured period."
    case .share: "A part of all, from 0 to 1."
    }
  }
}

extension Label {
  /// What a figure with this label is about.
  package var meaning: String {
    switch self {
    case .cohort: "The cohort that the row is about"
    case .kind: "The widget kind that the row is about"
    case .endpoint: "The endpoint that the row is about"
    case .cause: "Why the runs began: policy, tap, view and so on"
    case .charged: "Whether the budget is charged: yes or no"
    case .reason: "Why a run waited or a request failed"
    case .component: "What the energy was spent on"
    case .event: "The event that the row is about"
    case .window: "The span over which requests per second are averaged: 1s, 10s, 1min, 5min"
    case .period: "The period of the herd, or within which phones show what was pushed: 5min, 15min, 30min, 60min"
    }
  }
}
