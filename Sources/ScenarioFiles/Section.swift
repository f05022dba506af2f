import Scenario
import SimulationKernel

/// A mapping of the tree with the table's defaults behind it; what is not valid reads as a default or as nothing.
struct Section {
  /// nil: left out.
  let node: Node?
  /// In the key table: `kinds.*`.
  let pattern: String

  /// What is written for a key; nil for null, for `none` where there may be nothing, and when left out.
  func written(_ key: String) -> Node? {
    guard let node = node?[key], !node.isNull else { return nil }
    return node.text == "none" && entry(key)?.default == KeyEntry.Default.none ? nil : node
  }

  /// What is written, or the table's default.
  func value(_ key: String) -> Node? {
    if let node = written(key) { return node }
    guard case .value(let text)? = entry(key)?.default else { return nil }
    return Defaults.node(text)
  }

  func entry(_ key: String) -> KeyEntry? { KeyTable.standard.child(key, of: pattern) }

  func section(_ key: String) -> Section { Section(node: value(key), pattern: path(key)) }

  /// The items of a list.
  func items(_ key: String) -> [Section] {
    (written(key)?.items ?? []).map { Section(node: $0, pattern: path(key) + ".*") }
  }

  /// The entries of a mapping from names.
  func named(_ key: String) -> [(pair: Node.Pair, section: Section)] {
    (written(key)?.pairs ?? []).map { ($0, Section(node: $0.value, pattern: path(key) + ".*")) }
  }

  private func path(_ key: String) -> String { pattern.isEmpty ? key : pattern + "." + key }
}

/// The defaults of the table as nodes.
enum Defaults {
  static func node(_ text: String) -> Node? {
    let span = Span(source: 0, line: 1, column: 1, length: 1)
    if !text.contains(where: { "{[\"".contains($0) }) { return Node(content: .scalar(text, isPlain: true), span: span) }
    var problems = ProblemList(file: SourceText(name: "default", bytes: Array(text.utf8)))
    return TreeReader.read(source: 0, problems: &problems)
  }
}

extension Section {
  /// The text of a scalar.
  func text(_ key: String) -> String? { value(key)?.text }

  func duration(_ key: String) -> TimeAmount? { read(key, Quantities.duration) }

  func share(_ key: String) -> Share? { read(key, Quantities.share) }

  func number(_ key: String) -> Double? { read(key, PlainNumbers.number) }

  func size(_ key: String) -> ByteCount? { read(key, Quantities.size) }

  func count(_ key: String) -> Int? { read(key, Quantities.count).flatMap { Int(exactly: $0) } }

  func integer(_ key: String) -> Int? { read(key, PlainNumbers.integer).flatMap { Int(exactly: $0) } }

  func time(_ key: String) -> TimeOfDay? { read(key, CalendarText.timeOfDay) }

  /// In milliseconds since 1970.
  func instant(_ key: String) -> Int64? { read(key, CalendarText.instant) }

  /// An enumeration whose raw values are the words.
  func word<Word: RawRepresentable<String>>(_ key: String) -> Word? { text(key).flatMap { Word(rawValue: $0) } }

  func distribution(_ key: String) -> Distribution<TimeAmount>? { value(key).flatMap { Reading.spans($0) } }

  /// Values with shares, in the order of the text.
  func shares(_ key: String) -> [Weighted<String>] {
    (value(key)?.pairs ?? []).compactMap { pair in
      Reading.read(pair.value, Quantities.share).map { Weighted(pair.key, weight: $0.fraction) }
    }
  }

  func days(_ key: String) -> Set<Weekday>? {
    guard let node = value(key) else { return nil }
    let texts = (node.items ?? [node]).compactMap(\.text)
    return texts.compactMap { try? CalendarText.days($0) }.reduce(into: []) { $0.formUnion($1) }
  }

  func zone(_ key: String) -> ZoneChoice { text(key).map { $0 == "local" ? .local : .named($0) } ?? .local }

  func read<Value>(_ key: String, _ parse: (String) throws(ValueProblem) -> Value) -> Value? {
    value(key).flatMap { Reading.read($0, parse) }
  }
}

/// Reading of what has been checked already.
enum Reading {
  /// nil where the check has found a problem.
  static func read<Value>(_ node: Node, _ parse: (String) throws(ValueProblem) -> Value) -> Value? {
    guard let text = node.text else { return nil }
    do { return try parse(text) } catch { return nil }
  }

  static func spans(_ node: Node) -> Distribution<TimeAmount>? {
    DistributionReader.read(node, Quantities.duration)
  }

  static func numbers(_ node: Node) -> Distribution<Double>? {
    DistributionReader.read(node, PlainNumbers.number)
  }
}
