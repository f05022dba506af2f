package import Scenario

/// One setting of a sweep, with its values and the resulting scenario.
package struct SweepSetting: Sendable {
  /// The values of the axes in this setting.
  package var values: [SweepValue]
  package var scenario: Scenario
}

/// A reader for the keys that a sweep varies, given on the command line or in the file. It creates one scenario for
/// each setting.
package enum SweepReader {
  package struct Outcome: Sendable {
    package var method = SweepMethod.grid
    package var axes: [SweepAxis] = []
    /// The settings; empty if `diagnostics` contains an error.
    package var settings: [SweepSetting] = []
    /// The scenario before it is varied; `nil` if `diagnostics` contains an error.
    package var base: Scenario?
    package var diagnostics: [Diagnostic] = []
  }

  /// A function that returns points in the unit cube, or `nil` if it does not support the number of axes.
  package typealias Sampler = (_ points: Int, _ axes: Int) -> [[Double]]?

  /// The maximum number of settings. A larger number is considered a mistake.
  package static let maxSettings = 10_000

  package static func read(
    text bytes: [UInt8], fileName: String, settings: [SetArgument], options: SweepOptions,
    files: NamedFiles = .none, sampler: Sampler
  ) -> Outcome {
    var problems = ProblemList(file: SourceText(file: fileName, bytes), files: files)
    guard let root = ScenarioReader.tree(settings, problems: &problems),
      let base = ScenarioReader.scenario(of: root, problems: &problems),
      let plan = SweepPlan.read(root, options, problems: &problems)
    else { return Outcome(diagnostics: problems.diagnostics) }
    var outcome = Outcome(method: plan.method, base: base)
    let rows = plan.rows(sampler, problems: &problems)
    for (number, row) in rows.enumerated() where options.mayContinue(number, rows.count) {
      // The loop ends at the first invalid setting, because further settings would have the same problem.
      guard let scenario = plan.scenario(of: root, row, problems: &problems) else { break }
      outcome.settings.append(SweepSetting(values: plan.values(row), scenario: scenario))
    }
    guard problems.isEmpty else { return Outcome(diagnostics: problems.diagnostics) }
    outcome.axes = plan.axes(rows)
    return outcome
  }

  /// Checks the sweep in a file for commands that do not run it. Each value of each key is used at least once.
  static func check(_ root: Node, problems: inout ProblemList) {
    guard root["sweep"].map({ !$0.isNull }) == true else { return }
    guard let plan = SweepPlan.read(root, SweepOptions(), problems: &problems) else { return }
    for row in plan.sample {
      guard plan.scenario(of: root, row, problems: &problems) != nil else { return }
    }
  }
}

/// The command-line options for a sweep, which override the file.
package struct SweepOptions: Sendable {
  /// The arguments in the form `PATH=V1,V2,...` or `PATH=A..B`. If the list is empty, the keys in the file are varied.
  package var vary: [String]
  /// The method for combining values; `nil` to use the method given in the file.
  package var method: SweepMethod?
  /// The number of points to sample; `nil` to use the number given in the file.
  package var points: Int?
  /// A function called before each setting with the number of settings that have been read and the total number; it
  /// returns whether to continue.
  package var mayContinue: @Sendable (_ done: Int, _ count: Int) -> Bool = { _, _ in true }

  package init(vary: [String] = [], method: SweepMethod? = nil, points: Int? = nil) {
    self.vary = vary
    self.method = method
    self.points = points
  }
}

/// The validated keys and method of a sweep, from which settings are created.
struct SweepPlan {
  var method: SweepMethod
  /// The number of settings taken from the Sobol sequence.
  var points: Int
  var keys: [VariedKey]

  /// Reads the plan of a sweep; returns `nil` if there is a problem.
  static func read(_ root: Node, _ options: SweepOptions, problems: inout ProblemList) -> SweepPlan? {
    let section = root["sweep"]
    let method = options.method ?? section?["method"]?.text.flatMap(SweepMethod.init) ?? .grid
    let written = section?["points"]
    var plan = SweepPlan(method: method, points: 0, keys: keys(options.vary, root, &problems))
    for index in plan.keys.indices { plan.keys[index].settle(method, root, problems: &problems) }
    plan.points = options.points ?? written?.text.flatMap { try? PlainNumbers.integer($0) }.map { Int($0) } ?? 0
    plan.checkPoints(written, options, section, &problems)
    plan.checkSize(&problems)
    return problems.isEmpty ? plan : nil
  }

