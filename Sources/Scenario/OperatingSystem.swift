package import SimulationKernel

/// The scheduler's constants with the preset resolved: `os` of the file (MODEL.md 4).
package struct OperatingSystem: Hashable, Keyed, Sendable {
  package var preset = Preset.ios26
  /// What the phones run, such as 26.2; nil: as the preset is named.
  package var version: String?
  package var minSpacing = TimeAmount.minutes(5)
  package var startDelay = StartDelay()
  package var coalescingWindow = TimeAmount.minutes(5)
  package var atEndGap = TimeAmount.minutes(30)
  /// Probability of a free reload at a view of a rarely viewed, and of any other, overdue instance.
  package var staleViewReloadRare = Share.all
  package var staleViewReloadFrequent = Share(fraction: 0.3)
  package var staleViewGrace = TimeAmount.minutes(15)
  package var foregroundLatency = Distribution.uniform(from: TimeAmount.second, to: .seconds(30))
  package var silentPushDelivered = Share.all
  package var silentPushesPerHour = 3
  package var foregroundGap = TimeAmount.seconds(30)
  /// nil: an idle phone withholds nothing.
  package var idle: Idle? = Idle()
  package var budget = Budget()

  /// The preset ios-26.
  package init() {}
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
  package enum Model: String, BitwiseCopyable, KeyWord {
    case off, fixed, bucket
  }

  package enum Accrual: String, BitwiseCopyable, KeyWord {
    case awake, even
  }

  /// C, in whole millionths of a run per day.
  package enum Capacity: Hashable, Sendable {
    case views
    case perDay(RunMillionths)
    /// Drawn uniformly per instance, uncapped.
    case range(RunMillionths, RunMillionths)
    /// Drawn once per phone and kind, uncapped.
    case drawn(Distribution<RunMillionths>)
  }

  /// The most runs a day that a draw of the capacity grants: the most that the key takes.
  package static let mostCapacity = 1_000_000.0

  package var model: Model = .bucket
  package var capacity: Capacity = .views
  /// Runs per day that a capacity from views cannot exceed.
  package var cap: Double = 70
  /// The balance holds at most `carryOver` days' capacity.
  package var carryOver: Double = 1.5
  package var accrual: Accrual = .awake

  package init() {}
}
