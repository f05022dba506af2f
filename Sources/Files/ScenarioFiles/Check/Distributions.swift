import Foundation
import Scenario

/// A form in which a mapping can specify a `<dist>`.
enum DistributionForm: String, CaseIterable {
  case uniform, exponential, normal, lognormal, choice

  /// The keys of the nested mapping; empty if this form has no nested mapping.
  var keys: [String] {
    switch self {
    case .normal: ["mean", "sd"]
    case .lognormal: ["median", "sigma", "p95"]
    case .uniform, .exponential, .choice: []
    }
  }
}

extension TreeCheck {
  mutating func checkDistribution(
    _ node: Node, _ pairs: [Node.Pair], _ type: ValueType, _ entry: KeyEntry, _ place: Place
  ) {
    let forms = DistributionForm.allCases.map(\.rawValue)
    let written = pairs
    for pair in written where !forms.contains(pair.key) {
      problems.add(
        .badDistribution, at: pair.keySpan, "unknown distribution \(pair.key.quoted) in \(place.key.quoted)",
        note: "not a distribution",
        help: Spelling.hint(pair.key, among: forms) ?? "distributions are \(forms.joined(separator: ", "))")
    }
    if written.count != 1 {
      problems.add(
        .badDistribution, at: place.span, "\(place.key.quoted) takes one distribution", note: "\(written.count) here",
        help: "distributions are \(forms.joined(separator: ", "))")
    }
    for pair in written {
      guard let form = DistributionForm(rawValue: pair.key) else { continue }
      check(pair, form, type, entry)
    }
  }

  private mutating func check(_ pair: Node.Pair, _ form: DistributionForm, _ type: ValueType, _ entry: KeyEntry) {
    var value = entry
    (value.type, value.default) = (type, .required)
    let place = Place(key: pair.key, span: pair.keySpan, owner: pair.key.quoted)
    if pair.value.isNull { return check(pair.value, value, place) }
    switch form {
    case .uniform: checkRange(pair.value, type, value, place)
    case .exponential:
      check(pair.value, value, place)
      refuseZero(pair, "for a constant, use a plain value")
    case .normal, .lognormal: checkParameters(pair, form, value)
    case .choice:
      guard let choices = pair.value.pairs else { return refuseForm(pair, "{15min: 70%, 1h: 30%}") }
      checkWeighted(choices, type, value, place)
      refuseEqualChoices(choices, type)
    }
  }

  private mutating func refuseForm(_ pair: Node.Pair, _ form: String) {
    problems.add(
      .badDistribution, at: pair.keySpan, "\(pair.key.quoted) takes a mapping \(form)",
      note: "\(pair.value.shape) follows")
  }

  private mutating func checkParameters(_ pair: Node.Pair, _ form: DistributionForm, _ value: KeyEntry) {
    let example = form == .normal ? "{mean: ..., sd: ...}" : "{median: ..., sigma: ...} or {median: ..., p95: ...}"
    guard let parameters = pair.value.pairs else { return refuseForm(pair, example) }
    for parameter in parameters {
      checkParameter(parameter, form, value)
    }
    let keys = Set(parameters.map(\.key))
    let isComplete =
      form == .normal
      ? keys.isSuperset(of: ["mean", "sd"])
      : keys.contains("median")
        && keys.contains("sigma") != keys.contains("p95")
    guard isComplete else {
      problems.add(
        .badDistribution, at: pair.keySpan, "\(pair.key.quoted) takes \(example)", note: "not these keys",
        help: form == .normal ? "both keys are needed" : "the median and one of the other two are needed")
      return
    }
    if let median = pair.value["median"], let p95 = pair.value["p95"] { refuseOrder(median, p95, value.type) }
  }

  private mutating func checkParameter(_ parameter: Node.Pair, _ form: DistributionForm, _ value: KeyEntry) {
    guard form.keys.contains(parameter.key) else {
      problems.add(
        .badDistribution, at: parameter.keySpan, "unknown key \(parameter.key.quoted) in '\(form.rawValue)'",
        note: "not a key of a \(form.rawValue) distribution",
        help: Spelling.hint(parameter.key, among: form.keys) ?? "its keys are \(form.keys.joined(separator: ", "))")
      return
    }
    var entry = value
    if parameter.key == "sigma" { (entry.type, entry.minimum, entry.maximum) = (.number, "0", "10") }
    check(parameter.value, entry, Place(key: parameter.key, span: parameter.keySpan, owner: parameter.key.quoted))
    if parameter.key != "mean" { refuseZero(parameter, "for a constant, use a plain value") }
  }

