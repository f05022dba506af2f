package import SimulationKernel

/// The app that contains the widgets (`app` in the file).
package struct App: Hashable, Keyed, Sendable {
  package var opensPerDay = 1.0
  package var foreground = Distribution.lognormal(median: TimeAmount.minute, sigma: 1)
  package var audioSession: AudioSession?
  package var reloads: [AppReload] = []

  package init() {}
}

/// Audio spells, during which the app plays audio and its reloads are free (MODEL.md 2.5).
package struct AudioSession: Hashable, Keyed, Sendable {
  package var perDay = 0.0
  package var length = Distribution.lognormal(median: TimeAmount.minutes(20), sigma: 0.5)

  package init() {}
}

/// A reload requested by the app through WidgetCenter (MODEL.md 2.8).
package struct AppReload: Hashable, Keyed, Sendable {
  package enum Occasion: Hashable, Sendable {
    case open
    /// A reload at each cold launch; the associated value is the share of foreground spells that start with a cold
    /// launch.
    case launch(Share)
    case close
    /// A reload after each change; changes occur at uniformly drawn times in foreground spells.
    case change(perDay: Double)
    case profileSwitch(perDay: Double)
    /// A reload at each event of a Poisson process while the app is in the background, with a given mean number of
    /// events per 24 h. The runs are charged.
    case backgroundRefresh(perDay: Double)
    /// A reload at the start of each audio spell, and at every interval of this length during the spell.
    case audio(every: TimeAmount)
  }

  package var occasion = Occasion.open
  /// The indices into `Scenario.kinds`, in ascending order; for `all`, they include every kind.
  package var kinds: [Int] = []
  package var clearsCache = false
  package var fillsCache = false
  /// Whether the reload resets the kinds to their first phases.
  package var restarts = false

  package init() {}
}
