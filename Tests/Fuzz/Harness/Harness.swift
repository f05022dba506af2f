/// Readers of bytes from outside, and fleets that bytes describe: what `make fuzz-deep` throws bytes at, and what
/// `make test` gives the inputs that were kept under Tests/Fuzz/Corpus.
package enum Harness: String, CaseIterable, Sendable {
  /// A scenario file; one that is read must say the same again as its resolved text.
  case scenario
  /// Lines of `--set PATH=VALUE` over a valid scenario.
  case settings
  /// The text of a goal.
  case goal
  /// The text of a condition of `compare --fail-on`.
  case change
  /// run.bin, without its head and its seal.
  case folder
  /// conditions.csv.
  case conditions
  /// runs.sqlite, as sweeps and tuning keep it.
  case store
  /// A log of requests, of any format that is recognised.
  case log
  /// Lines of WidgetFleetProbe.
  case telemetry
  /// Choices of numbers at the ends, in counts, logs and telemetry, up to the pages that are made of them.
  case numbers
  /// A profile of an operating system.
  case profile
  /// What a rank keeps of a replication to go on with.
  case journal
  /// Choices that make a valid scenario, of which 20 phones are lived.
  case life

  /// What takes one input and tells, in a sentence, which promise it broke; nil: none.
  ///
  /// - Throws: where what all inputs share cannot be made.
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

  /// Inputs that fuzzing begins with, and that the corpus need not hold.
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

/// What all inputs of a harness share could not be made.
struct Unprepared: Error {
  var reason: String
}
