import Scenario

/// Checks every key and every value of a tree against the key table: WF1xx and WF2xx.
struct TreeCheck {
  let table = KeyTable.standard
  var problems: ProblemList
  /// Whether a list is of absurd length: then nothing else is worth looking at.
  private var isAbsurd = false

  init(problems: ProblemList) { self.problems = problems }

  /// Where a value stands: the name and place of its key, and what holds it.
  struct Place {
    var key: String
    /// Place of the key, or of the item in a list.
    var span: Span
    /// In words: `kind 'weather'`.
    var owner: String
  }

  /// - Returns: whether the tree may be built upon, with or without problems.
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
        help: "it begins with schema: widgetfleet/v1")
      return
    }
    if let first = pairs.first, first.key != "schema", root["schema"] != nil {
      problems.add(
        .schemaFirst, at: first.keySpan, "schema must be the first key", note: "this stands before it",
        help: "move schema to the top of the file")
    }
    checkMapping(pairs, at: "", Place(key: "", span: root.span.narrow, owner: "the scenario"), noun: "a scenario")
  }

  /// Checks a value by its entry.
  mutating func check(_ node: Node, _ entry: KeyEntry, _ place: Place) {
    if problems.isFull { return }
    if node.isNull && entry.type != .anything {
      problems.add(
        .missingValue, at: place.span, "\(place.key.quoted) has no value", note: "nothing follows",
        help: "give it a value or take the key out: \(entry.help)")
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
        // That a mapping may be none is no advice: its shape is.
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
    guard let item = table.child("*", of: entry.path), hasRoom(items.count, place) else { return }
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
    guard hasRoom(items.count, place) else { return }
    var single = entry
    single.type = type
    single.default = .required
    for item in items { check(item, single, Place(key: place.key, span: item.span, owner: place.owner)) }
  }

  /// Refuses lists and mappings of absurd length.
  mutating func hasRoom(_ count: Int, _ place: Place) -> Bool {
    guard count > 1_000 else { return true }
    isAbsurd = true
    problems.add(
      .tooBig, at: place.span, "\(place.key.quoted) has \(count.grouped) entries; at most 1 000 are simulated",
      note: "too many", help: "take some away")
    return false
  }

  private mutating func checkBounds(
    _ measure: Double, _ node: Node, _ entry: KeyEntry, _ type: ValueType, _ place: Place
  ) {
    if case .range(of: let end) = type { return checkRange(node, end, entry, place) }
    if let least = entry.least, measure < Scalars.bound(least, as: type) ?? -.infinity {
      refuseBound(node, entry, least, "\(place.key.quoted) must be at least \(least)", note: "too small")
    } else if let most = entry.most, measure > Scalars.bound(most, as: type) ?? .infinity {
      refuseBound(node, entry, most, "\(place.key.quoted) must be at most \(most)", note: "too large")
    }
  }

  private mutating func refuseBound(_ node: Node, _ entry: KeyEntry, _ bound: String, _ sentence: String, note: String)
  {
    // Of a range it is one end that lies outside.
    let isRange = node.text?.contains("..") == true
    problems.add(
      .outOfRange, at: node.span, sentence, note: note,
      help: isRange ? Help(entry.help) : Help.write(bound).and(entry.help))
  }

  /// Checks both ends of a..b.
  mutating func checkRange(_ node: Node, _ type: ValueType, _ entry: KeyEntry, _ place: Place) {
    guard let text = node.text else { return refuseShape(of: node, entry, place) }
    do {
      let (from, to) = try Quantities.ends(text)
      let measures = (try Scalars.measure(from, as: type), try Scalars.measure(to, as: type))
      checkBounds(measures.0, node, entry, type, place)
      checkBounds(measures.1, node, entry, type, place)
      guard measures.0 > measures.1 else { return }
      problems.add(
        .wrongOrder, at: node.span, "\(place.key.quoted) goes from more to less", note: "the smaller end comes first",
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
}
