package import Scenario

/// A key of a scenario with the values that a page offers for it.
package struct Lever: Sendable {
  /// The path of the key, as in `--set`.
  package let path: String
  /// The one-line help text of the key.
  package let help: String
  /// The values in the notation of the file, in ascending order, including the scenario's own value.
  package let values: [String]
  /// The index of the scenario's own value.
  package let own: Int

  /// The keys that a page offers by default, in order. Keys that a scenario lacks are omitted.
  private static let usual = [
    "kinds.*.reload.after", "kinds.*.reload.after.every", "kinds.*.jitter.up_to", "kinds.*.cache.ttl", "fleet.devices",
    "backend.endpoints.*.capacity", "backend.endpoints.*.cdn.ttl", "events.*.over", "events.*.push.over",
    "os.budget.capacity", "os.start_delay.policy.uniform", "os.start_delay.widget_push.exponential",
  ]

  /// Values that change nothing, for keys that a scenario may lack.
  private static let neutral = ["jitter.up_to": "0s"]

  /// Returns the usual levers of a scenario.
  package static func all(in scenario: Scenario) -> [Lever] {
    guard let root = root(of: scenario) else { return [] }
    return usual.flatMap { pattern in
      paths(pattern.split(separator: ".").map(String.init)[...], in: root).compactMap { path in
        let key = path.suffix(2).joined(separator: ".")
        return lever(path.joined(separator: "."), in: root, missing: neutral[key] ?? standard(path))
      }
    }
  }

  /// Returns the lever of any key; `nil` if the scenario has no such key.
  package static func named(_ path: String, in scenario: Scenario) -> Lever? {
    root(of: scenario).flatMap { lever(path, in: $0, missing: "") }
  }

  /// Returns the paths of all keys of a scenario.
  package static func paths(in scenario: Scenario) -> [String] {
    ScenarioPaths.all(in: Array(scenario.resolvedText.utf8))
  }

  /// Returns the default of a system key, which a scenario with a preset does not contain; `nil` for other keys.
  private static func standard(_ path: [String]) -> String? {
    guard path[0] == "os" else { return nil }
    for count in (1...path.count).reversed() {
      let entry = KeyTable.standard[path.prefix(count).joined(separator: ".")]
      guard case .value(let text)? = entry?.default else { continue }
      let rest = path.dropFirst(count)
      return rest.isEmpty ? text : Defaults.node(text)?[rest[count]]?.text
    }
    return nil
  }

  private static func root(of scenario: Scenario) -> Node? {
    var problems = ProblemList(file: SourceText(name: "scenario", bytes: Array(scenario.resolvedText.utf8)))
    return ScenarioReader.tree([], problems: &problems)
  }

  /// Returns the paths that match a pattern, in which `*` stands for any name or item.
  private static func paths(_ pattern: ArraySlice<String>, in node: Node?) -> [[String]] {
    guard let first = pattern.first else { return [[]] }
    guard first == "*" else { return paths(pattern.dropFirst(), in: node?[first]).map { [first] + $0 } }
    return ScenarioPaths.items(of: node).flatMap { name, item in
      paths(pattern.dropFirst(), in: item).map { [name] + $0 }
    }
  }

  /// - Parameter missing: the value to show for a key that the scenario lacks; `nil` to offer no lever.
  private static func lever(_ path: String, in root: Node, missing: String?) -> Lever? {
    let text = path + "=x"
    var problems = ProblemList(file: SourceText(name: "scenario", bytes: []))
    let source = problems.add(argument: "--set", text)
    guard let setting = Setting.read(source: source, problems: &problems),
      let target = SettingApplier.target(of: setting, in: root, problems: &problems), problems.isEmpty
    else { return nil }
    let node = root.value(at: setting.steps[...])
    guard let written = node?.text ?? (node == nil || node?.isNull == true ? missing : nil) else { return nil }
    let devices = root["fleet"]?["devices"]?.text.flatMap { try? Scalars.measure($0, as: .count) } ?? 1
    let ladder = ValueLadder(target, written: written, devices: path.hasPrefix("backend.") ? devices : nil)
    var help = target.entry.help
    if case .value(let text) = target.entry.default, target.parts.isEmpty, !text.isEmpty { help += "; default \(text)" }
    return Lever(path: path, help: help, values: ladder.values, own: ladder.own)
  }
}

/// The values that a lever offers for a key.
private struct ValueLadder {
  var values: [String] = []
  var own = 0

  private static let spans = [
    "0s", "1s", "5s", "10s", "30s", "1min", "2min", "5min", "10min", "15min", "20min", "30min", "45min", "1h", "90min",
    "2h", "3h", "4h", "6h", "8h", "12h", "1d",
  ]
  private static let shares = [0, 1, 2, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100].map { "\($0)%" }
  /// Words for values greater than any amount.
  private static let boundless: Set = ["none", "never-expires"]
  private static let factors = [0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 5, 10]

