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
    /// Per day.
    case daily
    /// Per second.
    case rate
  }

  /// Ends whose ratio is larger are searched by the logarithm.
  private static let mostLinear = 4.0

  /// Reads a key and its range, or the word for the built-in one; nil for what is no range of one amount, and after a
  /// problem.
  init?(_ setting: Setting, in root: Node, problems: inout ProblemList) {
    steps = setting.steps
    path = steps.map(\.text).joined(separator: ".")
    let builtIn = setting.value.text == BuiltInRange.word ? BuiltInRange.of(path) : nil
    let written = builtIn.map { Node(content: .scalar($0, isPlain: true), span: setting.value.span) } ?? setting.value
    guard written.text?.contains("..") ?? false,
      let target = SettingApplier.target(of: setting, in: root, problems: &problems),
      let range = SweepRange(written, target, path: path, problems: &problems)
    else { return nil }
    switch range.type {
    case .duration: amount = .span
    case .share: amount = .share
    case .number, .integer, .count: amount = .number
    case .rate: amount = range.suffix == "/s" ? .rate : .daily
    default: return nil
    }
    self.range = range
    let value = root.value(at: steps[...])
    ownText = value?.text ?? ""
    let unit = Self.unit(of: amount)
    own = value.flatMap { try? Scalars.measure($0, as: range.type) }.map { $0 / unit }
  }

  /// What `Scalars.measure` counts in one of it.
  private static func unit(of amount: Amount) -> Double {
    switch amount {
    case .span: 1_000
    case .share, .number: 1
    case .daily: (try? Quantities.rate("1/day")).map { Double($0.count) } ?? 1
    case .rate: (try? Quantities.rate("1/s")).map { Double($0.count) } ?? 1
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
    return measure / Self.unit(of: amount)
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

/// Ranges of keys that a fit may look for without being told where: so wide that the log decides (Docs/CALIBRATION.md).
enum BuiltInRange {
  /// The word for it in `calibrate.fit`.
  static let word = "prior"

  /// The ends of paths, with their ranges.
  static let all: [(path: String, range: String)] = [
    ("unlocks_per_day.lognormal.median", "10..250"),
    ("unlocks_per_day.lognormal.sigma", "0.2..1.2"),
    ("day_variation", "1..20"),
    ("glances_per_unlock", "0.5..3"),
    ("home_visits", "0.3..4"),
    ("idle.after", "30min..6h"),
    ("idle.give_up", "1h..12h"),
    ("stale_view_grace", "2min..1h"),
    ("stale_view_reload.rare", "0%..100%"),
    ("stale_view_reload.frequent", "0%..100%"),
    ("budget.capacity", "20/day..100/day"),
  ]

  /// nil: none is known.
  static func of(_ path: String) -> String? {
    all.first { path == $0.path || path.hasSuffix("." + $0.path) }?.range
  }
}
