import Scenario
import SchemaCheck
import Testing

@testable import ScenarioFiles

/// The scenario schema agrees with the parser on a thousand broken scenarios.
struct SchemaTests {
  private static let samples = [Samples.minimal, Samples.rich, Samples.reference]

  private static let schema = scenarioSchema

  /// The codes that a schema cannot check: sums, references to other parts of the file, sizes of quantities given as
  /// text, invalid dates, unknown zones, order.
  private static let beyondSchemas: Set<Code> = [
    .sharesDoNotAddUp, .unknownName, .outOfRange, .notExact, .badInstant, .unknownZone, .wrongOrder, .duplicateName,
    .schemaFirst,
    .controlCharacter,
  ]

  /// The values substituted for others.
  private static let values: [PlainValue] =
    [
      "none", "5min", "5 min", "1h30min", "30min1h", "1w", "5%", "5", "12kB", "12KB", "7k/s", "7/w", "7k/s..8k/s",
      "at-end",
      "never", "local", "UTC", "Europe/Berlin", "CET", "09:30", "24:00", "25:00", "mon-fri", "mon-fri-sat", "mo",
      "2027-01-18T00:00:00Z", "2027-01-18", "2.5M", "1_000", "010", "1:30", "yes", "true", "", " ", "a b", "iphone-15",
      "iphone-1", "all", "wifi", "mains", "views", "0s..10min", "0s...1min", "widgetfleet/v1", "名前", "medium",
    ].map { PlainValue.text($0) }
    + ["0", "1", "2", "-1", "0.5", "1000000000", "true", "false", "null"].map { PlainValue.bare($0) } + [
      .list([]), .list([.text("mon")]), .list([.text("25%"), .text("50%")]), .list([.bare("1")]),
      .list(Array(repeating: .bare("1"), count: 24)), .mapping([PlainValue.Pair]()), .mapping(["a": .bare("1")]),
      .mapping(["exponential": .text("1h")]), .mapping(["exponential": .bare("0")]),
      .mapping(["uniform": .text("0s..1h")]), .mapping(["uniform": .text("1..2")]), .mapping(["x-a": .bare("1")]),
      .mapping(["normal": .mapping(["mean": .text("1s"), "sd": .text("1s")])]),
      .mapping(["lognormal": .mapping(["median": .bare("60"), "sigma": .bare("0.5")])]),
      .mapping(["lognormal": .mapping(["median": .text("60s"), "sigma": .bare("11")])]),
      .mapping(["lognormal": .mapping(["median": .text("1min"), "p95": .text("2min")])]),
      .mapping(["choice": .mapping(["1h": .text("50%"), "2h": .text("50%")])]),
      .mapping(["choice": .mapping(["1": .text("100%")])]), .mapping(["after": .text("1h")]),
      .mapping(["Europe/Berlin": .text("100%")]), .mapping(["iphone-15": .text("100%")]),
    ]

  @Test(arguments: 0..<20) func schemaAndParserAgree(_ block: Int) throws {
    let check = try SchemaCheck(Self.schema)
    print("schema mutations of block \(block): run schemaAndParserAgree with argument \(block) again to replay")
    for number in 0..<50 {
      var generator = SeededGenerator(state: UInt64(block * 1_000 + number))
      let tree = try #require(Self.tree(Self.samples[number % Self.samples.count]))
      let text = tree.wounded(with: Self.values, &generator).json()
      try compare(text, check)
    }
  }

  /// Checks that the schema refuses what the tree check refuses and accepts what the reader accepts.
  private func compare(_ text: String, _ check: SchemaCheck) throws {
    let outcome = Samples.read(text)
    let isAccepted = try check.accepts(text)
    if outcome.scenario != nil {
      #expect(isAccepted, "refused by the schema alone: \(text)")
    } else if let codes = Self.treeCodes(text), !codes.subtracting(Self.beyondSchemas).isEmpty {
      #expect(!isAccepted, "accepted by the schema alone, \(codes): \(text)")
    }
  }

  @Test(arguments: samples) func samplesAreValid(_ text: String) throws {
    let tree = try #require(Self.tree(text))
    #expect(try SchemaCheck(Self.schema).accepts(tree.json()), "\(tree.json())")
  }

  /// Every key of the table is in the schema.
  @Test func everyKeyIsThere() throws {
    let schema = try SchemaCheck(Self.schema)
    for entry in KeyTable.standard.children(of: "") {
      let alien = #"{"schema": "widgetfleet/v1", "\#(entry.name)": null}"#
      #expect(try !schema.accepts(alien), "\(entry.path)")
    }
    let paths = KeyTable.standard.entries.filter { $0.name != "*" && !$0.path.hasPrefix("sweep") }
    for entry in paths {
      #expect(Self.schema.contains("\"\(entry.name)\": {"), "\(entry.path)")
    }
  }

  /// Both bounds of a plain number's range are accepted, values beyond them are not.
  @Test func schemaBoundsMatchTheTable() throws {
    let schema = ScenarioSchema()
    for entry in KeyTable.standard.entries where entry.type == .number || entry.type == .integer {
      let check = try SchemaCheck(schema.value(of: entry).json())
      if let minimum = entry.minimum {
        #expect(try check.accepts(minimum), "\(entry.path)")
        #expect(try !check.accepts("-1"), "\(entry.path)")
      }
      if let maximum = entry.maximum {
        #expect(try check.accepts(maximum), "\(entry.path)")
        #expect(try !check.accepts(maximum + "0"), "\(entry.path)")
      }
    }
  }

  /// Returns the codes from the table check; `nil` if there is no tree.
  private static func treeCodes(_ text: String) -> Set<Code>? {
    var problems = ProblemList(file: SourceText(name: "a.yaml", bytes: Array(text.utf8)))
    guard let root = TreeReader.read(source: 0, problems: &problems) else { return nil }
    _ = TreeCheck.check(root, problems: &problems)
    return Set(problems.diagnostics.map(\.code))
  }

  /// Returns a scenario as JSON would have it, without the parts that this version refuses.
  private static func tree(_ text: String) -> PlainValue? {
    var problems = ProblemList(file: SourceText(name: "a.yaml", bytes: Array(text.utf8)))
    guard let root = TreeReader.read(source: 0, problems: &problems) else { return nil }
    return root.plain.without(["sweep", "tune"])
  }
}

extension PlainValue {
  fileprivate func without(_ keys: [String]) -> PlainValue {
    guard case .mapping(let pairs) = self else { return self }
    return .mapping(pairs.filter { !keys.contains($0.key) })
  }

  /// Returns the value with one of the values below it replaced, removed, or given an unknown key.
  fileprivate func wounded(with values: [PlainValue], _ generator: inout SeededGenerator) -> PlainValue {
    let goesDeeper = Int.random(in: 0..<5, using: &generator) > 0
    switch self {
    case .mapping(var pairs) where !pairs.isEmpty && goesDeeper:
      let index = Int.random(in: pairs.indices, using: &generator)
      switch Int.random(in: 0..<12, using: &generator) {
      case 0: pairs.remove(at: index)
      case 1: pairs[index].key += "s"
      default: pairs[index].value = pairs[index].value.wounded(with: values, &generator)
      }
      return .mapping(pairs)
    case .list(var items) where !items.isEmpty && goesDeeper:
      let index = Int.random(in: items.indices, using: &generator)
      items[index] = items[index].wounded(with: values, &generator)
      return .list(items)
    default: return values.randomElement(using: &generator) ?? self
    }
  }
}
