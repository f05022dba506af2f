/// Readers of bytes from outside, and fleets described by bytes, as targets of fuzzing.
///
/// `make fuzz-deep` fuzzes them, and `make test` gives them the stored inputs of Tests/Fuzz/Corpus.
package enum Harness: String, CaseIterable, Sendable {
  /// A scenario file; a valid one must have the same meaning as its resolved text.
  case scenario
  /// Lines of `--set PATH=VALUE` over a valid scenario.
  case settings
  /// The text of a goal.
  case goal
  /// The text of a condition of `compare --fail-on`.
  case change
  /// run.bin, without its head and its seal.
  case folder
  /// The text of conditions.csv.
  case conditions
  /// The database runs.sqlite of sweeps and tuning.
  case store
  /// A log of requests, of any format that is recognised.
  case log
  /// Lines of WidgetFleetProbe.
  case telemetry
  /// Choices of numbers at the ends, in counts, logs and telemetry, up to the pages that are made of them.
  case numbers
  /// A profile of an operating system.
  case profile
  /// The stored work of a rank, for resuming a replication.
  case journal
  /// The choices of a valid scenario, of which 20 phones are simulated.
  case life

  /// Returns a function that takes one input and returns a sentence on the promise that it breaks; `nil` without one.
  ///
  /// - Throws: if the state that all inputs share cannot be made.
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

  /// Returns the initial inputs of fuzzing, which the corpus need not have.
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

  /// Bytes that choose, different for each number.
  private static func choices(_ count: Int, _ number: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ number &* 89) }
  }
}

/// An error: the shared state of a harness's inputs could not be made.
struct Unprepared: Error {
  var reason: String
}