  private mutating func refuseZero(_ pair: Node.Pair, _ help: Help) {
    guard pair.value.isZero else { return }
    problems.add(.outOfRange, at: pair.value.span, "\(pair.key.quoted) must be above 0", note: "0", help: help)
  }

  private mutating func refuseOrder(_ median: Node, _ p95: Node, _ type: ValueType) {
    guard median.text != nil, p95.text != nil, let low = try? Scalars.measure(median, as: type),
      let high = try? Scalars.measure(p95, as: type), high <= low
    else { return }
    problems.add(
      .wrongOrder, at: p95.span, "'p95' must be above 'median'", note: "not above the median",
      help: "for a constant, use a plain value")
  }

  private mutating func refuseEqualChoices(_ pairs: [Node.Pair], _ type: ValueType) {
    var seen: Set<Double> = []
    for pair in pairs.prefix(1_000) {
      guard let value = try? Scalars.measure(pair.key, as: type), !seen.insert(value).inserted else { continue }
      problems.add(
        .duplicateName, at: pair.keySpan, "'choice' lists the value \(pair.key.quoted) twice", note: "the same value",
        help: "add up their shares")
    }
  }
}

extension Node {
  /// Whether the value is zero, such as 0, 0s or 0%.
  var isZero: Bool {
    guard let text else { return false }
    let number = text.prefix { $0.isNumber || $0 == "." || $0 == "_" }
    return !number.isEmpty && number.allSatisfy { $0 == "0" || $0 == "." || $0 == "_" }
  }
}

/// A reader for a `<dist>` that has already been validated.
enum DistributionReader {
  /// The 95 % quantile of the standard normal distribution, used to convert percentiles.
  private static let z95 = 1.6448536269514722

  /// Reads a distribution; returns `nil` if validation has already reported a problem in it.
  static func read<Value: Measured>(
    _ node: Node, _ parse: (String) throws(ValueProblem) -> Value
  ) -> Distribution<Value>? {
    if node.text != nil { return Reading.read(node, parse).map { .constant($0) } }
    guard let pair = node.pairs?.first else { return nil }
    let value = pair.value
    func parameter(_ key: String) -> Value? { value[key].flatMap { Reading.read($0, parse) } }
    switch DistributionForm(rawValue: pair.key) {
    case .uniform: return uniform(value, parse)
    case .exponential: return Reading.read(value, parse).map { .exponential(mean: $0) }
    case .normal:
      guard let mean = parameter("mean"), let deviation = parameter("sd") else { return nil }
      return .normal(mean: mean, deviation: deviation)
    case .lognormal:
      guard let median = parameter("median") else { return nil }
      return sigma(value, median: median, p95: parameter("p95")).map { .lognormal(median: median, sigma: $0) }
    case .choice: return choice(value, parse)
    case nil: return nil
    }
  }

  private static func uniform<Value>(
    _ node: Node, _ parse: (String) throws(ValueProblem) -> Value
  ) -> Distribution<Value>? {
    guard let text = node.text else { return nil }
    do {
      let (from, to) = try Quantities.ends(text)
      return .uniform(from: try parse(from), to: try parse(to))
    } catch { return nil }
  }

  private static func sigma<Value: Measured>(_ node: Node, median: Value, p95: Value?) -> Double? {
    if let sigma = node["sigma"] {
      return Reading.read(sigma, PlainNumbers.number)
    }
    guard let p95, median.measure > 0, p95.measure > median.measure else { return nil }
    return log(p95.measure / median.measure) / z95
  }

  private static func choice<Value>(
    _ node: Node, _ parse: (String) throws(ValueProblem) -> Value
  ) -> Distribution<Value>? {
    let choices = (node.pairs ?? []).compactMap { pair -> Weighted<Value>? in
      let share = Reading.read(pair.value, Quantities.share)
      let key = Node(content: .scalar(pair.key, isPlain: true), span: pair.keySpan)
      guard let share, let value = Reading.read(key, parse) else { return nil }
      return Weighted(value, weight: share.fraction)
    }
    return choices.isEmpty ? nil : .choice(choices)
  }
}
