package import Scenario

/// How the values of a sweep are combined.
package enum SweepMethod: String, CaseIterable, Sendable {
  /// Every value with every other, the last key fastest.
  case grid
  /// The first values together, then the second ones, and so on.
  case zip
}

/// One scenario of a sweep.
package struct SweepSetting: Sendable {
  /// As written, one for each varied key.
  package var values: [String]
  package var scenario: Scenario
}

/// Reads what a sweep varies, from the command line or the scenario file, and makes a scenario of each setting.
package enum SweepReader {
  package struct Outcome: Sendable {
    package var method = SweepMethod.grid
    /// The paths that are varied.
    package var keys: [String] = []
    /// Empty when `diagnostics` hold an error.
    package var settings: [SweepSetting] = []
    /// The scenario with nothing varied; nil when `diagnostics` hold an error.
    package var base: Scenario?
    package var diagnostics: [Diagnostic] = []
  }

  /// More settings are taken for a mistake.
  package static let mostSettings = 10_000

  /// - Parameter vary: `PATH=V1,V2,...` of the command line: instead of what the file varies.
  /// - Parameter method: nil: that of the file.
  package static func read(
    text bytes: [UInt8], fileName: String, settings: [SetArgument], vary: [String], method: SweepMethod?
  ) -> Outcome {
    var problems = ProblemList(file: SourceText(name: fileName, bytes: TextCheck.withoutMark(bytes)))
    guard let root = ScenarioReader.tree(settings, problems: &problems),
      let base = ScenarioReader.scenario(of: root, problems: &problems)
    else { return Outcome(diagnostics: problems.diagnostics) }
    var outcome = Outcome(base: base)
    outcome.method = method ?? root["sweep"]?["method"]?.text.flatMap(SweepMethod.init) ?? .grid
    let keys = keys(vary, root, &problems)
    let choices = problems.isEmpty ? choices(keys, outcome.method, root, &problems) : []
    outcome.keys = keys.map(\.path)
    for choice in choices {
      let trial = zip(keys, choice).reduce(root) { tree, pair in
        SettingApplier.apply(pair.0.setting(pair.0.values[pair.1]), to: tree, problems: &problems)
      }
      // One setting that is wrong is enough: others would say the same again.
      guard problems.isEmpty, let scenario = ScenarioReader.scenario(of: trial, problems: &problems) else { break }
      outcome.settings.append(
        SweepSetting(values: zip(keys, choice).map { $0.values[$1].flowText }, scenario: scenario))
    }
    guard problems.isEmpty else { return Outcome(diagnostics: problems.diagnostics) }
    return outcome
  }

  private static func keys(_ vary: [String], _ root: Node, _ problems: inout ProblemList) -> [VariedKey] {
    var keys: [VariedKey] = []
    if vary.isEmpty {
      for pair in root["sweep"]?["vary"]?.pairs ?? [] {
        if let key = VariedKey(pair: pair, problems: &problems) { keys.append(key) }
      }
    }
    for text in vary {
      let source = problems.add(source: SourceText(name: "--vary argument", bytes: Array(text.utf8)))
      if let key = VariedKey(argument: source, problems: &problems) { keys.append(key) }
    }
    if keys.isEmpty, problems.isEmpty {
      problems.add(
        .missingKey, at: nil, "there is nothing to vary",
        help: "give --vary PATH=V1,V2 or write sweep: {vary: {kinds.weather.jitter.up_to: [0s, 5min]}}")
    }
    for (index, key) in keys.enumerated() where keys[..<index].contains(where: { $0.path == key.path }) {
      problems.add(.duplicateName, at: key.span, "\(key.path.quoted) is varied twice", note: "the second time")
    }
    return keys
  }

  /// For each setting the place of each key's value.
  private static func choices(
    _ keys: [VariedKey], _ method: SweepMethod, _ root: Node, _ problems: inout ProblemList
  ) -> [[Int]] {
    let counts = keys.map(\.values.count)
    let total: Int
    switch method {
    case .grid: total = counts.reduce(1) { min($0 * $1, mostSettings + 1) }
    case .zip:
      total = counts[0]
      for key in keys where key.values.count != total {
        problems.add(
          .wrongLength, at: key.span, "zip takes as many values of each key",
          note: "\(key.values.count) instead of \(total)",
          help: "write \(total) values, or take the method grid")
      }
    }
    guard total <= mostSettings else {
      problems.add(.tooBig, at: keys[0].span, "the sweep has more than \(mostSettings) settings", note: "too many")
      return []
    }
    guard problems.isEmpty else { return [] }
    return (0..<total).map { number in
      guard method == .grid else { return keys.map { _ in number } }
      var rest = number
      return counts.reversed().map { count in
        defer { rest /= count }
        return rest % count
      }.reversed()
    }
  }
}
