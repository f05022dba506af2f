public import SimulationKernel

/// The constants of the scheduler, as determined by the preset and the file (`os` in the file, MODEL.md 4).
package struct OperatingSystem: Hashable, Keyed, Sendable {
  package var preset = Preset.ios26
  /// The version of the system on the phones, such as 26.2; if it is `nil`, the preset's version applies.
  package var version: String?
  package var minSpacing = TimeAmount.minutes(5)
  package var startDelay = StartDelay()
  package var coalescingWindow = TimeAmount.minutes(5)
  package var atEndGap = TimeAmount.minutes(30)
  /// The probability that a view of an overdue instance causes a free reload, for rarely viewed instances and for all
  /// other instances.
  package var staleViewReloadRare = Share.all
  package var staleViewReloadFrequent = Share(fraction: 0.3)
  package var staleViewGrace = TimeAmount.minutes(15)
  package var foregroundLatency = Distribution.uniform(from: TimeAmount.second, to: .seconds(30))
  package var silentPushDelivered = Share.all
  package var silentPushesPerHour = 3
  package var foregroundGap = TimeAmount.seconds(30)
  /// The maximum time for which Low Power Mode withholds a run.
  package var lowPowerWait = TimeAmount.minutes(15)
  /// The time after which a crashed run is due again.
  package var crashRetry = TimeAmount.hour
  /// The idle rule; `nil` if an idle phone does not withhold runs.
  package var idle: Idle? = Idle()
  package var budget = Budget()

  /// Creates the constants of the preset ios-26.
  package init() {}

  /// The version in `os.version` or, if it is not given, the version in the preset's name; `nil` if there is neither.
  package var versionText: String? { version ?? preset.versionText }

  /// Returns a constant as a number, so that its values can be ordered; `nil` if the constant is a word.
  package func amount(of constant: BracketConstant) -> Double? {
    if constant.rawValue == BracketConstant.capacityPath { return budget.capacity.amount }
    return switch value(of: constant) {
    case let span as TimeAmount: span.measure
    case let spans as Distribution<TimeAmount>: spans.middle
    case let share as Share: share.fraction
    case let number as Double: number
    case let count as Int: Double(count)
    default: nil
    }
  }
}

/// A named set of constants (MODEL.md 4.8).
package enum Preset: String, CaseIterable, Sendable {
  case ios26 = "ios-26"
  case ios17 = "ios-17"
  case prompt
  case lazy
  case watchFace = "watch-face"
  case developerMode = "developer-mode"

  /// The version in the preset's name; `nil` for presets that do not represent a real system version.
  package var versionText: String? {
    switch self {
    case .ios26, .ios17: String(rawValue.drop { !$0.isNumber })
    case .prompt, .lazy, .watchFace, .developerMode: nil
    }
  }
}

/// The delay from the eligible instant of a run to its start, by cause (MODEL.md 4.5).
package struct StartDelay: Hashable, Sendable {
  package var policy: Distribution<TimeAmount> = .uniform(from: .zero, to: .minutes(15))
  /// The delay of policy and retry runs if a session is in progress at the eligible instant.
  package var inUse: Distribution<TimeAmount> = .uniform(from: .zero, to: .minutes(1))
  package var background: Distribution<TimeAmount> = .uniform(from: .zero, to: .minutes(1))
  package var widgetPush: Distribution<TimeAmount> = .exponential(mean: .seconds(60))
}

/// The reload budget of an instance (MODEL.md 4.7).
package struct Budget: Hashable, Sendable {
  package enum Model: String, BitwiseCopyable, KeyWord {
    case off, fixed, bucket
  }

  package enum Accrual: String, BitwiseCopyable, KeyWord {
    case awake, even
  }

  /// The capacity C of a budget in runs per day, stored in whole millionths.
  package enum Capacity: Hashable, Sendable {
    case views
    case perDay(RunMillionths)
    /// A capacity that is drawn from a uniform distribution for each instance; no cap applies.
    case range(RunMillionths, RunMillionths)
    /// A capacity that is drawn once per phone and kind; no cap applies.
    case drawn(Distribution<RunMillionths>)
  }

  /// The maximum capacity that can be drawn, in runs per day, which is also the maximum value of the key.
  package static let maxCapacity = 1_000_000.0

  package var model: Model = .bucket
  package var capacity: Capacity = .views
  /// The upper limit, in runs per day, of a capacity that depends on the number of views.
  package var cap: Double = 70
  /// The maximum balance, as a multiple of the daily capacity.
  package var carryOver: Double = 1.5
  package var accrual: Accrual = .awake
}

extension OperatingSystem {
  /// Creates the constants of a preset (MODEL.md 4.8).
  package init(preset: Preset) {
    self.init()
    self.preset = preset
    switch preset {
    case .ios26, .ios17: break
    case .prompt:
      startDelay.policy = .uniform(from: .zero, to: .minutes(1))
      staleViewReloadFrequent = Share(fraction: 0.3)
    case .lazy:
      startDelay.inUse = .uniform(from: .zero, to: .minutes(15))
      budget.cap = 40
      staleViewReloadRare = .all
      staleViewReloadFrequent = .none
    case .watchFace: budget.capacity = .perDay(RunMillionths(count: 75_000_000))
    case .developerMode: budget.model = .off
    }
  }
}

/// An operating system version with all its known components, such as 26 or 26.1.
package struct SystemVersion: Hashable, Sendable {
  private let parts: [Substring]

  /// Reads the first version number in a string, such as 26.1 in `iOS 26.1 (23B85)`; `nil` if there is none.
  package init?(_ text: String) {
    let isDigit = { (character: Character) in ("0"..."9").contains(character) }
    let numbers = text.drop { !isDigit($0) }.prefix { isDigit($0) || $0 == "." }
    parts = numbers.split(separator: ".")
    if parts.isEmpty { return nil }
  }

  /// The version as numbers separated by dots.
  package var text: String { parts.joined(separator: ".") }

  /// Whether two versions have the same values for all components that both of them contain.
  package func agrees(with other: SystemVersion) -> Bool { zip(parts, other.parts).allSatisfy { $0 == $1 } }
}

/// The rule by which an idle phone withholds runs (MODEL.md 4.5).
public struct Idle: BitwiseCopyable, Hashable, Sendable {
  public var after = TimeAmount.hours(2)
  public var giveUp = TimeAmount.hours(4)

  public init() {}

  public init(after: TimeAmount, giveUp: TimeAmount) {
    self.after = after
    self.giveUp = giveUp
  }
}

extension Idle: Keyed {}

extension Budget.Capacity {
  fileprivate var amount: Double? {
    switch self {
    case .views: nil
    case .perDay(let runs): runs.measure
    case .range(let from, let to): (from.measure + to.measure) / 2
    case .drawn(let runs): runs.middle
    }
  }
}

extension Distribution where Value: Measured {
  /// The mean of the distribution or, for a lognormal distribution, the median, in the smallest unit.
  fileprivate var middle: Double {
    switch self {
    case .constant(let value): value.measure
    case .uniform(let from, let to): (from.measure + to.measure) / 2
    case .exponential(let mean), .normal(let mean, _): mean.measure
    case .lognormal(let median, _): median.measure
    case .choice(let options): options.reduce(0) { $0 + $1.value.measure * $1.weight }
    }
  }
}