  private static func keys(_ vary: [String], _ root: Node, _ problems: inout ProblemList) -> [VariedKey] {
    var keys: [VariedKey] = []
    if vary.isEmpty {
      for pair in root["sweep"]?["vary"]?.pairs ?? [] {
        if let key = VariedKey(pair: pair, problems: &problems) { keys.append(key) }
      }
    }
    for text in vary {
      if let key = VariedKey(argument: problems.add(argument: "--vary", text), problems: &problems) { keys.append(key) }
    }
    if keys.isEmpty, problems.isEmpty {
      problems.add(
        .missingKey, at: nil, "there is nothing to vary",
        help: "add --vary PATH=V1,V2, or a sweep with the keys to vary")
    }
    for (index, key) in keys.enumerated() where keys[..<index].contains(where: { $0.path == key.path }) {
      problems.add(.duplicateName, at: key.span, "\(key.path.quoted) is varied twice", note: "the second time")
    }
    return keys
  }

  private func checkPoints(
    _ written: Node?, _ options: SweepOptions, _ section: Node?, _ problems: inout ProblemList
  ) {
    if method == .sobol, points == 0 {
      problems.add(
        .missingKey, at: options.method == nil ? section?["method"]?.span : nil,
        "\(method.rawValue) needs a number of settings", note: "how many?",
        help: "add --points 64, or points: 64 to the scenario's sweep")
    }
    guard method != .sobol, options.points != nil || options.method == nil && written != nil else { return }
    problems.add(
      .conflictingKeys, at: options.points == nil ? written?.span : nil,
      "\(method.rawValue) takes its settings from the values, not from points", note: "for other methods",
      help: "remove points, or use the sobol method")
  }

  private func checkSize(_ problems: inout ProblemList) {
    guard problems.isEmpty, let first = keys.first else { return }
    if method == .zip {
      for key in keys where key.values.count != first.values.count {
        problems.add(
          .wrongLength, at: key.span, "zip needs the same number of values for each key",
          note: "\(key.values.count) instead of \(first.values.count)",
          help: "give \(first.values.count) values, or use the grid method")
      }
    }
    guard count > SweepReader.maxSettings else { return }
    problems.add(
      .tooBig, at: first.span, "the sweep has more than \(SweepReader.maxSettings) settings", note: "too many")
  }

  /// The number of settings. For a grid, counting stops once the maximum is exceeded.
  private var count: Int {
    switch method {
    case .grid: keys.reduce(1) { min($0 * $1.values.count, SweepReader.maxSettings + 1) }
    case .zip: keys.first?.values.count ?? 0
    case .sobol: points
    }
  }

  /// Returns the values of the keys in each setting; empty if there is a problem.
  func rows(_ sampler: SweepReader.Sampler, problems: inout ProblemList) -> [[Node]] {
    switch method {
    case .grid: return (0..<count).map(gridRow)
    case .zip: return (0..<count).map { number in keys.map { $0.values[number] } }
    case .sobol:
      guard let places = sampler(points, keys.count) else {
        problems.add(
          .tooBig, at: keys[0].span, "\(method.rawValue) cannot vary \(keys.count) keys", note: "the first of them",
          help: "vary fewer keys")
        return []
      }
      return places.map { row in zip(keys, row).map { $0.value(at: $1) } }
    }
  }

  private func gridRow(_ number: Int) -> [Node] {
    var rest = number
    return keys.reversed().map { key in
      defer { rest /= key.values.count }
      return key.values[rest % key.values.count]
    }.reversed()
  }

  /// The smallest set of settings that includes each listed value of each key and both ends of each range.
  var sample: [[Node]] {
    let choices = keys.map { $0.range?.ends ?? $0.values }
    let maximum: Int = choices.map(\.count).max() ?? 0
    return (0..<maximum).map { number -> [Node] in choices.map { $0[number % $0.count] } }
  }

  /// Returns the scenario for a setting; `nil` if there is a problem.
  func scenario(of root: Node, _ row: [Node], problems: inout ProblemList) -> Scenario? {
    ScenarioReader.scenario(of: root, with: zip(keys, row).map { $0.setting($1) }, problems: &problems)
  }

  func values(_ row: [Node]) -> [SweepValue] { zip(keys, row).map { SweepValue($1, $0.amountTypes) } }

  /// Returns the axes, limited to values that occur in the settings.
  func axes(_ rows: [[Node]]) -> [SweepAxis] {
    keys.indices.map { index in keys[index].axis(taken: rows.map { $0[index] }) }
  }
}
