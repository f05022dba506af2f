import Scenario

/// A check of a tree's keys and values against the key table, which reports problems WF1xx and WF2xx.
struct TreeCheck {
  let table = KeyTable.standard
  var problems: ProblemList
  /// Whether a list is so long that further checks would be pointless.
  private var isAbsurd = false

  init(problems: ProblemList) { self.problems = problems }

  /// The location of a value in the file, described by its key and the owner of the key.
  struct Place {
    var key: String
    /// The position of the value's key, or of the list item.
    var span: Span
    /// A description of the owner of the key, such as `kind 'weather'`.
    var owner: String
  }

  /// Checks the tree of a scenario.
  ///
  /// - Returns: whether a scenario can be built from the tree, possibly with problems.
  static func check(_ root: Node, problems: inout ProblemList) -> Bool {
    var check = TreeCheck(problems: problems)
    check.checkTop(root)
    problems = check.problems
    return root.pairs != nil && !check.isAbsurd && !problems.isFull
  }

  private mutating func checkTop(_ root: Node) {
    guard let pairs = root.pairs else {
      problems.add(
        .wrongShape, at: root.span, "a scenario is a mapping, not \(root.shape)", note: "keys and values expected",
        help: "it starts with schema: widgetfleet/v1")
      return
    }
    if let first = pairs.first, first.key != "schema", root["schema"] != nil {
      problems.add(
        .schemaFirst, at: first.keySpan, "schema must be the first key", note: "this comes before it",
        help: "move schema to the top of the file")
    }
    checkMapping(pairs, at: "", Place(key: "", span: root.span.narrow, owner: "the scenario"), noun: "a scenario")
  }

  /// Checks a value against the table entry of its key.
  mutating func check(_ node: Node, _ entry: KeyEntry, _ place: Place) {
    if problems.isFull { return }
    if node.isNull && entry.type != .anything {
      problems.add(
        .missingValue, at: place.span, "\(place.key.quoted) has no value", note: "nothing follows",
        help: "give it a value or remove the key: \(entry.help)")
      return
    }
    switch node.content {
    case .refused: return
    case .scalar: checkScalar(node, entry, place)
    case .list(let items): checkList(node, items, entry, place)
    case .mapping(let pairs): checkMapping(node, pairs, entry, place)
    }
  }

  private mutating func checkScalar(_ node: Node, _ entry: KeyEntry, _ place: Place) {
    var firstProblem: ValueProblem?
    for type in entry.scalarTypes {
      do {
        let measure = try Scalars.measure(node, as: type)
        return checkBounds(measure, node, entry, type, place)
      } catch {
        // Advice to write a mapping is useful here, but advice to write the word `none` is not.
        if case .words(let words) = type, entry.scalarTypes.count > 1 || words == ["none"] { continue }
        firstProblem = firstProblem ?? error
      }
    }
    if entry.type == .anything { return }
    guard let problem = firstProblem else { return refuseShape(of: node, entry, place) }
    report(problem, node, entry, place)
  }

  private mutating func checkList(_ node: Node, _ items: [Node], _ entry: KeyEntry, _ place: Place) {
    for type in entry.type.alternatives {
      switch type {
      case .list: return checkItems(items, entry, place)
      case .values(of: let item, let count): return checkValues(node, items, item, count, entry, place)
      case .weekdays: return checkValues(node, items, .weekdays, nil, entry, place)
      case .anything: return
      default: continue
      }
    }
    refuseShape(of: node, entry, place)
  }

  private mutating func checkItems(_ items: [Node], _ entry: KeyEntry, _ place: Place) {
    guard let item = table.child("*", of: entry.path), fitsLimit(items.count, place) else { return }
    for (index, node) in items.enumerated() {
      let noun = item.noun ?? "item"
      let name = (node["name"] ?? node["id"])?.text?.quoted ?? String(index + 1)
      check(node, item, Place(key: "\(noun) \(name)", span: node.span.narrow, owner: "\(noun) \(name)"))
    }
  }

