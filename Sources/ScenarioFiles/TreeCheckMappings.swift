import Scenario

extension TreeCheck {
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
      // A misspelt key is there, and said to be wrong already.
      let isThere = pairs.contains { pair in
        pair.key == entry.name
          || table.child(pair.key, of: path) == nil && Spelling.hint(pair.key, among: [entry.name]) != nil
      }
      if isThere { continue }
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
    guard let item = table.child("*", of: entry.path), hasRoom(pairs.count, place) else { return }
    for pair in pairs {
      do { try Scalars.checkName(pair.key) } catch {
        problems.add(error, of: pair.key.quoted, at: pair.keySpan)
      }
      let owner = [item.noun, pair.key.quoted].compactMap { $0 }.joined(separator: " ")
      check(pair.value, item, Place(key: pair.key, span: pair.keySpan, owner: owner))
    }
  }

  /// Checks values with their shares, which add up to 100 %.
  mutating func checkWeighted(_ pairs: [Node.Pair], _ type: ValueType, _ entry: KeyEntry, _ place: Place) {
    guard hasRoom(pairs.count, place) else { return }
    guard !pairs.isEmpty else {
      problems.add(.nothingThere, at: place.span, "\(place.key.quoted) is empty", note: "at least one is needed")
      return
    }
    var (keyEntry, shareEntry) = (entry, entry)
    (keyEntry.type, keyEntry.default) = (type, .required)
    (shareEntry.type, shareEntry.default, shareEntry.least, shareEntry.most) = (.share, .required, nil, nil)
    var total = 0.0
    var isValid = true
    let meant = MeantShares(pairs)
    for pair in pairs {
      check(Node(content: .scalar(pair.key, isPlain: true), span: pair.keySpan), keyEntry, place)
      if let text = meant.text(of: pair) {
        problems.add(
          .unitMissing, at: pair.value.span, "\(pair.key.quoted) is a share and needs %", note: "of what?",
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
}

extension KeyTable {
  /// A hint for a key that stands at another level.
  fileprivate func elsewhere(_ key: String) -> String? {
    guard let entry = entries.first(where: { $0.name == key && key != "*" }) else { return nil }
    let parent = entry.path.split(separator: ".").dropLast().joined(separator: ".")
    return parent.isEmpty ? "\(key.quoted) stands at the top level" : "\(key.quoted) is a key of \(parent)"
  }
}

extension KeyEntry {
  /// The forms that a plain value may have; the word none where there may be nothing.
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

  /// The words that it takes.
  var words: [String] {
    scalarTypes.flatMap { type -> [String] in if case .words(let words) = type { words } else { [] } }
  }

  /// `a kind`, `an event`, `'clock'`.
  var described: String {
    guard let noun else { return name.quoted }
    return ("aeiou".contains(noun.first ?? "-") ? "an " : "a ") + noun
  }

  var hasMapping: Bool { type.alternatives.contains(.mapping) }
}
