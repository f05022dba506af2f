package import SimulationKernel

/// The containing app (`app` in the file).
package struct App: Hashable, Keyed, Sendable {
  package var opensPerDay = 1.0
  package var foreground = Distribution.lognormal(median: TimeAmount.minute, sigma: 1)
  package var audioSession: AudioSession?
  package var reloads: [AppReload] = []

  package init() {}
}

/// Audio spells of the app, during which its reloads are free (MODEL.md 2.5).
package struct AudioSession: Hashable, Keyed, Sendable {
  package var perDay = 0.0
  package var length = Distribution.lognormal(median: TimeAmount.minutes(20), sigma: 0.5)

  package init() {}
}

/// A reload requested by the app through WidgetCenter (MODEL.md 2.8).
package struct AppReload: Hashable, Keyed, Sendable {
  package enum Occasion: Hashable, Sendable {
    case open
    /// A cold launch, which starts this share of foreground spells.
    case launch(Share)
    case close
    /// A change at uniformly drawn times in each foreground spell.
    case change(perDay: Double)
    case profileSwitch(perDay: Double)
    /// A Poisson process over 24 h while the app is in the background, with charged runs.
    case backgroundRefresh(perDay: Double)
    /// A reload at the start of an audio spell, followed by another after each `every` during the spell.
    case audio(every: TimeAmount)
  }

  package var occasion = Occasion.open
  /// The indices into `Scenario.kinds` in ascending order; every kind for `all`.
  package var kinds: [Int] = []
  package var clearsCache = false
  package var fillsCache = false
  /// Whether phases restart with the first phase.
  package var restarts = false

  package init() {}
}