  private mutating func checkValues(
    _ node: Node, _ items: [Node], _ type: ValueType, _ count: Int?, _ entry: KeyEntry, _ place: Place
  ) {
    if let count, items.count != count {
      problems.add(
        .wrongLength, at: node.span, "\(place.key.quoted) takes \(count) values", note: "\(items.count) values here",
        help: Help(entry.help))
    }
    if items.isEmpty, type == .weekdays || type == .kind {
      problems.add(
        .nothingThere, at: place.span, "\(place.key.quoted) is empty", note: "at least one is needed",
        help: Help(entry.help))
    }
    guard fitsLimit(items.count, place) else { return }
    var single = entry
    single.type = type
    single.default = .required
    for item in items { check(item, single, Place(key: place.key, span: item.span, owner: place.owner)) }
  }

  /// Rejects lists and mappings that are too long.
  mutating func fitsLimit(_ count: Int, _ place: Place) -> Bool {
    guard count > 1_000 else { return true }
    isAbsurd = true
    problems.add(
      .tooBig, at: place.span, "\(place.key.quoted) has \(count.grouped) entries; at most 1 000 are simulated",
      note: "too many", help: "remove some")
    return false
  }

  private mutating func checkBounds(
    _ measure: Double, _ node: Node, _ entry: KeyEntry, _ type: ValueType, _ place: Place
  ) {
    if case .range(of: let end) = type { return checkRange(node, end, entry, place) }
    if let minimum = entry.minimum, measure < Scalars.bound(minimum, as: type) ?? -.infinity {
      refuseBound(node, entry, minimum, "\(place.key.quoted) must be at least \(minimum)", note: "too small")
    } else if let maximum = entry.maximum, measure > Scalars.bound(maximum, as: type) ?? .infinity {
      refuseBound(node, entry, maximum, "\(place.key.quoted) must be at most \(maximum)", note: "too large")
    }
  }

  private mutating func refuseBound(_ node: Node, _ entry: KeyEntry, _ bound: String, _ sentence: String, note: String)
  {
    // The exceeded bound applies to one of the ends of a range.
    let isRange = node.text?.contains("..") == true
    problems.add(
      .outOfRange, at: node.span, sentence, note: note,
      help: isRange ? Help(entry.help) : Help.write(bound).and(entry.help))
  }

  /// Checks both ends of a range a..b.
  mutating func checkRange(_ node: Node, _ type: ValueType, _ entry: KeyEntry, _ place: Place) {
    guard let text = node.text else { return refuseShape(of: node, entry, place) }
    do {
      let (from, to) = try Quantities.ends(text)
      let measures = (try Scalars.measure(from, as: type), try Scalars.measure(to, as: type))
      checkBounds(measures.0, node, entry, type, place)
      checkBounds(measures.1, node, entry, type, place)
      guard measures.0 > measures.1 else { return }
      problems.add(
        .wrongOrder, at: node.span, "\(place.key.quoted) must go from low to high", note: "smaller value first",
        help: .write("\(to)..\(from)"))
    } catch {
      var range = entry
      range.type = .range(of: type)
      report(error, node, range, place)
    }
  }

  mutating func refuseShape(of node: Node, _ entry: KeyEntry, _ place: Place) {
    let form = Form.text(of: entry)
    problems.add(
      .wrongShape, at: node.text == nil ? place.span : node.span,
      "\(place.key.quoted) takes \(form), not \(node.shape)",
      note: "\(node.shape) here", help: Help(entry.help))
  }

  mutating func checkMapping(_ node: Node, _ pairs: [Node.Pair], _ entry: KeyEntry, _ place: Place) {
    for type in entry.type.alternatives {
      switch type {
      case .names: return checkNames(pairs, entry, place)
      case .shares(of: let name): return checkWeighted(pairs, name, entry, place)
      case .distribution(of: let value):
        let isOther = entry.hasMapping && !pairs.contains { DistributionForm(rawValue: $0.key) != nil }
        if isOther { continue }
        return checkDistribution(node, pairs, value, entry, place)
      case .mapping: return checkMapping(pairs, at: entry.path, place, noun: entry.described)
      case .anything: return
      default: continue
      }
    }
    refuseShape(of: node, entry, place)
  }

