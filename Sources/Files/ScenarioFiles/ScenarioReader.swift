package import Scenario

/// A reader for scenario files.
package enum ScenarioReader {
  /// The result of reading a scenario, including the errors if it could not be read.
  package struct Outcome: Sendable {
    /// The scenario; `nil` if `diagnostics` contains an error.
    package var scenario: Scenario?
    /// The errors in file order.
    package var diagnostics: [Diagnostic]
    /// The lints found in a valid scenario.
    package var lints: [Lint] = []
    /// The lints as warnings with positions, in file order.
    package var warnings: [Diagnostic] = []
    /// The tree of the file after applying settings; `nil` if the file could not be read.
    var root: Node?
    /// The source texts that positions refer to.
    fileprivate var texts: ProblemList?

    /// Rejects a valid scenario that cannot be prepared for a run, and reports the position of the part that causes
    /// this.
    package mutating func refuse(_ sentence: String, at path: [String]) {
      guard let root, var problems = texts else { return }
      LintLocations.refuse(sentence, at: path, root: root, problems: &problems)
      self = Outcome(scenario: nil, diagnostics: problems.diagnostics)
    }

    /// Adds lints found by other checks.
    package mutating func add(_ found: [Lint]) {
      guard let root, let texts, !found.isEmpty else { return }
      lints = Array((lints + found).prefix(Lint.maximum))
      warnings = LintLocations.warnings(lints, root: root, problems: texts)
    }
  }

  /// The maximum size of a scenario file in bytes. To detect a larger file, it is sufficient to read `maxBytes + 1`
  /// bytes.
  package static let maxBytes = TextCheck.maxBytes

  /// Reads a scenario from UTF-8 text, applying `settings` before the scenario is checked.
  ///
  /// - Parameter fileName: the file name to use in messages.
  /// - Parameter checksStudies: whether the `sweep` and `tune` sections are also checked.
  /// - Parameter files: the reader for the profile named in the scenario.
  package static func read(
    text bytes: [UInt8], fileName: String, settings: [SetArgument] = [], checksStudies: Bool = false,
    files: NamedFiles = .none
  ) -> Outcome {
    var problems = ProblemList(
      file: SourceText(file: fileName, bytes), files: files)
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

  /// Returns the scenario described by a tree; `nil` if there is a problem.
  static func scenario(of written: Node, problems: inout ProblemList) -> Scenario? {
    let before = problems.count
    let root = ProfileReader.expand(written, problems: &problems)
    guard problems.count == before else { return nil }
    guard TreeCheck.check(root, problems: &problems) else { return nil }
    ProfileCheck.check(root, problems: &problems)
    let builder = ScenarioBuilder(root, problems: problems)
    var scenario = builder.build()
    scenario.providers = problems.files.providers ?? ProviderTable()
    problems = builder.problems
    guard problems.isEmpty else { return nil }
    // Only the first exceeded limit is reported, because the same large numbers usually exceed several limits.
    if let excess = scenario.excesses.first { LintLocations.refuse(excess, root: root, problems: &problems) }
    return problems.isEmpty ? scenario : nil
  }

  /// Returns the scenario described by a tree after applying settings; `nil` if there is a problem.
  static func scenario(of root: Node, with settings: [Setting], problems: inout ProblemList) -> Scenario? {
    let tree = SettingApplier.apply(settings, to: root, problems: &problems)
    return problems.isEmpty ? scenario(of: tree, problems: &problems) : nil
  }

  /// Returns the tree of the file after applying settings; `nil` if no tree can be checked.
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
      .empty, at: nil, "the file contains no scenario",
      help: "start with schema: widgetfleet/v1, or create one with `widgetfleet init`")
  }
}

/// The files and providers that a scenario names; the caller reads the files, because their paths are relative to the
/// folder of the scenario.
package struct NamedFiles: Sendable {
  /// The reason why a named file could not be read, such as `No such file or directory`, worded as the end of a
  /// sentence.
  package struct Refusal: Error, Sendable {
    package var reason: String

    package init(reason: String) { self.reason = reason }
  }

  package let content: @Sendable (String) -> Result<[UInt8], Refusal>
  /// The providers of the program; `nil` if every name is accepted, because providers are registered later.
  let providers: ProviderTable?

  /// Creates the reader for named files.
  ///
  /// - Parameters:
  ///   - providers: the providers of the program; `nil` to accept every name.
  ///   - content: a function that returns the bytes of the file at a path that is given in the scenario.
  package init(
    providers: ProviderTable? = ProviderTable(),
    _ content: @escaping @Sendable (String) -> Result<[UInt8], Refusal>
  ) {
    self.providers = providers
    self.content = content
  }

  /// Returns a reader without files for scenarios that name providers.
  package static func only(_ providers: ProviderTable?) -> NamedFiles {
    NamedFiles(providers: providers, none.content)
  }

  /// A reader for scenarios that name no other files, such as resolved scenarios.
  package static let none = NamedFiles { _ in .failure(Refusal(reason: "no other file is read for this scenario")) }
}
