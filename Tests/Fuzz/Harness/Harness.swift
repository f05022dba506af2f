/// Readers of external bytes, and fleets described by bytes, as fuzzing targets.
///
/// `make fuzz-deep` fuzzes them, and `make test` runs them on the stored inputs of Tests/Fuzz/Corpus.
package enum Harness: String, CaseIterable, Sendable {
  /// A scenario file; if valid, it must mean the same as its resolved text.
  case scenario
  /// Lines of `--set PATH=VALUE` applied to a valid scenario.
  case settings
  /// The text of a goal.
  case goal
  /// The text of a condition of `compare --fail-on`.
  case change
  /// A run.bin file, without header and checksum.
  case folder
  /// The text of conditions.csv.
  case conditions
  /// The runs.sqlite database of sweeps and tunings.
  case store
  /// A request log in any recognized format.
  case log
  /// Lines of WidgetFleetProbe.
  case telemetry
  /// Choices of extreme numbers in counts, logs and telemetry, through to the pages made from them.
  case numbers
  /// A profile of an operating system.
  case profile
  /// A rank's stored work, for resuming a replication.
  case journal
  /// The choices that make a valid scenario, of which 20 phones are simulated.
  case life

  /// Returns a function that takes an input and returns a sentence about the promise it breaks; `nil` if none.
  ///
  /// - Throws: if the state shared by all inputs cannot be created.
  package func prepared() throws -> ([UInt8]) -> String? {
    switch self {
    case .scenario: TextReaders.scenario
    case .settings: TextReaders.settings
    case .goal: try TextReaders.goal()
    case .change: try TextReaders.change()
    case .profile: TextReaders.profile
    case .folder: SmallFolder.broken
    case .conditions: try EngineReaders().conditions
    case .journal: try EngineReaders().journal
    case .store: try FileReaders(of: self).store
    case .log: try FileReaders(of: self).log
    case .telemetry: FileReaders.telemetry
    case .numbers: try ExtremeNumbers(path: FileReaders(of: self).path).broken
    case .life: Life.broken
    }
  }

  /// Returns the initial fuzzing inputs, which need not be in the corpus.
  package func seeds() throws -> [[UInt8]] {
    switch self {
    case .scenario: [Array(SmallFolder.text.utf8)] + (0..<20).map { Array(Life.text(of: $0).utf8) }
    case .settings, .goal, .change, .profile, .telemetry, .log: Samples.texts(of: self).map { Array($0.utf8) }
    case .folder: [try SmallFolder().results.fields]
    case .conditions: [try EngineReaders().conditionsSeed()]
    case .journal: [try EngineReaders().journalSeed()]
    case .store: [try FileReaders(of: self).storeSeed()]
    case .life: (0..<20).map { Self.choices(200, $0) }
    case .numbers: (0..<40).map { [UInt8($0 % 4), UInt8($0 / 8)] + Self.choices(1 + $0 % 7, $0) }
    }
  }

  /// Returns bytes to choose by, different for each number.
  private static func choices(_ count: Int, _ number: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ number &* 89) }
  }
}

/// The error that the state shared by a harness's inputs could not be created.
struct Unprepared: Error {
  var reason: String
}