  /// Checks the keys of a mapping that the table describes.
  mutating func checkMapping(_ pairs: [Node.Pair], at path: String, _ place: Place, noun: String) {
    for pair in pairs {
      if problems.isFull { return }
      guard let entry = table.child(pair.key, of: path) else {
        refuseKey(pair, besides: pairs.map(\.key), at: path, place, noun: noun)
        continue
      }
      let key = pair.isImplied ? place.key : pair.key
      check(pair.value, entry, Place(key: key, span: pair.keySpan, owner: pair.key.quoted))
    }
    for entry in table.children(of: path) where entry.default == .required {
      // A misspelled key is treated as present, because the misspelling has already been reported.
      let isPresent = pairs.contains { pair in
        pair.key == entry.name
          || table.child(pair.key, of: path) == nil && Spelling.hint(pair.key, among: [entry.name]) != nil
      }
      if isPresent { continue }
      problems.add(
        .missingKey, at: place.span, "\(place.owner) lacks the key \(entry.name.quoted)",
        note: "\(entry.name.quoted) is required", help: Help(entry.help))
    }
  }

  private mutating func refuseKey(
    _ pair: Node.Pair, besides given: [String], at path: String, _ place: Place, noun: String
  ) {
    if problems.isFull { return }
    let hasDistribution = table[path]?.type.alternatives.contains(.distribution(of: .duration)) ?? false
    let forms = hasDistribution ? DistributionForm.allCases.map(\.rawValue) : []
    let known = forms + table.children(of: path).map(\.name)
    let list = "its keys are \(known.joined(separator: ", "))"
    let near =
      Spelling.hint(pair.key, among: known) ?? Spelling.sibling(pair.key, among: known.filter { !given.contains($0) })
    problems.add(
      .unknownKey, at: pair.keySpan, "unknown key \(pair.key.quoted) in \(place.owner)", note: "not a key of \(noun)",
      help: near ?? Help(table.elsewhere(pair.key) ?? list))
  }

  private mutating func checkNames(_ pairs: [Node.Pair], _ entry: KeyEntry, _ place: Place) {
    guard let item = table.child("*", of: entry.path), fitsLimit(pairs.count, place) else { return }
    for pair in pairs {
      do { try Scalars.checkName(pair.key) } catch {
        problems.add(error, of: pair.key.quoted, at: pair.keySpan)
      }
      let owner = [item.noun, pair.key.quoted].compactMap { $0 }.joined(separator: " ")
      check(pair.value, item, Place(key: pair.key, span: pair.keySpan, owner: owner))
    }
  }

  /// Checks values and their shares, which must add up to 100 %.
  mutating func checkWeighted(_ pairs: [Node.Pair], _ type: ValueType, _ entry: KeyEntry, _ place: Place) {
    guard fitsLimit(pairs.count, place) else { return }
    guard !pairs.isEmpty else {
      problems.add(.nothingThere, at: place.span, "\(place.key.quoted) is empty", note: "at least one is needed")
      return
    }
    var (keyEntry, shareEntry) = (entry, entry)
    (keyEntry.type, keyEntry.default) = (type, .required)
    (shareEntry.type, shareEntry.default, shareEntry.minimum, shareEntry.maximum) = (.share, .required, nil, nil)
    var total = 0.0
    var isValid = true
    let meant = MeantShares(pairs)
    for pair in pairs {
      check(Node(content: .scalar(pair.key, isPlain: true), span: pair.keySpan), keyEntry, place)
      if let text = meant.text(of: pair) {
        problems.add(
          .unitMissing, at: pair.value.span, "\(pair.key.quoted) needs a % sign", note: "of what?",
          help: .write(text))
        isValid = false
        continue
      }
      check(pair.value, shareEntry, Place(key: pair.key, span: pair.keySpan, owner: place.owner))
      if let share = try? Scalars.measure(pair.value, as: .share), pair.value.text != nil {
        total += share
      } else {
        isValid = false
      }
    }
    if isValid { problems.checkTotal(total, at: place.span, of: place.key.quoted) }
  }

