package import Calibration
import Scenario
import SimulationKernel

/// Profiles of several labs as one: each constant with how much the labs differ, for a terminal.
package func mergedProfileTable(of merge: ProfileMerge) -> [UInt8] {
  let header = ["constant", "labs", "value", "low", "high", "tau", "I^2"]
  let profile = merge.profile
  let rows = merge.constants.map { merged in
    let ends = [profile.values, profile.low, profile.high].map { MeasuredText.value(merged.constant, $0) }
    return ["os." + merged.constant.rawValue, String(merged.labs)] + ends + merged.between
  }
  var lines = folded("profile \(profile.name)") + [""]
  lines += alignedLines([header] + rows, numberColumns: [1, 2, 3, 4, 5, 6])
  for note in merge.notes { lines += [""] + folded(note) }
  return Array((lines.joined(separator: "\n") + "\n").utf8)
}

extension ProfileMerge {
  /// What stands above the merged profile in its file.
  package var remark: String { "Merged by random effects (widgetfleet profile); tau: what labs differ by." }

  /// What stands above each constant, in their order.
  package var remarks: [String] { constants.map { plain($0.remark) } }

  /// What a planner must know of the ends.
  fileprivate var notes: [String] {
    var notes: [String] = []
    if constants.contains(where: { $0.labs == 2 && $0.isPooled }) {
      notes.append(
        "Two labs hardly tell how much labs differ: ends of such constants are 12.7 standard errors from the value "
          + "(Student's t with one degree of freedom). Plan with each lab's own profile until there is a third.")
    }
    for merged in constants where !merged.isPooled { notes.append("os.\(merged.constant.rawValue): \(merged.remark)") }
    if systems.count > 1 {
      notes.append(
        "Measured on several systems (\(systems.joined(separator: ", "))): tau holds what differs between them, too.")
    }
    return notes
  }
}

extension ProfileMerge.Constant {
  fileprivate var isPooled: Bool {
    if case .pooled = way { true } else { false }
  }

  /// tau and I^2; empty where nothing was pooled.
  fileprivate var between: [String] {
    guard case .pooled(let effects, let scale, let unit) = way else { return ["", ""] }
    return [Self.text(effects.deviation, scale, unit), NumberText.percent(effects.excess)]
  }

  fileprivate var remark: String {
    switch way {
    case .single: "of one lab: how labs differ is not known"
    case .pooled: "\(labs) labs, tau \(between[0]), I^2 \(between[1])"
    case .widest(.forms): "\(labs) labs with laws of several forms: the widest bracket"
    case .widest(.width): "\(labs) labs, one without an interval: the widest bracket"
    }
  }

  /// On the logarithmic scale as a factor.
  private static func text(_ deviation: Double, _ scale: MergeScale, _ unit: MergeUnit) -> String {
    if case .logarithmic = scale { return "x " + NumberText.text(SteadyMath.exp(deviation)) }
    return switch unit {
    case .milliseconds: TimeText.span(.milliseconds(Int64(deviation.rounded())))
    case .fractions: NumberText.percent(deviation)
    case .numbers: NumberText.text(deviation)
    case .millionthsPerDay: NumberText.text(deviation / 1_000_000) + "/day"
    }
  }
}
