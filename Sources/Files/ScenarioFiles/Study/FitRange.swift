import Scenario
internal import SimulationKernel

/// A key in `calibrate.fit`, with the range in which a fit by simulation searches for its value.
package struct FitRange: Sendable {
  package let path: String
  /// The unit in which values of the key are written.
  package let amount: Amount
  let steps: [PathStep]
  private let range: SweepRange
  /// The value in the file, in the unit used by `value(at:)`; `nil` if the file does not contain the key.
  package let own: Double?
  /// The value as written in the file; empty if the file does not contain the key.
  package let ownText: String

  package enum Amount: Sendable {
    /// A time span in seconds.
    case span
    /// A share from 0 to 1.
    case share
    case number
    /// A rate per day.
    case daily
    /// A rate per second.
    case rate
  }

  /// The maximum ratio between the ends of a range for which the search is linear. For larger ratios, the search is
  /// logarithmic.
  private static let linearLimit = 4.0

  /// Reads a key with a range, or with the word that selects its built-in range; returns `nil` if the value is invalid.
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

  /// Returns the size of the unit in the unit of `Scalars.measure`.
  private static func unit(of amount: Amount) -> Double {
    switch amount {
    case .span: 1_000
    case .share, .number: 1
    case .daily: (try? Quantities.rate("1/day")).map { Double($0.count) } ?? 1
    case .rate: (try? Quantities.rate("1/s")).map { Double($0.count) } ?? 1
    }
  }

  /// Returns the position within the range that corresponds to a fraction of the search scale, where 0 is the low end
  /// and 1 is the high end.
  private func place(ofFraction fraction: Double) -> Double {
    let (minimum, maximum) = range.measures
    guard minimum > 0, maximum / minimum >= Self.linearLimit else { return fraction }
    return (minimum * SteadyMath.exp(fraction * SteadyMath.log(maximum / minimum)) - minimum) / (maximum - minimum)
  }

  /// Returns a value between the ends of the range, for example a duration in seconds or a share from 0 to 1.
  ///
  /// - Parameter fraction: a position from 0 to 1, on a logarithmic scale if the ends are far apart.
  package func value(at fraction: Double) -> Double {
    let (minimum, maximum) = range.measures
    // The ends are returned exactly as in the file, because computing logarithms would introduce rounding errors.
    let measure =
      fraction >= 1 ? maximum : fraction <= 0 ? minimum : minimum + place(ofFraction: fraction) * (maximum - minimum)
    return measure / Self.unit(of: amount)
  }

  func setting(at fraction: Double) -> Setting {
    let node = range.value(at: place(ofFraction: min(max(fraction, 0), 1)))
    return Setting(steps: steps, value: node, option: "calibrate.fit")
  }
}

extension Node {
  /// Returns the node at a path whose components are mapping keys, or names or indices of list items; `nil` if there is
  /// none.
  func value(at steps: ArraySlice<PathStep>) -> Node? {
    guard let step = steps.first else { return self }
    let number = Int(step.text).flatMap { items?.indices.contains($0) == true ? items?[$0] : nil }
    let next = self[step.text] ?? items?.first { $0["name"]?.text == step.text } ?? number
    return next?.value(at: steps.dropFirst())
  }
}

/// The ranges for keys that are fitted without an explicit range. They are so wide that the log, rather than the range,
/// determines the value (Docs/CALIBRATION.md).
enum BuiltInRange {
  /// The word that selects the built-in range in `calibrate.fit`.
  static let word = "prior"

  /// The built-in ranges, each with the path suffix that it applies to.
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

  /// Returns the built-in range for a path; `nil` if there is none.
  static func of(_ path: String) -> String? {
    all.first { path == $0.path || path.hasSuffix("." + $0.path) }?.range
  }
}
