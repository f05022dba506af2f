import Scenario

extension Code {
  /// Title and help of the warnings about valid scenarios; nil for errors.
  var lintText: CodeMeaning? { intervalText ?? fleetText }

  private var intervalText: CodeMeaning? {
    switch self {
    case .intervalBelowSpacing:
      .init(
        "an interval below the spacing",
        "The system keeps os.min_spacing between scheduled reloads of a widget; what asks sooner waits.")
    case .beyondBudget:
      .init(
        "more reloads than the budget grants",
        "In the long run a widget gets os.budget.capacity charged reloads a day. What asks for more waits until the "
          + "budget fills, so that reloads come at its pace and not at that of the policy.")
    case .errorsOutrunBudget:
      .init(
        "retries after errors outrun the budget",
        "Every reload after an error is charged. An outage spends the budget, which is then missing when it is over.")
    case .jitterBeyondInterval:
      .init(
        "a jitter longer than the interval",
        "Jitter is added to every date: one that is longer than the interval decides how often a widget asks.")
    case .startStillShows:
      .init(
        "what lives longer than the settling",
        "The beginning of the world shows in the measured days for as long as what began then lives on: caches that are "
          + "all filled at the placement, intervals that all begin there. Let clock.settle be as long as the longest of "
          + "them; settle: 0s is for those who want new widgets, as after a launch.")
    case .cacheOutlivesInterval:
      .init(
        "a cache that outlives the reloads",
        "Reloads that find the cache fresh fetch nothing: they cost budget and energy, and show the same data.")
    default: nil
    }
  }

  private var fleetText: CodeMeaning? {
    switch self {
    case .entriesNeverShown:
      .init(
        "entries that are never shown",
        "A reload replaces the whole timeline: entries that come after the latest reload are never seen. As a reserve "
          + "for phones that have no network they do no harm.")
    case .alignedDates:
      .init(
        "dates that line devices up",
        "All widgets with the same date are due at one instant: N of them within W seconds are N / W requests/s. Add "
          + "a jitter J longer than W, which makes it N / J. The warning ends when the servers can take the load, with "
          + "all kinds and the base load of that hour, however prompt the system is.")
    case .goalOfOtherLoad:
      .init(
        "a goal that holds one load against the limit of another",
        "peak_rps and its like count what the phones send, before any CDN and without base load; a capacity serves what "
          + "reaches the servers: server_peak_rps and its like.")
    case .meanBeyondCapacity:
      .init(
        "a mean load beyond the capacity",
        "What widgets ask for on average and the base load of some hour exceed the endpoint's capacity: spreading alone does "
          + "not help. Ask more rarely (a long jitter does so, too), or raise the capacity.")
    case .sampleTooSmall:
      .init(
        "a sample too small for the peak",
        "The peak of a sampled fleet is estimated from what the sample sends while it lasts: of S requests, C in one run, "
          + "half the 95 % interval is about 4 sqrt(C / S) of it. Raise run.simulate.")
    case .nobodyUnlocks:
      .init(
        "phones that nobody unlocks",
        "Without unlocks a phone is idle for ever, and each scheduled reload waits for os.idle.give_up more; protected "
          + "kinds wait for ever.")
    case .profileOfOtherSystem:
      .init(
        "a profile of another system",
        "Apple changes the scheduler between versions and says nothing of it: what was measured on one need not hold "
          + "on another. Measure again, or take the profile out: the presets prompt and lazy bracket the constants.")
    case .baseLoadElsewhere:
      .init(
        "other traffic by the hours of UTC",
        "A base_load is a mean over the day; its hours are those of a city's network unless it says `flat`, and of UTC "
          + "unless it names a zone. In America its evening would come in the afternoon, and its night in the evening.")
    case .longWork:
      .init(
        "a long simulation",
        "A processor simulates some 3 to 10 million events a second. Simulate fewer phones (run.simulate), or have them "
          + "do less; Ctrl-C ends a run at any time.")
    case .pushesBeyondLimit:
      .init(
        "more silent pushes than are delivered",
        "The system delivers os.silent_push.per_hour silent pushes in any hour, and drops the others.")
    default: nil
    }
  }
}
