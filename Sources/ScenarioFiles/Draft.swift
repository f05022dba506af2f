import Scenario
import SimulationKernel

/// What the parts of a scenario share while it is built: the tree, the names that it gives, and what is wrong with it.
final class Draft {
  let root: Section
  var problems: ProblemList
  /// In the order of the text.
  let kindNames: [String]
  private let kindIndices: [String: Int]
  private var endpointIndices: [String: Int] = [:]
  /// Those listed, then those that requests name.
  private(set) var endpoints: [Endpoint] = []
  /// The file's own.
  var radios: [RadioProfile] = []
  var phones: [Phone] = []

  init(_ root: Node, problems: ProblemList) {
    self.root = Section(node: root, pattern: "")
    self.problems = problems
    let names = self.root.named("kinds").map(\.pair.key)
    kindNames = names
    kindIndices = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Appends an endpoint.
  func add(_ endpoint: Endpoint) {
    endpointIndices[endpoint.name] = endpoints.count
    endpoints.append(endpoint)
  }

  /// The index of the endpoint of a name, appended without limits when nothing lists it.
  func endpoint(named name: String) -> Int {
    if let index = endpointIndices[name] { return index }
    add(Endpoint.with { $0.name = name })
    return endpoints.count - 1
  }

  /// The index of a kind; nil: there is none of that name.
  func kind(named name: String) -> Int? { kindIndices[name] }
}

/// Builds one part of a scenario from its section of the tree and checks what only the whole can tell (WF3xx, WF106).
protocol PartBuilder {
  var draft: Draft { get }
}

extension PartBuilder {
  var root: Section { draft.root }

  var problems: ProblemList {
    get { draft.problems }
    nonmutating set { draft.problems = newValue }
  }

  /// The place of a key in a section; else of the section.
  func span(of key: String, in section: Section) -> Span? {
    section.node?.pairs?.first { $0.key == key }?.keySpan ?? section.node?.span.narrow
  }

  /// The place of the name of a section; else of the section.
  func place(_ section: Section) -> Span? { section.written("name")?.span ?? section.node?.span.narrow }

  /// Indices of the kinds of `all` or of a list, ascending.
  func kinds(_ node: Node?) -> [Int] {
    if node?.text == "all" { return Array(draft.kindNames.indices) }
    return Set((node?.items ?? []).compactMap { kind($0) }).sorted()
  }

  /// The index of a kind; a problem when there is none of that name.
  func kind(_ node: Node?) -> Int? {
    guard let node, let name = node.text, !node.isNull else { return nil }
    if let index = draft.kind(named: name) { return index }
    refuse(
      name, at: node.span, "kind", note: "not under kinds", among: draft.kindNames,
      otherwise: "kinds are \(draft.kindNames.prefix(8).map(\.quoted).joined(separator: ", "))")
    return nil
  }

  /// Refuses a name that nothing bears.
  func refuse(
    _ name: String, at span: Span, _ what: String, note: String, among known: [String], otherwise help: String
  ) {
    if problems.isFull { return }
    problems.add(
      .unknownName, at: span, "there is no \(what) \(name.quoted)", note: note,
      help: Spelling.hint(name, among: known) ?? Help(help))
  }

  /// Refuses keys that are written and have no use beside another one.
  ///
  /// - Parameter help: nil: what the key is for.
  func refuse(
    _ keys: [String], in section: Section, besides other: String, note: String = "no use here", help: Help? = nil
  ) {
    for key in keys where section.node?[key] != nil {
      problems.add(
        .conflictingKeys, at: span(of: key, in: section), "\(key.quoted) does not go with \(other)", note: note,
        help: help ?? section.entry(key).map { Help($0.help) })
    }
  }

  /// Refuses a list or mapping without entries.
  func refuseEmpty(_ key: String, in section: Section, help: Help? = nil) {
    problems.add(
      .nothingThere, at: span(of: key, in: section), "\(key.quoted) is empty", note: "at least one is needed",
      help: help)
  }

  func refuseRepeatedNames(_ items: [Section], of what: String, key: String = "name") {
    var seen: [String: Int] = [:]
    for item in items {
      guard let node = item.written(key), let name = node.text else { continue }
      guard let line = seen.updateValue(node.span.line, forKey: name) else { continue }
      problems.add(
        .duplicateName, at: node.span, "two \(what) bear the \(key) \(name.quoted)",
        note: "the first is in line \(line)",
        help: "give one of them another \(key)")
    }
  }

  func hours(_ section: Section) -> HourWeights {
    if let peak = section.time("peak") {
      refuse(["hours"], in: section, besides: "'peak'", help: "peak turns the default hours: keep one of the two")
      return .default.turned(toPeakAt: peak)
    }
    guard let node = section.value("hours"), let items = node.items else {
      return section.text("hours") == "flat" ? .flat : .default
    }
    let weights = items.compactMap { Reading.read($0, PlainNumbers.number) }
    guard weights.count == 24, items.count == 24 else { return .flat }
    if weights.allSatisfy({ $0 == 0 }) {
      problems.add(
        .allZero, at: span(of: "hours", in: section), "all weights of 'hours' are 0", note: "when, then?",
        help: "give an hour a weight above 0; flat makes all alike")
    }
    return HourWeights(weights: weights)
  }
}
