import Scenario
internal import SimulationKernel

/// A key of `calibrate.fit` with a range, that a fit by simulation may put anywhere in it.
package struct FitRange: Sendable {
  package let path: String
  /// What its values are, for whoever writes them.
  package let amount: Amount
  let steps: [PathStep]
  private let range: SweepRange
  /// The file's own value, in the unit of `value(at:)`; nil: the file leaves it out.
  package let own: Double?
  /// As the file writes it; empty: the file leaves it out.
  package let ownText: String

  package enum Amount: Sendable {
    /// Seconds.
    case span
    /// From 0 to 1.
    case share
    case number
  }

  /// Ends whose ratio is larger are searched by the logarithm.
  private static let mostLinear = 4.0
  private static let millisecondsPerSecond = 1_000.0

  /// Reads a key and its range; nil for what is no range of one amount, and after a problem.
  init?(_ setting: Setting, in root: Node, problems: inout ProblemList) {
    guard let text = setting.value.text, text.contains("..") else { return nil }
    steps = setting.steps
    path = steps.map(\.text).joined(separator: ".")
    guard let target = SettingApplier.target(of: setting, in: root, problems: &problems),
      let range = SweepRange(setting.value, target, path: path, problems: &problems)
    else { return nil }
    switch range.type {
    case .duration: amount = .span
    case .share: amount = .share
    case .number, .integer, .count: amount = .number
    default: return nil
    }
    self.range = range
    let written = root.value(at: steps[...])
    ownText = written?.text ?? ""
    own = written.flatMap { try? Scalars.measure($0, as: range.type) }.map {
      range.type == .duration ? $0 / Self.millisecondsPerSecond : $0
    }
  }

  /// From 0 at the low end to 1 at the high end.
  private func place(ofFraction fraction: Double) -> Double {
    let (least, most) = range.measures
    guard least > 0, most / least >= Self.mostLinear else { return fraction }
    return (least * SteadyMath.exp(fraction * SteadyMath.log(most / least)) - least) / (most - least)
  }

  /// The value between the ends: of spans in seconds, of shares from 0 to 1.
  ///
  /// - Parameter fraction: from 0 to 1, by the logarithm where the ends are far apart.
  package func value(at fraction: Double) -> Double {
    let (least, most) = range.measures
    // The ends are what the file says, and not what a logarithm there and back leaves of it.
    let measure =
      fraction >= 1 ? most : fraction <= 0 ? least : least + place(ofFraction: fraction) * (most - least)
    return amount == .span ? measure / Self.millisecondsPerSecond : measure
  }

  func setting(at fraction: Double) -> Setting {
    let node = range.value(at: place(ofFraction: min(max(fraction, 0), 1)))
    return Setting(steps: steps, value: node, option: "calibrate.fit")
  }
}

extension Node {
  /// What stands at a path: a key of a mapping, or an item of a list by its name; nil: nothing.
  fileprivate func value(at steps: ArraySlice<PathStep>) -> Node? {
    guard let step = steps.first else { return self }
    let next = self[step.text] ?? items?.first { $0["name"]?.text == step.text }
    return next?.value(at: steps.dropFirst())
  }
}
