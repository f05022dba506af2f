package import Scenario
package import Studies

/// The runs of a study in an SQLite file, with every figure of every setting and replication; each run is stored
/// completely or not at all.
///
/// Tables: `study`, `settings`, `runs`, `figures`, `figure_values`. Two views join the last two tables: `metrics` for
/// the scenario's own runs, `bracket_metrics` for runs with presets. Committed runs survive a crash of the process.
package final class RunStore {
  package static let schema = "widgetfleet.runs/v3"

  let database: Database
  /// The numbers of the figures already in the store.
  private var numbers: [FigureName: Int64] = [:]
  /// The seal that is computed for each run; `nil` for a read-only store.
  let seal: RunSeal?

  /// Opens a file, creating it if necessary.
  ///
  /// - Parameter isScratch: whether the content may be lost if the process ends, so that commits do not have to wait
  ///   for the disk.
  package init(at path: String, isScratch: Bool = false, sealed seal: RunSeal? = nil) throws(StoreError) {
    self.seal = seal
    database = try Database(path)
    // The journal is truncated, and commits wait for the disk.
    let lasting = "PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = NORMAL"
    let scratch = "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF"
    try database.execute((isScratch ? scratch : lasting) + "; PRAGMA locking_mode = EXCLUSIVE")
  }

  /// Opens a complete file for reading, without writing to it or creating other files.
  package init(reading path: String) throws(StoreError) {
    seal = nil
    database = try Database(path, isReadOnly: true)
  }

  /// Returns whether the store contains a study.
  package func isBegun() throws(StoreError) -> Bool {
    try !database.rows("SELECT 1 FROM sqlite_schema WHERE name = 'study'").isEmpty
  }

  /// Creates the tables in an empty store, with the study and its settings. For one part of a sweep, only that part's
  /// settings are stored.
  package func begin(
    _ identity: StudyIdentity, _ axes: [SweepAxis], _ settings: [[SweepValue]]
  ) throws(StoreError) {
    try database.execute("PRAGMA page_size = 4096; PRAGMA encoding = 'UTF-8'; PRAGMA auto_vacuum = 0")
    try database.transaction { () throws(StoreError) in
      try database.execute(Self.tables)
      let study = try database.prepare("INSERT INTO study VALUES (?, ?)")
      for field in identity.fields { try study.run([.text(field.key), .text(field.value)]) }
      let row = try database.prepare("INSERT INTO settings VALUES (?, ?, ?, ?, ?)")
      for (index, values) in settings.enumerated() where identity.part?.holds(index) ?? true {
        for (axis, value) in zip(axes, values) {
          try row.run([
            .integer(Int64(index + 1)), .text(axis.path), .text(value.text),
            value.amount.map { .real($0) } ?? .null, .text(axis.unit),
          ])
        }
      }
    }
  }

  /// Returns a description of the difference that prevents a study from being continued in the store; `nil` if there is
  /// none.
  package func difference(from identity: StudyIdentity) throws(StoreError) -> String? {
    let rows = try database.rows("SELECT key, value FROM study")
    let fields = rows.compactMap { row -> (String, String)? in
      guard case .text(let key) = row[0], case .text(let value) = row[1] else { return nil }
      return (key, value)
    }
    return identity.difference(from: Dictionary(fields, uniquingKeysWith: { first, _ in first }))
  }

  /// Returns the part of the sweep that the store contains; `nil` if there is no valid part.
  package func part() throws(StoreError) -> SweepPart? {
    guard case .text(let text) = try database.rows("SELECT value FROM study WHERE key = 'part'").first?.first else {
      return nil
    }
    return SweepPart(text)
  }

  /// Returns the keys of the runs that the store contains.
  package func finished() throws(StoreError) -> Set<StoredRunKey> {
    let rows = try database.rows("SELECT setting, preset, replication FROM runs")
    return Set(
      rows.compactMap { row in
        guard case .integer(let setting) = row[0], case .text(let preset) = row[1],
          case .integer(let replication) = row[2]
        else { return nil }
        return StoredRunKey(
          setting: Int(setting) - 1, preset: Preset(rawValue: preset), replication: Int(replication) - 1)
      })
  }

  /// Writes a copy that does not depend on the order in which runs were added.
  ///
  /// - Parameter path: the path of a file that does not exist yet.
  package func copy(to path: String) throws(StoreError) {
    // The copy must reach the disk, even if it is made from a scratch store.
    try database.execute("PRAGMA synchronous = NORMAL")
    let statement = try database.prepare("VACUUM INTO ?")
    try statement.run([.text(path)])
  }
}

