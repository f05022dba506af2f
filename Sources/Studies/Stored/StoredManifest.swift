import Scenario

/// What manifest.json says of a results folder.
package struct StoredManifest: Hashable, Sendable {
  package static let file = "manifest.json"
  package static let schema = "widgetfleet.manifest/v1"

  /// Version of the program that wrote the folder.
  package var version: String
  package var scenarioName: String
  /// SHA-256 of the resolved scenario, hexadecimal.
  package var scenarioHash: String
  package var seed: UInt64
  package var replications: Int
  /// Devices of the fleet, and those really simulated.
  package var devices: Int
  package var devicesSimulated: Int
  /// Devices whose rows devices.csv has; nil where these are all simulated ones, and where there is no such file.
  package var rowSample: Int?
  /// The scenario with every default and `--set` filled in, as text.
  package var resolvedScenario: String
  /// nil: as many replications as were given.
  package var precision: AskedPrecision?
  /// Whether load.csv and causes.csv also have the time as ISO 8601.
  package var hasTimestamps = false

  /// - Parameter bytes: the content of manifest.json.
  package init(_ bytes: [UInt8]) throws(StoredFileError) {
    let document = StoredObject(try JSONReader.read(bytes, file: Self.file), Self.file)
    let schema = try document.string("schema")
    guard schema == Self.schema else { throw StoredFileError(Self.file, .otherSchema("'\(schema)'")) }
    guard try document.boolean("complete") else { throw StoredFileError(Self.file, .incomplete) }
    version = try document.string("version")
    scenarioName = try document.string("scenario")
    scenarioHash = try document.string("scenario_sha256")
    seed = try document.integer("seed", UInt64.self)
    replications = try document.integer("replications", Int.self)
    devices = try document.integer("devices", Int.self)
    devicesSimulated = try document.integer("devices_simulated", Int.self)
    hasTimestamps = document.has("timestamps") ? try document.boolean("timestamps") : false
    rowSample = document.has("device_rows") ? try document.integer("device_rows", Int.self) : nil
    resolvedScenario = try document.string("resolved_scenario")
    if let asked = document.object("until_ci") {
      guard let share = try asked.quantity("share")?.approximate, share > 0 else {
        throw asked.damaged("is missing or not above 0", "share")
      }
      precision = AskedPrecision(share: share, mostReplications: try asked.integer("max_replications", Int.self))
    }
    guard devicesSimulated <= devices else {
      throw document.damaged("more devices were simulated than there are", "devices_simulated")
    }
  }
}

extension StoredManifest {
  /// Refuses counts that are not those of its scenario.
  func check(against scenario: Scenario) throws(StoredFileError) {
    let simulated = scenario.devicesSimulated
    var counts = [
      ("devices", devices, scenario.fleet.devices), ("devices_simulated", devicesSimulated, simulated),
    ]
    let lived = scenario.devicesLived
    if let rowSample { counts.append(("device_rows", rowSample, scenario.run.rowSample(of: lived) ?? lived)) }
    for (key, count, expected) in counts where count != expected {
      throw StoredFileError(
        Self.file, line: nil, column: "key \(key)", "\(count) instead of the \(expected) of its scenario")
    }
  }
}

/// An object of a JSON file whose fields are looked up by name and type.
struct StoredObject {
  private let fields: [String: JSONNode]
  private let line: Int?
  private let file: String

  /// A node that is no object has no fields.
  init(_ node: JSONNode, _ file: String) {
    self.file = file
    if case .object(let fields, let line) = node {
      (self.fields, self.line) = (fields, line)
    } else {
      (fields, line) = ([:], nil)
    }
  }

  /// - Parameter key: nil: of the object as a whole.
  func damaged(_ message: String, _ key: String? = nil) -> StoredFileError {
    StoredFileError(file, line: line, column: key.map { "key \($0)" }, message)
  }

  private func unfit(_ name: String) -> StoredFileError { damaged("is missing or not what it should be", name) }

  private func beyond(_ name: String) -> StoredFileError { damaged("is beyond what can be there", name) }

  func string(_ name: String) throws(StoredFileError) -> String {
    guard case .string(let text) = fields[name] else { throw unfit(name) }
    return text
  }

  /// nil where there is none.
  func object(_ name: String) -> StoredObject? { fields[name].map { StoredObject($0, file) } }

  func has(_ name: String) -> Bool { fields[name] != nil }

  func boolean(_ name: String) throws(StoredFileError) -> Bool {
    guard case .boolean(let value) = fields[name] else { throw unfit(name) }
    return value
  }

  /// A whole number within the bounds of its key.
  func integer<Value: FixedWidthInteger>(_ name: String, _: Value.Type) throws(StoredFileError) -> Value {
    guard case .number(.whole(let count)) = fields[name], let value = Value(exactly: count) else { throw unfit(name) }
    guard StoredBounds.range(of: name).contains(Double(count)) else { throw beyond(name) }
    return value
  }

  /// A figure within the bounds of its key; nil for null.
  func quantity(_ name: String) throws(StoredFileError) -> Quantity? {
    guard let node = fields[name] else { throw unfit(name) }
    return try quantity(node, name)
  }

  /// A figure of an array.
  func quantity(_ node: JSONNode, _ name: String) throws(StoredFileError) -> Quantity? {
    switch node {
    case .number(let quantity):
      guard StoredBounds.range(of: name).contains(quantity.approximate) else { throw beyond(name) }
      return quantity
    case .null: return nil
    default: throw unfit(name)
    }
  }

  /// nil where one end is null.
  func interval(_ low: String = "low", _ high: String = "high") throws(StoredFileError) -> Interval? {
    guard let low = try quantity(low), let high = try quantity(high) else { return nil }
    return Interval(low: low.approximate, high: high.approximate)
  }

  func array(_ name: String) throws(StoredFileError) -> [JSONNode] {
    guard case .array(let nodes) = fields[name] else { throw unfit(name) }
    return nodes
  }

  func objects(_ name: String) throws(StoredFileError) -> [StoredObject] {
    try array(name).map { StoredObject($0, file) }
  }

  /// One of the words of an enumeration.
  func word<Word: RawRepresentable<String>>(_ name: String, _: Word.Type) throws(StoredFileError) -> Word {
    let text = try string(name)
    return try word(text, name)
  }

  /// Words of an array.
  func words<Word: RawRepresentable<String>>(_ name: String, _: Word.Type) throws(StoredFileError) -> [Word] {
    try array(name).map { node throws(StoredFileError) in
      guard case .string(let text) = node else { throw unfit(name) }
      return try word(text, name)
    }
  }

  private func word<Word: RawRepresentable<String>>(_ text: String, _ name: String) throws(StoredFileError) -> Word {
    guard let word = Word(rawValue: text) else { throw damaged("'\(text)' is no \(name) of this version") }
    return word
  }
}
