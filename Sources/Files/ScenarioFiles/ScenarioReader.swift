package import Scenario

/// Reads the text of a scenario file.
package enum ScenarioReader {
  /// A scenario, or the reasons why there is none.
  package struct Outcome: Sendable {
    /// nil when `diagnostics` hold an error.
    package var scenario: Scenario?
    /// All errors, in the order of the text.
    package var diagnostics: [Diagnostic]
    /// What is odd about a scenario that is valid.
    package var lints: [Lint] = []
    /// Lints with their places, in the order of the text.
    package var warnings: [Diagnostic] = []
    /// What was written, settings included; nil where nothing could be read.
    var root: Node?
    /// The texts that places are looked up in.
    fileprivate var texts: ProblemList?

    /// Refuses a scenario that is right but cannot be prepared for a run, at the part for which that is so.
    package mutating func refuse(_ sentence: String, at path: [String]) {
      guard let root, var problems = texts else { return }
      LintPlaces.refuse(sentence, at: path, root: root, problems: &problems)
      self = Outcome(scenario: nil, diagnostics: problems.diagnostics)
    }

    /// Adds lints that others have found.
    package mutating func add(_ found: [Lint]) {
      guard let root, let texts, !found.isEmpty else { return }
      lints = Array((lints + found).prefix(Lint.most))
      warnings = LintPlaces.warnings(lints, root: root, problems: texts)
    }
  }

  /// The largest file that is read, in bytes: of a larger one the first `mostBytes + 1` are enough.
  package static let mostBytes = TextCheck.mostBytes

  /// Reads UTF-8 text, with `settings` replacing parts of it before anything is checked.
  ///
  /// - Parameter fileName: shown in messages.
  /// - Parameter checksStudies: whether what the file sweeps and tunes must be right, too.
  /// - Parameter files: where the profile is read that the text names.
  package static func read(
    text bytes: [UInt8], fileName: String, settings: [SetArgument] = [], checksStudies: Bool = false,
    files: NamedFiles = .none
  ) -> Outcome {
    var problems = ProblemList(
      file: SourceText(name: fileName, bytes: TextCheck.withoutMark(bytes)), files: files)
    guard let root = tree(settings, problems: &problems), let scenario = scenario(of: root, problems: &problems) else {
      return Outcome(scenario: nil, diagnostics: problems.diagnostics)
    }
    if checksStudies {
      SweepReader.check(root, problems: &problems)
      TuneReader.check(root, scenario, problems: &problems)
      CalibrationReader.check(root, scenario, problems: &problems)
    }
    guard problems.isEmpty else { return Outcome(scenario: nil, diagnostics: problems.diagnostics) }
    var outcome = Outcome(scenario: scenario, diagnostics: [], root: root, texts: problems)
    outcome.add(Lint.all(of: scenario, offsets: Zones.offsets(of: scenario)))
    return outcome
  }

  /// What a tree says; nil after a problem.
  static func scenario(of written: Node, problems: inout ProblemList) -> Scenario? {
    let before = problems.count
    let root = ProfileReader.expand(written, problems: &problems)
    guard problems.count == before else { return nil }
    guard TreeCheck.check(root, problems: &problems) else { return nil }
    ProfileCheck.check(root, problems: &problems)
    let builder = ScenarioBuilder(root, problems: problems)
    let scenario = builder.build()
    problems = builder.problems
    guard problems.isEmpty else { return nil }
    // The first says most: where one product is too large, others made of the same numbers are too.
    if let excess = scenario.excesses.first { LintPlaces.refuse(excess, root: root, problems: &problems) }
    return problems.isEmpty ? scenario : nil
  }

  /// What a tree with some settings in it says; nil after a problem.
  static func scenario(of root: Node, with settings: [Setting], problems: inout ProblemList) -> Scenario? {
    let tree = SettingApplier.apply(settings, to: root, problems: &problems)
    return problems.isEmpty ? scenario(of: tree, problems: &problems) : nil
  }

  /// The tree of the file with the settings in it; nil when there is none to check.
  static func tree(_ settings: [SetArgument], problems: inout ProblemList) -> Node? {
    let root = TreeReader.read(source: 0, problems: &problems)
    let parsed = settings.compactMap { argument -> Setting? in
      let source = problems.add(argument: argument.option, argument.text)
      return Setting.read(source: source, option: argument.option, problems: &problems)
    }
    guard let root, !root.isNull else {
      if problems.isEmpty { refuseEmpty(&problems) }
      return nil
    }
    return Shorthand.expand(SettingApplier.apply(parsed, to: root, problems: &problems), at: "")
  }

  private static func refuseEmpty(_ problems: inout ProblemList) {
    problems.add(
      .empty, at: nil, "there is no scenario in the file",
      help: "it begins with schema: widgetfleet/v1; `widgetfleet init` makes one to start from")
  }
}

/// The files that a scenario names, read by whoever knows where the scenario came from.
package struct NamedFiles: Sendable {
  /// Why a named file has no content: a sentence's end, such as `No such file or directory`.
  package struct Refusal: Error, Sendable {
    package var reason: String

    package init(reason: String) { self.reason = reason }
  }

  let content: @Sendable (String) -> Result<[UInt8], Refusal>

  /// - Parameter content: bytes of the file that a path of the scenario leads to.
  package init(_ content: @escaping @Sendable (String) -> Result<[UInt8], Refusal>) { self.content = content }

  /// For texts that stand alone, as resolved scenarios do.
  package static let none = NamedFiles { _ in .failure(Refusal(reason: "no other file is read for this scenario")) }
}