/// The key of a run in a study; indices start at 0 here, but at 1 in the tables.
package struct StoredRunKey: Hashable, Sendable {
  package var setting: Int
  /// A bound of the setting's bracket; `nil` for the setting itself.
  package var preset: Preset?
  package var replication: Int

  package init(setting: Int, preset: Preset? = nil, replication: Int) {
    self.setting = setting
    self.preset = preset
    self.replication = replication
  }

  var values: [Database.Value] {
    [.integer(Int64(setting + 1)), .text(preset?.rawValue ?? ""), .integer(Int64(replication + 1))]
  }
}

extension RunStore {
  private static let labels = Label.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")

  private static let tables = """
    PRAGMA application_id = 0x57464C54;
    PRAGMA user_version = 3;
    CREATE TABLE study (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE settings (
      setting INTEGER, path TEXT, value TEXT NOT NULL, amount REAL, unit TEXT NOT NULL, PRIMARY KEY (setting, path)
    ) WITHOUT ROWID;
    CREATE TABLE runs (
      setting INTEGER, preset TEXT, replication INTEGER, seed TEXT NOT NULL, version TEXT NOT NULL,
      scenario_sha256 TEXT NOT NULL, seal TEXT NOT NULL, PRIMARY KEY (setting, preset, replication)
    ) WITHOUT ROWID;
    CREATE TABLE figures (
      figure INTEGER PRIMARY KEY, metric TEXT NOT NULL,
      \(Label.allCases.map { "\"\($0.rawValue)\" TEXT NOT NULL" }.joined(separator: ", ")),
      statistic TEXT NOT NULL, unit TEXT NOT NULL
    );
    CREATE TABLE figure_values (
      setting INTEGER, preset TEXT, replication INTEGER, figure INTEGER REFERENCES figures, value,
      low REAL, high REAL, PRIMARY KEY (setting, preset, replication, figure)
    ) WITHOUT ROWID;
    CREATE VIEW metrics AS
      SELECT setting, replication, metric, \(labels), statistic, unit, value, low, high
      FROM figure_values JOIN figures USING (figure) WHERE preset = '';
    CREATE VIEW bracket_metrics AS
      SELECT setting, preset, replication, metric, \(labels), statistic, unit, value, low, high
      FROM figure_values JOIN figures USING (figure) WHERE preset <> '';
    """

  /// Adds the figures of one replication.
  ///
  /// - Parameter summary: the summary of that replication alone.
  /// - Parameter scenarioHash: the SHA-256 of the setting's resolved scenario, in hexadecimal.
  package func add(
    _ summary: Summary, of run: StoredRunKey, seed: UInt64, version: String, scenarioHash: String
  ) throws(StoreError) {
    if numbers.isEmpty { numbers = try figureNumbers() }
    do { try insert(summary, run, seed, version, scenarioHash) } catch {
      // The transaction, including any figure numbers added in it, was rolled back.
      numbers = [:]
      throw error
    }
  }

