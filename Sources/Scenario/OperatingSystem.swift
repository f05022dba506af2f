package import SimulationKernel

/// The scheduler's constants with the preset resolved: `os` of the file (MODEL.md 4).
package struct OperatingSystem: Hashable, Sendable {
  package var preset: Preset
  package var minSpacing: TimeAmount
  package var startDelay: StartDelay
  package var coalescingWindow: TimeAmount
  package var atEndGap: TimeAmount
  /// Probability of a free reload at a view of a rarely viewed, and of any other, overdue instance.
  package var staleViewReloadRare: Share
  package var staleViewReloadFrequent: Share
  package var staleViewGrace: TimeAmount
  package var foregroundLatency: Distribution<TimeAmount>
  package var silentPushDelivered: Share
  package var silentPushesPerHour: Int
  package var foregroundGap: TimeAmount
  /// nil: an idle phone withholds nothing.
  package var idle: Idle?
  package var budget: Budget

  /// The defaults of scenario-reference.yaml, which are the preset ios-26.
  package init() {
    preset = .ios26
    minSpacing = .minutes(5)
    startDelay = StartDelay()
    coalescingWindow = .minutes(5)
    atEndGap = .minutes(30)
    staleViewReloadRare = .all
    staleViewReloadFrequent = Share(fraction: 0.3)
    staleViewGrace = .minutes(15)
    foregroundLatency = .uniform(from: .seconds(1), to: .seconds(30))
    silentPushDelivered = .all
    silentPushesPerHour = 3
    foregroundGap = .seconds(30)
    idle = Idle(after: .hours(2), giveUp: .hours(4))
    budget = Budget()
  }
}

/// Named sets of constants (MODEL.md 4.8).
package enum Preset: String, CaseIterable, Sendable {
  case ios26 = "ios-26"
  case ios17 = "ios-17"
  case prompt
  case lazy
  case watchFace = "watch-face"
  case developerMode = "developer-mode"
}

/// How late after its eligible instant a run starts, by the class of its cause (MODEL.md 4.5).
package struct StartDelay: Hashable, Sendable {
  package var policy: Distribution<TimeAmount> = .uniform(from: .zero, to: .minutes(15))
  /// policy and retry, in a session at the eligible instant.
  package var inUse: Distribution<TimeAmount> = .uniform(from: .zero, to: .minutes(1))
  package var background: Distribution<TimeAmount> = .uniform(from: .zero, to: .minutes(1))
  package var widgetPush: Distribution<TimeAmount> = .exponential(mean: .seconds(60))

  package init() {}
}

/// The reload budget of an instance (MODEL.md 4.7).
package struct Budget: Hashable, Sendable {
  package enum Model: String, BitwiseCopyable, CaseIterable, Sendable {
    case off, fixed, bucket
  }

  package enum Accrual: String, BitwiseCopyable, CaseIterable, Sendable {
    case awake, even
  }

  /// C, in whole millionths of a run per day.
  package enum Capacity: Hashable, Sendable {
    case views
    case perDay(RunMillionths)
    /// Drawn uniformly per instance, uncapped.
    case range(RunMillionths, RunMillionths)
  }

  package var model: Model = .bucket
  package var capacity: Capacity = .views
  /// Runs per day that a capacity from views cannot exceed.
  package var cap: Double = 70
  /// The balance holds at most `carryOver` days' capacity.
  package var carryOver: Double = 1.5
  package var accrual: Accrual = .awake

  package init() {}
}
