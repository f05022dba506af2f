import Foundation
import Scenario
import Studies
import Testing

@testable import StudyStore

/// A store in a separate folder.
struct RunStoreTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "widgetfleet-store-\(UUID().uuidString)")

  private func inFolder(_ work: () throws -> Void) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try work()
  }

  private func path(_ name: String) -> String { folder.appending(path: name).path }

  private func identity(seed: UInt64 = .max, version: String = "1") -> StudyIdentity {
    StudyIdentity(
      version: version, scenario: "a", scenarioHash: "00", seed: seed, method: "grid", settingsHash: "11", runs: 4,
      judging: .bracket, resolvedScenario: "name: a\n")
  }

  private let axes = [SweepAxis(path: "b.c", scale: .numeric(low: 0, high: 60), unit: "s")]

  private let settings = [[SweepValue("0s", amount: 0)], [SweepValue("it's 1min", amount: 60)]]

  /// FNV-1a replaces the program's hash.
  private func opened(_ name: String, _ identity: StudyIdentity? = nil) throws -> RunStore {
    let seal = RunSeal(of: identity ?? self.identity()) { bytes in
      String(bytes.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 })
    }
    return try RunStore(at: path(name), sealed: seal)
  }

  private func begun(_ name: String = "a.sqlite") throws -> RunStore {
    let store = try opened(name)
    try store.begin(identity(), axes, settings)
    return store
  }

  /// Returns a summary with very small, very large, odd and unknown values.
  private func summary(_ number: Int) -> Summary {
    let labels = Labels().with(\.cause, "püsh 'n' \"pull\"").with(\.window, "1s")
    let values: [Quantity?] = [
      .whole(0), .whole(Int128(Int64.max)), .whole(Int128(Int64.min)), .whole(Int128.max), .real(2), .real(0.1),
      .real(.leastNonzeroMagnitude), .real(.greatestFiniteMagnitude), nil, .whole(Int128(number)),
    ]
    let rows = zip(Metric.allCases, values).map { metric, value in
      SummaryRow(
        metric, labels, metric.statistics[0], replications: [value],
        bounds: metric == .runs ? [Interval(low: -1, high: 0.1)] : [])
    }
    return Summary(rows: number == 0 ? Array(rows.dropFirst()) : rows)
  }

  private func add(_ store: RunStore, _ setting: Int, _ replication: Int) throws {
    try store.add(
      summary(setting + replication), of: StoredRunKey(setting: setting, replication: replication), seed: .max,
      version: "1", scenarioHash: "22")
  }

  @Test func storedSummariesRoundTrip() throws {
    try inFolder {
      var store = try begun()
      for (setting, replication) in [(0, 0), (0, 1), (1, 0)] { try add(store, setting, replication) }
      // Another store on the same file has the same runs.
      for _ in 0..<2 {
        for (setting, replication) in [(0, 0), (0, 1), (1, 0)] {
          let read = try store.reader().summary(of: StoredRunKey(setting: setting, replication: replication))
          let wanted = summary(setting + replication)
          #expect(Set(read.rows) == Set(wanted.rows) && read.rows.count == wanted.rows.count)
        }
        #expect(try store.finished().count == 3)
        store = try RunStore(at: path("b.sqlite"))
        store = try RunStore(at: path("a.sqlite"))
      }
      #expect(try store.reader().summary(of: StoredRunKey(setting: 1, replication: 1)).rows.isEmpty)
    }
  }

  /// Whether written in one go or in two halves, the copies are the same, and SQL can query them.
  @Test func copiesHaveTheSameBytes() throws {
    try inFolder {
      let runs = [(0, 0), (0, 1), (1, 0), (1, 1)]
      let whole = try begun()
      for (setting, replication) in runs { try add(whole, setting, replication) }
      try whole.copy(to: path("whole.sqlite"))
      do {
        let half = try begun("b.sqlite")
        for (setting, replication) in runs.prefix(2) { try add(half, setting, replication) }
      }
      let rest = try opened("b.sqlite")
      try check(rest)
      #expect(try rest.isBegun())
      #expect(try rest.difference(from: identity()) == nil)
      for (setting, replication) in runs.suffix(2) { try add(rest, setting, replication) }
      try rest.copy(to: path("rest.sqlite"))
      let bytes = try ["whole.sqlite", "rest.sqlite"].map { try Data(contentsOf: folder.appending(path: $0)) }
      let areSame = bytes[0] == bytes[1]
      #expect(areSame && !bytes[0].isEmpty)
      let database = try Database(path("rest.sqlite"))
      let rows = try database.rows(
        """
        SELECT s.value, s.amount, m."window", count(*) FROM settings s JOIN metrics m USING (setting)
        WHERE path = 'b.c' AND metric = 'widgets' GROUP BY 1, 2, 3 ORDER BY 2
        """)
      let first: [Database.Value] = [.text("0s"), .real(0), .text("1s"), .integer(1)]
      #expect(rows == [first, [.text("it's 1min"), .real(60), .text("1s"), .integer(2)]])
      #expect(try database.rows("SELECT value FROM study WHERE key = 'seed'") == [[.text("18446744073709551615")]])
      #expect(try database.rows("PRAGMA integrity_check") == [[.text("ok")]])
    }
  }

  /// A setting's own run and its run under a preset are separate; only the former are in `metrics`.
  @Test func presetRunsAreStoredSeparately() throws {
    try inFolder {
      let store = try begun()
      try add(store, 0, 0)
      let key = StoredRunKey(setting: 0, preset: .lazy, replication: 0)
      #expect(try store.reader().summary(of: key).rows.isEmpty)
      try store.add(summary(5), of: key, seed: .max, version: "1", scenarioHash: "22")
      #expect(try store.finished() == [key, StoredRunKey(setting: 0, replication: 0)])
      #expect(Set(try store.reader().summary(of: key).rows) == Set(summary(5).rows))
      #expect(
        Set(try store.reader().summary(of: StoredRunKey(setting: 0, replication: 0)).rows) == Set(summary(0).rows))
      try store.copy(to: path("copy.sqlite"))
      let database = try Database(path("copy.sqlite"))
      #expect(try database.rows("SELECT count(*) FROM metrics") == [[.integer(Int64(summary(0).rows.count))]])
      #expect(
        try database.rows("SELECT DISTINCT preset FROM bracket_metrics") == [[.text("lazy")]])
    }
  }

  /// The store of a part has only its own settings, can be read without writing, and records which part it is.
  @Test func partStoresOnlyItsSettings() throws {
    try inFolder {
      var second = identity()
      second.part = SweepPart("2/2")
      do {
        let store = try RunStore(at: path("a.sqlite"), isScratch: true)
        try store.begin(second, axes, [[SweepValue("0s", amount: 0)], [SweepValue("1min", amount: 60)]])
        try add(store, 1, 0)
      }
      let store = try RunStore(reading: path("a.sqlite"))
      #expect(try store.part() == second.part)
      #expect(try store.finished() == [StoredRunKey(setting: 1, replication: 0)])
      #expect(try store.difference(from: second) == nil)
      #expect(try store.difference(from: identity()) == "--part 2/2")
      #expect(throws: StoreError.self) { try add(store, 1, 1) }
      #expect(try Database(path("a.sqlite")).rows("SELECT setting FROM settings") == [[.integer(2)]])
      #expect(throws: StoreError.self) { try RunStore(reading: path("no.sqlite")) }
      let whole = try begun("b.sqlite")
      #expect(try whole.part() == nil)
      #expect(try whole.difference(from: second) == "all parts")
    }
  }

  /// Settings are dealt out in turn, and every setting is in one part.
  @Test func settingsAreAssignedToPartsInTurn() throws {
    for text in [
      "", "1", "1/", "/1", "0/1", "2/1", "1/0", "1/2/3", "-1/2", "1/10001", "a/b", " 1/2", "99999999999999999999/2",
    ] {
      #expect(SweepPart(text) == nil, "\(text)")
    }
    #expect(SweepPart("03/020")?.text == "3/20")
    let parts = (1...3).compactMap { SweepPart("\($0)/3") }
    #expect(parts.map { part in (0..<7).filter(part.holds) } == [[0, 3, 6], [1, 4], [2, 5]])
    for setting in 0..<7 { #expect(parts[SweepPart.number(of: setting, 3) - 1].holds(setting)) }
  }

  @Test func differentStudyIsRecognized() throws {
    try inFolder {
      let store = try begun()
      #expect(try store.difference(from: identity(seed: 2)) == "another seed")
      #expect(try store.difference(from: identity(version: "2")) == "another version of widgetfleet")
      var other = identity()
      other.runs = 6
      #expect(try store.difference(from: other) == "other replications")
      other = identity()
      other.judging = .nominal
      #expect(try store.difference(from: other) == "goals judged differently (--nominal)")
      other = identity()
      other.settingsHash = "12"
      #expect(try store.difference(from: other) == "other settings")
    }
  }

  private func check(_ store: RunStore) throws { try store.check(identity(), axes, settings) { false } }

  /// Every change made by an SQL statement is refused, and the row is named.
  @Test(arguments: [
    ("UPDATE figure_values SET value = value * 7 WHERE replication = 2 AND value > 1", "setting 1, the scenario, 2"),
    ("UPDATE figure_values SET low = low + 1 WHERE low IS NOT NULL", "setting 1, the scenario, 1"),
    ("UPDATE runs SET seed = '7' WHERE setting = 2", "setting 2, the scenario, 1"),
    ("UPDATE runs SET version = '2' WHERE setting = 2", "setting 2, the scenario, 1"),
    ("UPDATE runs SET setting = 3 WHERE setting = 2", "setting 2, the scenario, 1"),
    ("UPDATE runs SET seal = ''", "setting 1, the scenario, 1"),
    ("DELETE FROM figure_values WHERE figure = 2", "setting 1, the scenario, 1"),
    ("DELETE FROM runs WHERE setting = 2", "setting 2, the scenario, 1"),
    ("UPDATE figures SET metric = 'views' WHERE figure = 1", "setting 1, the scenario, 1"),
    ("UPDATE figures SET unit = 'x' WHERE figure = 1", "setting 1, the scenario, 1"),
    (
      "INSERT INTO figures SELECT 99, metric, \(RunStoreTests.labels), statistic, 'y' FROM figures LIMIT 1", "to no run"
    ),
    ("UPDATE settings SET amount = 61 WHERE setting = 2", "row 2 of its table 'settings'"),
    ("UPDATE settings SET value = '2min' WHERE setting = 1", "row 1 of its table 'settings'"),
    ("UPDATE study SET value = 'b' WHERE key = 'scenario'", "of its table 'study'"),
    ("DROP VIEW metrics", "of its table 'sqlite_schema'"), ("PRAGMA user_version = 4", "header"),
  ]) func changedStoreRowsAreRefused(_ statement: String, _ words: String) throws {
    try inFolder {
      do {
        let store = try begun()
        for (setting, replication) in [(0, 0), (0, 1), (1, 0)] { try add(store, setting, replication) }
        try store.database.execute(statement)
      }
      let error = #expect(throws: StoreError.self) { try check(try opened("a.sqlite")) }
      #expect(error.map { "\($0)".replacing("\\", with: "").contains(words) } == true, "\(String(describing: error))")
    }
  }

  private static let labels = Label.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")

  /// Runs of another study, seed or version have different seals.
  @Test func sealsDependOnTheStudy() throws {
    try inFolder {
      do { try add(try begun(), 0, 0) }
      for other in [identity(seed: 2), identity(version: "2")] {
        let store = try opened("a.sqlite", other)
        try store.database.execute("UPDATE study SET value = '\(other.seed)' WHERE key = 'seed'")
        try store.database.execute("UPDATE study SET value = '\(other.version)' WHERE key = 'version'")
        #expect(throws: StoreError.damaged("the run of setting 1, the scenario, 1 was changed")) {
          try store.check(other, axes, settings) { false }
        }
      }
    }
  }

  /// A flipped bit anywhere is either refused or changes no byte of the copy in the results.
  @Test func flippedStoreBitsDoNotReachTheResults() throws {
    try inFolder {
      do {
        let store = try begun()
        for (setting, replication) in [(0, 0), (0, 1), (1, 0)] { try add(store, setting, replication) }
        try store.copy(to: path("whole.sqlite"))
      }
      let bytes = try Data(contentsOf: URL(filePath: path("a.sqlite")))
      let whole = try Data(contentsOf: URL(filePath: path("whole.sqlite")))
      var refused = 0
      // The type of NULL with its highest bit set is a longer form of the type before a NULL that is left out.
      let longerTypes = bytes.indices.dropLast().filter { bytes[$0] == 0 && bytes[$0 + 1] == 0 && bytes[$0 - 1] == 7 }
      #expect(longerTypes.count > 10)
      let flips = stride(from: 0, to: bytes.count, by: 101).map { ($0, $0 % 8) } + longerTypes.map { ($0, 7) }
      for (place, bit) in flips {
        var flipped = bytes
        flipped[place] ^= 1 << bit
        try flipped.write(to: URL(filePath: path("a.sqlite")))
        for name in ["copy.sqlite", "a.sqlite-journal"] { unlink(path(name)) }
        do {
          let store = try opened("a.sqlite")
          guard try store.isBegun(), try store.difference(from: identity()) == nil else { continue }
          try check(store)
          try store.copy(to: path("copy.sqlite"))
        } catch is StoreError {
          refused += 1
          continue
        }
        let isSame = try Data(contentsOf: URL(filePath: path("copy.sqlite"))) == whole
        #expect(isSame, "byte \(place)")
      }
      #expect(refused > 20)
    }
  }

  /// A run is stored completely or not at all.
  @Test func failedRunStoresNothing() throws {
    try inFolder {
      let store = try begun()
      try add(store, 0, 0)
      #expect(throws: StoreError.self) { try add(store, 0, 0) }
      #expect(try store.finished() == [StoredRunKey(setting: 0, replication: 0)])
      #expect(
        Set(try store.reader().summary(of: StoredRunKey(setting: 0, replication: 0)).rows) == Set(summary(0).rows))
    }
  }

  @Test func missingStoreIsReported() throws {
    try inFolder {
      try Data("this is no database, whatever its name says, and long enough".utf8).write(
        to: folder.appending(path: "no.sqlite"))
      #expect(throws: StoreError.damaged("file is not a database")) { try RunStore(at: path("no.sqlite")) }
      #expect(throws: StoreError.system(ENOENT)) { try RunStore(at: path("nowhere/no.sqlite")) }
      #expect(try RunStore(at: path("new.sqlite")).isBegun() == false)
    }
  }
}
