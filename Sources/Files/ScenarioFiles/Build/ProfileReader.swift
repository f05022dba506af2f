import Scenario
import SimulationKernel

/// A reader for the profile named under `os`, which inserts the profile into the scenario tree and then checks it
/// (MODEL.md 4.9).
struct ProfileReader {
  private var problems: ProblemList

  /// Returns the tree with the path of the profile replaced by the profile's content. The tree is unchanged if there is
  /// no profile, or if the profile has a problem.
  static func expand(_ root: Node, problems: inout ProblemList) -> Node {
    guard let os = root["os"], let named = os["profile"], let path = named.text, !named.isNull else { return root }
    var reader = ProfileReader(problems: problems)
    let profile = reader.profile(path, at: named.span)
    problems = reader.problems
    return profile.map { root.replacing("os", with: os.replacing("profile", with: $0)) } ?? root
  }

  private mutating func profile(_ path: String, at span: Span) -> Node? {
    switch problems.files.content(path) {
    case .failure(let refusal):
      problems.add(
        .unreadable, at: span, "the profile \(path.quoted) cannot be read: \(refusal.reason)", note: "this file",
        help: "the path is relative to the scenario file")
      return nil
    case .success(let bytes):
      let text = SourceText(file: path, bytes, schema: SystemProfile.schema.prefix { $0 != "/" } + "/v")
      return mapping(source: problems.add(source: text), named: span)
    }
  }

  /// Returns the tree of the profile; `nil` if it has a problem.
  ///
  /// - Parameter place: the position in the scenario at which the profile is named.
  private mutating func mapping(source: Int, named place: Span) -> Node? {
    let before = problems.count
    let node = TreeReader.read(source: source, problems: &problems)
    let text = problems.sources[source]
    if let node, node.pairs != nil, text.isQuotable { return node }
    if problems.count == before {
      let isMapping = node?.pairs != nil
      problems.add(
        isMapping ? .missingKey : .wrongShape, at: isMapping ? place : node?.span ?? place,
        isMapping ? "the file \(text.name.quoted) is not a profile" : "profile \(text.name.quoted) is not a mapping",
        note: isMapping ? "this file" : "keys expected", help: Help("it starts with schema: \(SystemProfile.schema)"))
    }
    return nil
  }
}

extension Node {
  /// Returns the mapping with the value of an existing key replaced.
  fileprivate func replacing(_ key: String, with value: Node) -> Node {
    var node = self
    node.content = .mapping(
      (pairs ?? []).map { pair in
        var pair = pair
        if pair.key == key { pair.value = value }
        return pair
      })
    return node
  }

  /// Returns the mapping with a value added at a path of keys; an existing value at the path is kept.
  func filling(_ keys: ArraySlice<String>, with value: Node) -> Node {
    guard let key = keys.first, let pairs else { return self }
    var filled = self
    let rest = keys.dropFirst()
    if let index = pairs.firstIndex(where: { $0.key == key }) {
      guard !rest.isEmpty else { return self }
      var changed = pairs
      changed[index].value = pairs[index].value.filling(rest, with: value)
      filled.content = .mapping(changed)
    } else {
      let empty = Node(content: .mapping([]), span: value.span)
      let inner = rest.isEmpty ? value : empty.filling(rest, with: value)
      filled.content = .mapping(pairs + [Node.Pair(key: key, keySpan: value.span, value: inner)])
    }
    return filled
  }

  /// Returns the node at a dot-separated path of keys; `nil` if there is no such node.
  func below(_ path: String) -> Node? {
    path.split(separator: ".").reduce(Optional(self)) { node, key in
      node?[String(key)].flatMap { $0.isNull ? nil : $0 }
    }
  }
}

/// A check of the constants in a profile, performed after its keys have been checked against the key table.
struct ProfileCheck {
  private var problems: ProblemList

  /// Checks the profile in a tree, if the tree contains one.
  static func check(_ root: Node, problems: inout ProblemList) {
    guard let profile = root["os"]?["profile"], profile.pairs != nil else { return }
    var check = ProfileCheck(problems: problems)
    let pairs = profile["os"]?.pairs ?? []
    if pairs.isEmpty { check.refuseEmpty(profile) }
    for pair in pairs { check.checkConstant(pair) }
    if check.problems.isEmpty { check.checkOrders(profile, pairs) }
    problems = check.problems
  }

  private mutating func refuseEmpty(_ profile: Node) {
    problems.add(
      .nothingThere, at: profile["os"]?.span ?? profile.span, "the profile has no constants", note: "none here",
      help: "its os section maps keys of os to measured values")
  }

  private mutating func checkConstant(_ pair: Node.Pair) {
    guard let constant = BracketConstant(rawValue: pair.key),
      let entry = KeyTable.standard["os." + constant.rawValue]
    else { return refuseKey(pair) }
    var check = TreeCheck(problems: problems)
    for end in MeasuredEnd.allCases {
      guard let node = pair.value[end.rawValue] else { continue }
      let place = TreeCheck.Place(key: end.rawValue, span: node.span, owner: pair.key.quoted)
      check.check(node, entry, place)
    }
    problems = check.problems
    for end in MeasuredEnd.allCases {
      guard let node = pair.value[end.rawValue], let text = node.text, entry.words.contains(text) else { continue }
      problems.add(
        .wrongShape, at: node.span, "\(end.rawValue.quoted) of \(pair.key.quoted) is a word", note: "not a quantity",
        help: "a profile has measured quantities")
    }
  }