  mutating func report(_ problem: ValueProblem, _ node: Node, _ entry: KeyEntry, _ place: Place) {
    problems.add(
      problem.code, at: node.span, "\(place.key.quoted) \(problem.sentence)", note: problem.note,
      help: advice(problem, node, entry))
  }

  /// Returns the advice for a problem, limited to values that the key accepts. If none remain, an example is returned.
  private func advice(_ problem: ValueProblem, _ node: Node, _ entry: KeyEntry) -> Help? {
    if entry.name == "up_to", node.text?.first == "-" {
      return "for earlier dates too: jitter: {early: 15min, up_to: 15min}"
    }
    if let removed = Removed.advice(entry.path + ":", node.text ?? "") { return Help(removed) }
    if let near = Spelling.hint(node.text ?? "", among: entry.words) { return near }
    let kept = problem.help?.keeping { TreeCheck.takes($0, entry) }
    let hasLost = problem.help?.repairs.isEmpty == false && kept?.repairs.isEmpty != false
    let example = hasLost ? TreeCheck.example(of: entry).map { Help.write(like: $0) } : nil
    let help = example ?? kept
    guard !entry.words.isEmpty, problem.code != .unknownWord else { return help }
    let words = "or " + entry.words.joined(separator: ", ")
    return help?.and(words) ?? Help(words)
  }

  /// Whether the key accepts the plain value, including its bounds.
  static func takes(_ text: String, _ entry: KeyEntry) -> Bool {
    entry.scalarTypes.contains { type in
      if case .range(of: let end) = type {
        guard let (from, to) = try? Quantities.ends(text), let low = measure(from, end, entry),
          let high = measure(to, end, entry)
        else { return false }
        return low <= high
      }
      return measure(text, type, entry) != nil
    }
  }

  /// Returns the numeric size of a value; `nil` if the text cannot be read or is out of bounds.
  private static func measure(_ text: String, _ type: ValueType, _ entry: KeyEntry) -> Double? {
    let unquoted = text.hasPrefix("\"") && text.hasSuffix("\"") ? String(text.dropFirst().dropLast()) : text
    guard let measure = try? Scalars.measure(unquoted, as: type),
      measure >= Scalars.bound(entry.minimum, as: type) ?? -.infinity,
      measure <= Scalars.bound(entry.maximum, as: type) ?? .infinity
    else { return nil }
    return measure
  }

  /// Returns an example of a simple value that the key accepts.
  static func example(of entry: KeyEntry) -> String? {
    let usual = entry.scalarTypes.flatMap(\.examples) + [entry.minimum, entry.maximum].compactMap { $0 }
    return usual.first { takes($0, entry) }
  }
}

extension KeyTable {
  /// Returns a hint about the level at which a key is valid; `nil` if it is valid nowhere else.
  fileprivate func elsewhere(_ key: String) -> String? {
    let found = entries.filter { $0.name == key && key != "*" }
    guard let entry = found.min(by: { $0.path.depth < $1.path.depth }) else { return nil }
    let parent = entry.path.split(separator: ".").dropLast().joined(separator: ".")
    return parent.isEmpty ? "\(key.quoted) belongs at the top level" : "\(key.quoted) is a key of \(parent)"
  }
}

extension String {
  /// The number of components in a key path.
  fileprivate var depth: Int { split(separator: ".").count }
}