  private func insert(
    _ summary: Summary, _ run: StoredRunKey, _ seed: UInt64, _ version: String, _ scenarioHash: String
  ) throws(StoreError) {
    try database.transaction { () throws(StoreError) in
      var figures: [(number: Int64, name: [UInt8], values: ArraySlice<Database.Value>)] = []
      let value = try database.prepare("INSERT INTO figure_values VALUES (?, ?, ?, ?, ?, ?, ?)")
      for row in summary.rows {
        let number = try number(of: row)
        let quantity = Database.Value(row.replications.first ?? nil)
        let bounds = row.bounds.first ?? nil
        let ends = [bounds?.low, bounds?.high].map { end in end.map { Database.Value.real($0) } ?? .null }
        try value.run(run.values + [.integer(number), quantity] + ends)
        figures.append((number, Self.bytes(of: row), [quantity] + ends))
      }
      figures.sort { $0.number < $1.number }
      let row = run.values + [.text(String(seed)), .text(version), .text(scenarioHash)]
      let text = seal?.text(row, figures.map { ($0.name, $0.values) }) ?? ""
      try database.prepare("INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?)").run(row + [.text(text)])
    }
  }

  /// Returns the number of a figure, adding the figure if it is new.
  private func number(of row: SummaryRow) throws(StoreError) -> Int64 {
    if let number = numbers[row.name] { return number }
    let number = Int64(numbers.count + 1)
    let marks = Array(repeating: "?", count: Label.allCases.count + 4).joined(separator: ", ")
    try database.prepare("INSERT INTO figures VALUES (\(marks))").run([.integer(number)] + Self.texts(of: row))
    numbers[row.name] = number
    return number
  }

  private static func texts(of row: SummaryRow) -> [Database.Value] {
    ([row.metric.rawValue] + row.labels.values + [row.statistic.rawValue, row.unit]).map { .text($0) }
  }

  private static func bytes(of row: SummaryRow) -> [UInt8] { texts(of: row).flatMap(\.bytes) }

  /// Returns the names of the figures in the store, keyed by number, in the form that seals use.
  func figureNames() throws(StoreError) -> [Int64: [UInt8]] {
    var names: [Int64: [UInt8]] = [:]
    for row in try database.rows("SELECT figure, metric, \(Self.labels), statistic, unit FROM figures") {
      if case .integer(let number) = row[0] { names[number] = row[1...].flatMap(\.bytes) }
    }
    return names
  }

  /// Returns the numbers of the figures in the store.
  func figureNumbers() throws(StoreError) -> [FigureName: Int64] {
    var numbers: [FigureName: Int64] = [:]
    for row in try database.rows("SELECT figure, metric, statistic, unit, \(Self.labels) FROM figures") {
      guard case .integer(let number) = row[0] else { continue }
      numbers[try FigureName(row[1...])] = number
    }
    return numbers
  }
}

extension FigureName {
  /// Creates a name from a row with a metric, a statistic, a unit and labels.
  fileprivate init(_ values: ArraySlice<Database.Value>) throws(StoreError) {
    let texts = values.map { value in if case .text(let text) = value { text } else { "" } }
    guard texts.count == Label.allCases.count + 3, let metric = Metric(rawValue: texts[0]),
      let statistic = Statistic(rawValue: texts[1])
    else { throw .damaged("it contains a figure unknown to this version") }
    var labels = Labels()
    for (label, text) in zip(Label.allCases, texts[3...]) { labels[label] = text }
    self.init(metric, statistic, labels)
    isOfPeriod = texts[2] == metric.measure.perPeriod.rawValue && texts[2] != metric.measure.rawValue
  }
}

extension Database.Value {
  /// Creates a value that represents whole numbers exactly. Numbers that do not fit into 64 bits are stored as strings.
  fileprivate init(_ quantity: Quantity?) {
    switch quantity {
    case nil: self = .null
    case .whole(let count): self = Int64(exactly: count).map { .integer($0) } ?? .text(String(count))
    case .real(let value): self = .real(value)
    }
  }

  /// Returns the quantity; `nil` if unknown.
  func quantity() throws(StoreError) -> Quantity? {
    switch self {
    case .null: return nil
    case .integer(let value): return .whole(Int128(value))
    case .real(let value): return .real(value)
    case .text(let text):
      guard let value = Int128(text) else { throw .damaged("it contains a figure that is not a number") }
      return .whole(value)
    }
  }
}
