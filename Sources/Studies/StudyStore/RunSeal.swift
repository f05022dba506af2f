package import Scenario

/// The seal of a run in a store: a hash of the study, the setting and every figure, which reveals changed rows.
package struct RunSeal {
  private let study: [UInt8]
  private let hash: ([UInt8]) -> String

  /// The name of a figure in a run, and its values.
  typealias Figure = (name: [UInt8], values: ArraySlice<Database.Value>)

  /// - Parameter hash: returns the hash of bytes as a string.
  package init(of identity: StudyIdentity, hash: @escaping ([UInt8]) -> String) {
    study = identity.fields.flatMap { Database.Value.text($0.key).bytes + Database.Value.text($0.value).bytes }
    self.hash = hash
  }

  /// - Parameters:
  ///   - run: the row of the table `runs`, excluding the seal.
  ///   - figures: names and values, in order of their numbers.
  func text(_ run: [Database.Value], _ figures: [Figure]) -> String {
    var bytes = study + run.flatMap(\.bytes)
    for (name, values) in figures {
      bytes += name
      for value in values { bytes += value.bytes }
    }
    return hash(bytes)
  }
}

extension Database.Value {
  /// The bytes of the value to hash, with NaN as null and zero without a sign, as the store returns them.
  var bytes: [UInt8] {
    func tagged(_ tag: UInt8, _ bits: UInt64) -> [UInt8] {
      [tag] + (0..<8).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) }
    }
    return switch self {
    case .real(let value) where value.isNaN: Self.null.bytes
    case .null: [0]
    case .integer(let value): tagged(1, UInt64(bitPattern: value))
    case .real(let value): tagged(2, (value == 0 ? 0 : value).bitPattern)
    case .text(let text): tagged(3, UInt64(text.utf8.count)) + text.utf8
    }
  }
}

extension RunStore {
  /// Checks that all rows are unchanged since they were written, and encodes them again. A plain copy would keep
  /// changed bytes that do not affect row values.
  ///
  /// - Parameter isStopped: ends the check early if it returns `true`.
  /// - Throws: a `StoreError` that identifies the changed row.
  package func check(
    _ identity: StudyIdentity, _ axes: [SweepAxis], _ settings: [[SweepValue]], until isStopped: () -> Bool
  ) throws(StoreError) {
    let ideal = try RunStore(at: ":memory:")
    try ideal.begin(identity, axes, settings)
    for table in ["sqlite_schema", "study", "settings"] {
      let (found, wanted) = (
        try database.rows("SELECT * FROM " + table), try ideal.database.rows("SELECT * FROM " + table)
      )
      let same = zip(found, wanted).prefix { $0 == $1 }.count
      if found != wanted { throw .damaged("row \(same + 1) of its table '\(table)' was changed") }
    }
    guard Self.copied(database.header) == Self.header else { throw .damaged("its header was changed") }
    try checkRuns(until: isStopped)
    if isStopped() { return }
    try database.transaction { () throws(StoreError) in
      try database.execute(
        "UPDATE study SET value = value; UPDATE settings SET value = value; UPDATE runs SET seal = seal")
      try database.execute("UPDATE figures SET unit = unit; UPDATE figure_values SET value = value")
    }
  }

  /// The header fields preserved by a copy ("Database File Format", 1.3): page sizes, versions and encoding.
  private static func copied(_ header: [UInt8]) -> [UInt8] {
    header.count < 100 ? [] : Array(header[16..<24] + header[40..<92])
  }
  private static let header: [UInt8] =
    [0x10, 0, 1, 1, 0, 64, 32, 32]
    + [7, 4, 0, 0, 1, 3, 0, 0x5746_4C54, 0, 0, 0, 0, 0].flatMap { (number: UInt32) in
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - $0 * 8)) }
    }

  /// Checks that every run still has the figures that were sealed, and that there are no other figures and no unused
  /// names.
  private func checkRuns(until isStopped: () -> Bool) throws(StoreError) {
    var runs: [[Database.Value]: [Database.Value]] = [:]
    let columns = "setting, preset, replication, seed, version, scenario_sha256, seal"
    for row in try database.rows("SELECT \(columns) FROM runs") { runs[Array(row[..<3])] = row }
    let names = try figureNames()
    var used: Set<Int64> = []
    var (key, figures) = ([Database.Value](), [RunSeal.Figure]())
    func finishRun() throws(StoreError) {
      guard let row = runs.removeValue(forKey: key), let seal, row[6] == .text(seal.text(Array(row[..<6]), figures))
      else { throw Self.changed(key) }
      figures = []
    }
    // All rows are read in order, because a lookup by key would not find a moved row.
    let reader = try database.prepare("SELECT * FROM figure_values")
    while let row = try reader.next(), !isStopped() {
      if Array(row[..<3]) != key {
        if !key.isEmpty { try finishRun() }
        key = Array(row[..<3])
      }
      guard case .integer(let number) = row[3], let name = names[number] else { throw Self.changed(key) }
      figures.append((name, row[4...]))
      used.insert(number)
    }
    if isStopped() { return }
    if !key.isEmpty { try finishRun() }
    if let row = runs.keys.first { throw Self.changed(row) }
    guard used.count == names.count else { throw .damaged("it names figures that belong to no run") }
  }

  /// Returns the error for a changed run, which identifies the run by setting, preset and replication.
  private static func changed(_ run: [Database.Value]) -> StoreError {
    let words = run.map { value in
      switch value {
      case .integer(let number): "\(number)"
      case .text(let text): text.isEmpty ? "the scenario" : text
      case .real, .null: "?"
      }
    }
    return .damaged("the run of setting \(words.joined(separator: ", ")) was changed")
  }
}
