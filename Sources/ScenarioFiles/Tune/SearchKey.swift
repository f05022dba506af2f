import Scenario

/// A key that tuning may change, with what it may become.
package struct SearchKey: Sendable {
  enum Choice: Sendable {
    case range(SweepRange)
    /// As they stand in the list.
    case words([Node])
  }

  let steps: [PathStep]
  let choice: Choice
  /// Where it was said: `tune.search` or `--search`.
  let origin: String

  package var path: String { steps.map(\.text).joined(separator: ".") }

  package var levels: Int {
    switch choice {
    case .range(let range): range.levels
    case .words(let nodes): nodes.count
    }
  }

  /// Whether neighbouring levels are alike.
  package var isOrdered: Bool {
    if case .range = choice { return true }
    return false
  }

  /// Levels from the low to the high end in quarters, or all words, each with its value as the file would have it.
  package var ticks: [(level: Int, text: String)] {
    let last = levels - 1
    let places = isOrdered ? Set([0, last / 4, last / 2, last * 3 / 4, last]).sorted() : Array(0..<levels)
    return places.map { ($0, text(at: $0)) }
  }

  /// The value at a level, as the file would have it.
  package func text(at level: Int) -> String { node(at: level).flowText }

  func node(at level: Int) -> Node {
    switch choice {
    case .range(let range): range.value(level: level)
    case .words(let nodes): nodes[level]
    }
  }

  func setting(at level: Int) -> Setting { Setting(steps: steps, value: node(at: level), option: origin) }
}

extension SearchKey {
  /// What tuning cannot be about, by the first parts of the path.
  private static let foreign: Set<String> = [
    "schema", "name", "description", "goals", "sweep", "tune", "calibrate", "run.seed", "run.replications",
  ]

  /// Reads a key of `tune.search` or `--search`; nil after a problem.
  init?(_ pair: Node.Pair, in root: Node, problems: inout ProblemList) {
    let isArgument = problems.sources[pair.keySpan.source].name.hasPrefix(TuneOptions.searchOption)
    origin = isArgument ? TuneOptions.searchOption : "tune.search"
    steps = Setting.steps(ofKey: pair)
    let path = pair.key.printable(longest: 80)
    let heads = [steps[0].text, steps.prefix(2).map(\.text).joined(separator: ".")]
    guard steps.count <= Setting.mostSteps, !heads.contains(where: Self.foreign.contains) else {
      problems.add(
        .settingPath, at: pair.keySpan, "\(origin) names nothing that can be tuned", note: "not a policy",
        help: "a path is such as kinds.weather.jitter.up_to")
      return nil
    }
    if let items = pair.value.items {
      guard items.count > 1, !items.contains(where: \.isNull) else {
        problems.add(
          .nothingThere, at: pair.value.span, "\(path.quoted) has nothing to choose from", note: "two values at least",
          help: "values have commas between: [at-end, never]")
        return nil
      }
      choice = .words(items)
      return
    }
    guard pair.value.text != nil, !pair.value.isNull else {
      problems.add(
        .wrongShape, at: pair.value.span, "\(path.quoted) takes a range or a list of values", note: "neither of them",
        help: "a range such as 0s..30min, or a list such as [1h, 2h]")
      return nil
    }
    let probe = Setting(steps: steps, value: pair.value, option: origin)
    guard let target = SettingApplier.target(of: probe, in: root, problems: &problems),
      let range = SweepRange(pair.value, target, path: path, problems: &problems)
    else { return nil }
    choice = .range(range)
  }
}
