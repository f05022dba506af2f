package import Numerics
package import Scenario

/// Profiles of several labs as one: each constant by random effects (Docs/CALIBRATION.md, Profiles).
package struct ProfileMerge: Sendable {
  /// How a constant of the merged profile came about.
  package struct Constant: Sendable {
    package let constant: BracketConstant
    /// Profiles that have it.
    package let labs: Int
    package let way: Way
  }

  package enum Way: Sendable {
    /// One profile has it, and it stays as it is there.
    case single
    /// By random effects; the numbers are those of the scale: milliseconds, fractions, counts, millionths of a run per
    /// day, or their logarithms.
    case pooled(RandomEffects, MergeScale, MergeUnit)
    /// The value of the lab with most observations, between the least low end and the greatest high end.
    case widest(Reason)
  }

  /// Why no number could be pooled.
  package enum Reason: Sendable {
    /// The laws have several forms, or one that no single number sizes.
    case forms
    /// An interval has no width, which says nothing of an error.
    case width
  }

  package let profile: SystemProfile
  package let constants: [Constant]
  /// The systems that were measured, each once.
  package let systems: [String]

  /// - Parameter program: who merges, for `measured.by`.
  /// - Parameter limits: what the key of a constant allows, in the unit of `OperatingSystem.amount(of:)`.
  package init(
    _ profiles: [SystemProfile], program: String, limits: (BracketConstant) -> ClosedRange<Double>
  ) throws(NumericsError) {
    systems = profiles.compactMap(\.measurement.system).eachOnce
    var merged = SystemProfile(
      name: Self.name(profiles), measurement: Self.measurement(profiles, program), constants: [],
      values: OperatingSystem(), low: OperatingSystem(), high: OperatingSystem())
    var ways: [Constant] = []
    for constant in profiles.flatMap({ $0.constants.map(\.constant) }).eachOnce {
      let labs = profiles.filter { profile in profile.constants.contains { $0.constant == constant } }
      let way = try merged.take(constant, from: labs, within: limits(constant))
      merged.constants.append(Self.measured(constant, labs))
      ways.append(Constant(constant: constant, labs: labs.count, way: way))
    }
    profile = merged
    constants = ways
  }

  /// Names joined, or as many as fit.
  private static func name(_ profiles: [SystemProfile]) -> String {
    let all = profiles.map(\.name).joined(separator: " + ")
    return all.count <= longestName ? all : "\(profiles.count) profiles"
  }

  private static let longestName = 60

  private static func measurement(_ profiles: [SystemProfile], _ program: String) -> SystemProfile.Measurement {
    let all = profiles.map(\.measurement)
    var sum = SystemProfile.Measurement()
    let systems = all.compactMap(\.system).eachOnce
    sum.system = systems.isEmpty ? nil : systems.joined(separator: ", ")
    let (days, runs) = (all.compactMap(\.days), all.compactMap(\.runs))
    sum.days = days.isEmpty ? nil : days.reduce(0, +)
    sum.runs = runs.isEmpty ? nil : runs.reduce(0, +)
    sum.program = program
    let licences = all.map(\.licence).eachOnce
    sum.licence = licences.count == 1 ? licences[0] : nil
    for phones in all.flatMap(\.phones) {
      if let place = sum.phones.firstIndex(where: { $0.model == phones.model }) {
        sum.phones[place].count += phones.count
      } else {
        sum.phones.append(phones)
      }
    }
    return sum
  }

  /// Observations and phones added up; nobody knows the phones where one lab does not.
  private static func measured(_ constant: BracketConstant, _ labs: [SystemProfile]) -> MeasuredConstant {
    let parts = labs.flatMap(\.constants).filter { $0.constant == constant }
    let phones = parts.compactMap(\.phones)
    return MeasuredConstant(
      constant, method: parts.count == 1 ? parts[0].method : .pooled,
      observations: parts.reduce(0) { $0 + $1.observations },
      phones: phones.count == parts.count ? phones.reduce(0, +) : nil)
  }
}

extension SystemProfile {
  /// Takes what labs say of a constant, and tells how.
  fileprivate mutating func take(
    _ constant: BracketConstant, from labs: [SystemProfile], within limits: ClosedRange<Double>
  ) throws(NumericsError) -> ProfileMerge.Way {
    if labs.count == 1 {
      take(constant, value: labs[0], low: labs[0], high: labs[0])
      return .single
    }
    let numbers = labs.compactMap { LabConstant(constant, of: $0) }
    guard numbers.count == labs.count, Set(numbers.map(\.value.form)).count == 1 else {
      takeWidest(constant, from: labs)
      return .widest(.forms)
    }
    let scale = MergeScale(numbers)
    guard numbers.allSatisfy({ $0.low < $0.high }),
      let effects = try RandomEffects(of: numbers.map { $0.estimate(scale) })
    else {
      takeWidest(constant, from: labs)
      return .widest(.width)
    }
    let form = numbers[0].value
    form.resized(scale.natural(effects.mean), .toNearestOrAwayFromZero, within: limits).put(constant, into: &values)
    form.resized(scale.natural(effects.low), .down, within: limits).put(constant, into: &low)
    form.resized(scale.natural(effects.high), .up, within: limits).put(constant, into: &high)
    return .pooled(effects, scale, form.unit)
  }

  private mutating func takeWidest(_ constant: BracketConstant, from labs: [SystemProfile]) {
    func observations(_ lab: SystemProfile) -> Int {
      lab.constants.first { $0.constant == constant }?.observations ?? 0
    }
    // The first of equals.
    let most = labs.dropFirst().reduce(labs[0]) { observations($1) > observations($0) ? $1 : $0 }
    let least = labs.min { ($0.low.amount(of: constant) ?? 0) < ($1.low.amount(of: constant) ?? 0) }
    let greatest = labs.max { ($0.high.amount(of: constant) ?? 0) < ($1.high.amount(of: constant) ?? 0) }
    take(constant, value: most, low: least ?? most, high: greatest ?? most)
  }

  private mutating func take(
    _ constant: BracketConstant, value: SystemProfile, low least: SystemProfile, high greatest: SystemProfile
  ) {
    constant.copy(from: value.values, to: &values)
    constant.copy(from: least.low, to: &low)
    constant.copy(from: greatest.high, to: &high)
  }
}
