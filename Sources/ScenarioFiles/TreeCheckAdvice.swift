import Scenario

extension TreeCheck {
  mutating func report(_ problem: ValueProblem, _ node: Node, _ entry: KeyEntry, _ place: Place) {
    problems.add(
      problem.code, at: node.span, "\(place.key.quoted) \(problem.sentence)", note: problem.note,
      help: advice(problem, node, entry))
  }

  /// What a problem advises as far as the key takes it, else an example of what it takes.
  private func advice(_ problem: ValueProblem, _ node: Node, _ entry: KeyEntry) -> Help? {
    if let removed = Removed.advice(entry.path + ":", node.text ?? "") { return Help(removed) }
    if let near = Spelling.hint(node.text ?? "", among: entry.words) { return near }
    let kept = problem.help?.keeping { TreeCheck.takes($0, entry) }
    let hasLost = problem.help?.mends.isEmpty == false && kept?.mends.isEmpty != false
    let example = hasLost ? TreeCheck.example(of: entry).map { Help.write(like: $0) } : nil
    let help = example ?? kept
    guard !entry.words.isEmpty, problem.code != .unknownWord else { return help }
    let words = "or " + entry.words.joined(separator: ", ")
    return help?.and(words) ?? Help(words)
  }

  /// Whether a plain value may stand for a key, its bounds included.
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

  /// What a text amounts to; nil where it cannot be read or lies outside the bounds.
  private static func measure(_ text: String, _ type: ValueType, _ entry: KeyEntry) -> Double? {
    let unquoted = text.hasPrefix("\"") && text.hasSuffix("\"") ? String(text.dropFirst().dropLast()) : text
    guard let measure = try? Scalars.measure(unquoted, as: type),
      measure >= Scalars.bound(entry.least, as: type) ?? -.infinity,
      measure <= Scalars.bound(entry.most, as: type) ?? .infinity
    else { return nil }
    return measure
  }

  /// A value that the key takes, plain enough to be an example.
  static func example(of entry: KeyEntry) -> String? {
    let usual = entry.scalarTypes.flatMap(\.examples) + [entry.least, entry.most].compactMap { $0 }
    return usual.first { takes($0, entry) }
  }
}

extension ValueType {
  /// Plain values, the most usual first.
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
}
