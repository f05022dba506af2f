public import Scenario
package import ScenarioFiles

/// A fleet of phones with widgets, servers and goals, in the terms of a scenario file (Docs/scenario-reference.yaml).
///
/// ```swift
/// var scenario = try Scenario([
///   "schema": "widgetfleet/v1", "name": "news", "clock": ["start": "2027-01-18T00:00:00Z"],
///   "kinds": ["headlines": ["reload": ["after": "1h"], "requests": [["endpoint": "api", "down": "20kB"]]]],
///   "fleet": [
///     "devices": "100k",
///     "cohorts": [["name": "readers", "zones": ["UTC": "100%"], "widgets": [["kind": "headlines"]]]],
///   ],
///   "backend": ["endpoints": ["api": ["capacity": "50/s"]]],
/// ])
/// try scenario.set("backend.endpoints.api.capacity", to: .perSecond(60))
/// ```
///
/// `WidgetFleetFiles` reads scenarios from YAML.
public struct Scenario: Sendable {
  /// The text of the scenario, to which the settings are applied.
  private let source: [UInt8]
  private let fileName: String
  private let files: NamedFiles
  private var settings: [SetArgument] = []
  /// The providers, which are reused after each change of the values.
  private var codes: [(name: String, code: ProviderCode)] = []
  /// The typed values.
  package private(set) var values: ScenarioValues
  /// The problems that do not prevent a run, as the program prints them.
  public private(set) var warnings: [String] = []

  /// Creates a scenario from keys and values like those of a file.
  ///
  /// - Throws: `ScenarioError` with all problems.
  public init(_ keys: ScenarioValue) throws(ScenarioError) {
    try self.init(text: Array(keys.text.utf8), fileName: "scenario", files: .only(nil))
  }

  /// Creates a scenario from the text of a file.
  ///
  /// - Parameters:
  ///   - fileName: the name of the file in problems.
  ///   - files: the reader for the profile that the scenario names.
  package init(text: [UInt8], fileName: String, files: NamedFiles) throws(ScenarioError) {
    (source, self.fileName, self.files) = (text, fileName, files)
    values = ScenarioValues()
    try read()
  }

  /// The name of the scenario.
  public var name: String { values.name }

  /// Sets the value of a key, whose path is written as in the program's `--set`.
  ///
  /// ```swift
  /// try scenario.set("kinds.headlines.reload.after", to: "30min")
  /// ```
  ///
  /// - Throws: `ScenarioError` if there is no such key or the value is invalid for it; the scenario is then unchanged.
  public mutating func set(_ key: String, to value: ScenarioValue) throws(ScenarioError) {
    var changed = self
    changed.settings.append(SetArgument(key + "=" + value.text, option: "set"))
    try changed.read()
    self = changed
  }

  /// Uses code in place of a reload policy, for the kinds that have `reload: {provider: NAME}` and for the kind
  /// with this name.
  ///
  /// ```swift
  /// scenario.use(FlightProvider(), for: "flight")
  /// ```
  ///
  /// - Precondition: a kind has this name or names this provider.
  @inlinable
  public mutating func use(_ provider: some SimulatedTimelineProvider, for name: String) {
    use(ProviderCode(provider), for: name)
  }

  /// Uses the type-erased code of a provider.
  public mutating func use(_ code: ProviderCode, for name: String) {
    codes.append((name, code))
    precondition(values.add(code, for: name), "no kind is named '\(name)' or has the provider '\(name)'")
  }

  private mutating func read() throws(ScenarioError) {
    let outcome = ScenarioReader.read(text: source, fileName: fileName, settings: settings, files: files)
    guard let read = outcome.scenario else { throw ScenarioError(outcome.diagnostics.map(\.humanText)) }
    values = read
    for (name, code) in codes { values.add(code, for: name) }
    warnings = outcome.warnings.map(\.humanText)
  }
}

/// The problems of a scenario, each with its location and, if there is one, a fix.
///
/// ```swift
/// do { try scenario.set("run.simulate", to: "many") } catch { print(error) }
/// ```
public struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problems, as the program prints them.
  public let problems: [String]

  package init(_ problems: [String]) { self.problems = problems }

  /// The problems, separated by blank lines.
  public var description: String { problems.joined(separator: "\n") }
}

extension ScenarioValues {
  /// Adds code for a provider's name, and returns whether a kind uses it.
  @discardableResult
  fileprivate mutating func add(_ code: ProviderCode, for name: String) -> Bool {
    providers.add(code, named: name, for: &kinds)
  }
}