  /// - Parameters:
  ///   - written: the scenario's own value; empty if it has none.
  ///   - devices: the number of phones for fleet-wide rates; `nil` for rates per widget.
  init(_ target: SettingTarget, written text: String, devices: Double?) {
    let isCount = target.plainTypes.contains(.count)
    let written = isCount ? text.shortCount : text
    let hasAmounts = !target.amountTypes.isEmpty || target.takesRanges
    for type in target.plainTypes {
      switch type {
      // Words offered alongside amounts make sense only with other keys.
      case .words(let words): values += hasAmounts ? [] : words
      case .flag: values += ["false", "true"]
      case .range(of: .duration): fill(.duration, target, written, Self.spans.map { "0s.." + $0 }, prefix: "0s..")
      case .duration: fill(type, target, written, Self.spans)
      case .share: fill(type, target, written, Self.shares)
      case .integer, .number, .count, .rate, .size, .power:
        let multiples = Self.multiples(of: text, type, devices)
        fill(type, target, written, isCount ? multiples.map(\.shortCount) : multiples)
      default: break
      }
    }
    values = values.uniqued
    if !values.contains(written), !written.isEmpty {
      values.insert(written, at: Self.boundless.contains(written) ? values.count : 0)
    }
    own = values.firstIndex(of: written) ?? 0
  }

  /// Adds the values within the key's limits and the scenario's own value, in ascending order.
  ///
  /// - Parameter prefix: the start of each value, which is not part of the quantity.
  private mutating func fill(
    _ type: ValueType, _ target: SettingTarget, _ written: String, _ candidates: [String], prefix: String = ""
  ) {
    let measure = { (text: String) in
      text.hasPrefix(prefix) ? try? Scalars.measure(String(text.dropFirst(prefix.count)), as: type) : nil
    }
    let low = target.entry.minimum.flatMap(measure) ?? 0
    let high = target.entry.maximum.flatMap(measure) ?? .infinity
    let mine = measure(written)
    var known = candidates.compactMap { text in measure(text).map { (text, $0) } }
    known.removeAll { $0.1 < low || $0.1 > high || $0.1 == mine }
    // The parameters of distributions are positive.
    if !target.parts.isEmpty, prefix.isEmpty { known.removeAll { $0.1 <= 0 } }
    if let mine { known.append((written, mine)) }
    values += known.sorted { $0.1 < $1.1 }.map(\.0)
  }

  /// Returns multiples of a number, with its unit.
  private static func multiples(of written: String, _ type: ValueType, _ devices: Double?) -> [String] {
    let digits = written.prefix { $0.isDigit || $0 == "." || $0 == "_" }
    let unit = written.dropFirst(digits.count)
    guard let number = Double(digits.filter { $0 != "_" }), number > 0 else {
      if type == .rate, let devices { return rates(of: devices) }
      if type == .rate { return ["10", "20", "30", "40", "50", "60", "75", "100"].map { $0 + "/day" } }
      return ["0", "1", "2", "5", "10", "20", "50", "100"].map { $0 + unit }
    }
    let isWhole = type != .number && type != .rate && unit.isEmpty
    return factors.map { text(ofTwoDigits: number * $0, isWhole: isWhole) + unit }
  }

  /// Returns fleet rates over four decades, starting at about one request per phone per day.
  private static func rates(of devices: Double) -> [String] {
    let day = 86_400.0
    var lowest = 1e-5
    while lowest * 10 <= devices / day { lowest *= 10 }
    return [1, 10, 100, 1_000].flatMap { decade in
      [1.0, 2, 5].map { text(ofTwoDigits: lowest * decade * $0, isWhole: false) + "/s" }
    }
  }

  /// Formats a positive number with two significant digits, or as a whole number of at least 1.
  private static func text(ofTwoDigits value: Double, isWhole: Bool) -> String {
    var (digits, exponent) = (value, 0)
    while digits >= 99.5 { (digits, exponent) = (digits / 10, exponent + 1) }
    while digits < 9.95 { (digits, exponent) = (digits * 10, exponent - 1) }
    let text = String(Int(digits.rounded()))
    if exponent >= 0 { return text + String(repeating: "0", count: exponent) }
    if isWhole { return String(max(1, Int(value.rounded()))) }
    let padded = String(repeating: "0", count: max(0, 1 - exponent - text.count)) + text
    let decimals = String(padded.suffix(-exponent)).droppingTrailingZeros
    return padded.dropLast(-exponent) + (decimals.isEmpty ? "" : "." + decimals)
  }
}

extension String {
  fileprivate var droppingTrailingZeros: String {
    String(reversed().drop { $0 == "0" }.reversed())
  }

  /// A count with the suffix k or M if it is a multiple of a tenth of that unit.
  fileprivate var shortCount: String {
    guard let count = Int(self), count >= 1_000 else { return self }
    let (unit, suffix) = count >= 1_000_000 ? (1_000_000, "M") : (1_000, "k")
    guard count % (unit / 10) == 0 else { return self }
    return String(count / unit) + (count % unit == 0 ? "" : "." + String(count % unit / (unit / 10))) + suffix
  }
}
