package import SimulationKernel

/// The app that contains the widgets (`app` in the file).
package struct App: Hashable, Keyed, Sendable {
  package var opensPerDay = 1.0
  package var foreground = Distribution.lognormal(median: TimeAmount.minute, sigma: 1)
  package var audioSession: AudioSession?
  package var reloads: [AppReload] = []

  package init() {}
}

/// Spells during which the app plays audio, so that its reloads are free (MODEL.md 2.5).
package struct AudioSession: Hashable, Keyed, Sendable {
  package var perDay = 0.0
  package var length = Distribution.lognormal(median: TimeAmount.minutes(20), sigma: 0.5)

  package init() {}
}

/// A reload requested by the app through WidgetCenter (MODEL.md 2.8).
package struct AppReload: Hashable, Keyed, Sendable {
  package enum Occasion: Hashable, Sendable {
    case open
    /// A reload at each cold launch, where this share of foreground spells starts with a cold launch.
    case launch(Share)
    case close
    /// A reload after each change, at uniformly drawn times within foreground spells.
    case change(perDay: Double)
    case profileSwitch(perDay: Double)
    /// A reload at each event of a Poisson process over 24 h while the app is in the background; runs are charged.
    case backgroundRefresh(perDay: Double)
    /// A reload at the start of each audio spell, and again after each `every` during the spell.
    case audio(every: TimeAmount)
  }

  package var occasion = Occasion.open
  /// The indices into `Scenario.kinds`, in ascending order; they include every kind for `all`.
  package var kinds: [Int] = []
  package var clearsCache = false
  package var fillsCache = false
  /// Whether the reload resets the kinds to their first phase.
  package var restarts = false

  package init() {}
}
