package import SimulationKernel

/// The containing app: `app` of the file.
package struct App: Hashable, Sendable {
  package var opensPerDay: Double
  package var foreground: Distribution<TimeAmount>
  package var audioSession: AudioSession?
  package var reloads: [AppReload]

  package init(
    opensPerDay: Double, foreground: Distribution<TimeAmount>, audioSession: AudioSession?, reloads: [AppReload]
  ) {
    self.opensPerDay = opensPerDay
    self.foreground = foreground
    self.audioSession = audioSession
    self.reloads = reloads
  }
}

/// Audio spells of the app, during which its reloads are free (MODEL.md 2.5).
package struct AudioSession: Hashable, Sendable {
  package var perDay: Double
  package var length: Distribution<TimeAmount>

  package init(perDay: Double, length: Distribution<TimeAmount>) {
    self.perDay = perDay
    self.length = length
  }
}

/// A reload that the app asks for through WidgetCenter (MODEL.md 2.8).
package struct AppReload: Hashable, Sendable {
  package enum Occasion: Hashable, Sendable {
    case open
    case close
    /// At uniform times in each foreground spell.
    case change(perDay: Double)
    case profileSwitch(perDay: Double)
    /// A Poisson process over 24 h while the app is in the background: charged.
    case backgroundRefresh(perDay: Double)
    /// At the start of an audio spell and every `every` in it.
    case audio(every: TimeAmount)
  }

  package var occasion: Occasion
  /// Indices into `Scenario.kinds`, ascending; every kind for `all`.
  package var kinds: [Int]
  package var clearsCache: Bool
  package var fillsCache: Bool
  /// Takes phases back to the first.
  package var restarts: Bool

  package init(occasion: Occasion, kinds: [Int], clearsCache: Bool, fillsCache: Bool, restarts: Bool) {
    self.occasion = occasion
    self.kinds = kinds
    self.clearsCache = clearsCache
    self.fillsCache = fillsCache
    self.restarts = restarts
  }
}