extension KeyEntry {
  /// The types of plain values that the key accepts. They include the word `none` if the value is optional.
  var scalarTypes: [ValueType] {
    let written = type.alternatives.flatMap { type -> [ValueType] in
      switch type {
      case .mapping, .names, .list, .shares, .values: []
      case .distribution(of: let value): [value]
      default: [type]
      }
    }
    return `default` == .none ? [.words(["none"])] + written : written
  }

  /// The words that the key accepts.
  var words: [String] {
    scalarTypes.flatMap { type -> [String] in if case .words(let words) = type { words } else { [] } }
  }

  /// A description of the key for messages, such as `a kind`, `an event` or `'clock'`.
  var described: String {
    guard let noun else { return name.quoted }
    return ("aeiou".contains(noun.first ?? "-") ? "an " : "a ") + noun
  }

  var hasMapping: Bool { type.alternatives.contains(.mapping) }

  /// A description of the values that the key accepts, including any accepted words.
  package var form: String {
    let others = type.alternatives.filter { if case .words = $0 { false } else { true } }
    let forms = others.map { type -> String in
      if let example = type.example { return example }
      var entry = self
      entry.type = type
      return Form.text(of: entry)
    }
    return (words.filter { $0 != "none" } + forms).joined(separator: " or ")
  }
}

extension ValueType {
  /// Examples of plain values, starting with the most common one.
  fileprivate var examples: [String] {
    switch self {
    case .integer, .number, .count: ["1", "10", "100"]
    case .share: ["5%"]
    case .change: ["1%"]
    case .duration: ["15min", "30s", "500ms", "1d"]
    case .rate: ["7k/s", "50/day"]
    case .size: ["20kB"]
    case .power: ["1.2W"]
    case .energyPerBit: ["51.97mW/Mbps"]
    case .battery: ["12.98Wh"]
    case .range(of: let end): end.examples.map { "\($0)..\($0)" }
    default: []
    }
  }

  /// A description of a plain value with an example; `nil` if no example is needed.
  fileprivate var example: String? {
    switch self {
    case .schema: "widgetfleet/v1"
    case .text: "any text"
    case .label, .folderName: "a name"
    case .kind: "the name of a kind"
    case .endpoint: "the name of an endpoint"
    case .phone: "a phone such as iphone-15"
    case .zone: "an IANA time zone such as Europe/Berlin"
    case .instant: "an instant such as 2027-01-18T00:00:00Z"
    case .timeOfDay: "a clock time such as \"09:30\""
    case .weekdays: "days such as mon-fri or [mon, sat]"
    case .duration: "a duration such as 15min"
    case .share: "a share such as 5%"
    case .change: "a change such as 1% or -1%"
    case .count: "a count such as 250k"
    case .rate: "a rate such as 7k/s"
    case .size: "a size such as 20kB"
    case .integer: "a whole number"
    case .distribution(of: let type):
      type.example.map { $0 + ", or a distribution such as {exponential: mean}" } ?? "a number, or a distribution"
    case .range: "a range a..b"
    case .zipf: "a rank distribution such as zipf 1.0"
    default: nil
    }
  }
}

/// Descriptions of the types of values, for messages.
enum Form {
  static func text(of entry: KeyEntry) -> String {
    let forms = entry.type.alternatives.map(text)
    return forms.joined(separator: " or ")
  }

  private static func text(of type: ValueType) -> String {
    switch type {
    case .mapping, .names: "a mapping {key: value}"
    case .shares: "a mapping {name: share}"
    case .list: "a list of mappings"
    case .values(of: _, let count): count.map { "a list of \($0) values" } ?? "a list [a, b]"
    case .distribution: "a plain value or a distribution"
    case .words(let words): words.count > 7 ? "a word" : words.joined(separator: " or ")
    case .duration: "a duration"
    case .share: "a share"
    case .change: "a change"
    case .radio: "a radio"
    case .power: "a power"
    case .battery: "an energy"
    case .number, .integer, .count: "a number"
    case .flag: "true or false"
    default: "a plain value"
    }
  }
}