  private mutating func refuseKey(_ pair: Node.Pair) {
    let known = KeyTable.standard.entries.filter(\.isAmount).map { String($0.path.dropFirst("os.".count)) }
    problems.add(
      .unknownKey, at: pair.keySpan, "unknown constant \(pair.key.quoted) in the profile",
      note: "not a key of os with one quantity",
      help: Spelling.hint(pair.key, among: known) ?? Help("constants are \(known.joined(separator: ", "))"))
  }

  /// Rejects an interval whose low end is above the value or whose high end is below it.
  private mutating func checkOrders(_ profile: Node, _ pairs: [Node.Pair]) {
    let systems = MeasuredEnd.allCases.map { ProfileBuilder(profile: profile).system($0) }
    for pair in pairs {
      guard let constant = BracketConstant(rawValue: pair.key) else { continue }
      let amounts = systems.map { $0.amount(of: constant) ?? 0 }
      let (low, value, high) = (amounts[0], amounts[1], amounts[2])
      if low > value { refuseOrder(pair, .low, "more") }
      if high < value { refuseOrder(pair, .high, "less") }
    }
  }

  private mutating func refuseOrder(_ pair: Node.Pair, _ end: MeasuredEnd, _ word: String) {
    problems.add(
      .wrongOrder, at: pair.value[end.rawValue]?.span ?? pair.keySpan,
      "\(end.rawValue.quoted) of \(pair.key.quoted) is \(word) than its value", note: "on the wrong side",
      help: "low, value and high must increase; distributions are compared by mean")
  }
}

/// The value of a measured constant or one of the ends of its interval, in ascending order.
enum MeasuredEnd: String, CaseIterable {
  case low, value, high

  /// The cases in the order in which they are written in files.
  fileprivate static let inFile: [MeasuredEnd] = [.value, .low, .high]
}

/// A builder for `os.profile`, used after the profile has been checked.
struct ProfileBuilder {
  let profile: Node

  /// Returns the profile; constants that cannot be read are omitted.
  func build() -> SystemProfile {
    let section = Section(node: profile, pattern: "os.profile")
    var measurement: SystemProfile.Measurement = section.section("measured").filled()
    measurement.phones = (profile["measured"]?["phones"]?.pairs ?? []).compactMap { pair in
      count(pair.value).map { SystemProfile.PhoneCount(model: pair.key, count: $0) }
    }
    return SystemProfile(
      name: section.text("name") ?? "", measurement: measurement, constants: constants, values: system(.value),
      low: system(.low), high: system(.high))
  }

  /// Returns the default constants, with each measured constant replaced by its value or by one end of its interval.
  func system(_ end: MeasuredEnd) -> OperatingSystem {
    let empty = Node(content: .mapping([]), span: profile.span)
    return SystemBuilder(os: Section(node: filled(empty, end), pattern: "os")).written(preset: .ios26)
  }

  /// Returns the node of `os`, extended by all measured constants that `os` does not set; each is set to its value or
  /// to one end of its interval.
  func filled(_ os: Node, _ end: MeasuredEnd) -> Node {
    pairs.reduce(os) { node, pair in
      guard let value = pair.value[end.rawValue] else { return node }
      return node.filling(pair.key.split(separator: ".").map(String.init)[...], with: value)
    }
  }

  private var pairs: [Node.Pair] { profile["os"]?.pairs ?? [] }

  private var constants: [MeasuredConstant] {
    pairs.compactMap { pair in
      guard let constant = BracketConstant(rawValue: pair.key),
        let method = pair.value["method"]?.text.flatMap(MeasuringMethod.init), let number = count(pair.value["n"])
      else { return nil }
      return MeasuredConstant(
        constant, method: method, observations: number, phones: count(pair.value["phones"]))
    }
  }

  private func count(_ node: Node?) -> Int? {
    node.flatMap { Reading.read($0, PlainNumbers.integer) }.flatMap { Int(exactly: $0) }
  }
}

extension SystemProfile {
  /// The content of the profile in the form used in profile files.
  var resolved: PlainValue {
    let phones = measurement.phones.map { PlainValue.Pair(key: $0.model, value: .count($0.count)) }
    let measured = PlainValue.pairs(
      of: measurement, at: "os.profile.measured", phones.isEmpty ? [:] : ["phones": .mapping(phones)])
    var pairs: [PlainValue.Pair] = [
      .init(key: "schema", value: .text(Self.schema)), .init(key: "name", value: .text(name)),
    ]
    if !measured.isEmpty { pairs.append(.init(key: "measured", value: .mapping(measured))) }
    pairs.append(.init(key: "os", value: .mapping(constants.map(resolved))))
    return .mapping(pairs)
  }

  private func resolved(_ measured: MeasuredConstant) -> PlainValue.Pair {
    let path = measured.constant.rawValue
    let ends = zip(MeasuredEnd.inFile, [values, low, high]).compactMap { end, system in
      PlainValue.mapping(system.resolvedKeys).value(at: path).map { PlainValue.Pair(key: end.rawValue, value: $0) }
    }
    var facts: [PlainValue.Pair] = [
      .init(key: "method", value: .text(measured.method.rawValue)),
      .init(key: "n", value: .count(measured.observations)),
    ]
    if let phones = measured.phones { facts.append(.init(key: "phones", value: .count(phones))) }
    return PlainValue.Pair(key: path, value: .mapping(ends + facts))
  }
}

extension PlainValue {
  /// Returns the value at a dot-separated path of keys; `nil` if there is none.
  fileprivate func value(at path: String) -> PlainValue? {
    path.split(separator: ".").reduce(Optional(self)) { value, key in
      guard case .mapping(let pairs) = value else { return nil }
      return pairs.first { $0.key == key }?.value
    }
  }
}
