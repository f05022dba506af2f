import Scenario
import SimulationKernel

/// A range of quantities, such as `0s..30min`, from which each setting takes one value. Both ends are included.
struct SweepRange: Sendable {
  let type: ValueType
  private let low: Node
  private let high: Node
  /// The ends of the range, in the unit of `Scalars.measure`.
  private let minimum: Double
  private let maximum: Double
  /// The spacing between values. All values except the ends are multiples of it.
  private let grain: Grain

  /// The spacing between values, in a form that depends on the unit.
  private struct Grain: Sendable {
    /// The spacing in the unit of `Scalars.measure`.
    var measure: Double
    /// The number of decimals, followed by the suffix after the number.
    var decimals = 0
    var suffix = ""
  }

  /// Reads a range of values that the key accepts; returns `nil` if there is a problem.
  ///
  /// - Parameter path: the path of the key to use in messages.
  init?(_ node: Node, _ target: SettingTarget, path: String, problems: inout ProblemList) {
    guard let ends = Self.ends(node) else {
      problems.add(
        .unreadable, at: node.span, "\(path.quoted) is not a range", note: "not a range",
        help: "a range is low..high; a list of values is [1h, 2h]")
      return nil
    }
    guard let first = target.amountTypes.first else {
      problems.add(
        .wrongShape, at: node.span, "\(path.quoted) does not take a range: its values are not quantities",
        note: "a range here", help: "give a list of values")
      return nil
    }
    (low, high) = ends
    type = target.amountTypes.first { Self.measures(ends, as: $0) != nil } ?? first
    var measures: [Double] = []
    for end in [low, high] {
      do { measures.append(try Scalars.measure(end, as: type)) } catch {
        problems.add(error, of: path.quoted, at: end.span)
      }
    }
    guard measures.count == 2 else { return nil }
    (minimum, maximum) = (measures[0], measures[1])
    guard minimum < maximum, maximum < 0x1p53 else {
      let isEmpty = minimum >= maximum
      problems.add(
        isEmpty ? .wrongOrder : .tooBig, at: node.span,
        isEmpty ? "the range of \(path.quoted) is empty" : "the range of \(path.quoted) is too large",
        note: isEmpty ? "from low to high" : "too large",
        help: isEmpty ? "the smaller end comes first; both ends are included" : nil)
      return nil
    }
    grain = Self.grain(type, minimum, maximum, high.text ?? "")
  }

  /// Returns the ends of a range and their positions; `nil` if the value is not a range.
  private static func ends(_ node: Node) -> (Node, Node)? {
    guard let text = node.text, let (from, to) = try? Quantities.ends(text) else { return nil }
    var (first, second) = (node.span, node.span)
    if node.span.length == text.unicodeScalars.count {
      first.length = from.unicodeScalars.count
      second.column += first.length + 2
      second.length = to.unicodeScalars.count
    }
    return (
      Node(content: .scalar(from, isPlain: true), span: first), Node(content: .scalar(to, isPlain: true), span: second)
    )
  }

  private static func measures(_ ends: (Node, Node), as type: ValueType) -> (Double, Double)? {
    guard let low = try? Scalars.measure(ends.0, as: type), let high = try? Scalars.measure(ends.1, as: type) else {
      return nil
    }
    return (low, high)
  }

  /// Returns a spacing that is fine enough for any study and produces readable values.
  ///
  /// For durations, the spacing is one second in ranges of at least a minute, and otherwise one millisecond. For
  /// counts, it is one. For other quantities, it is a power of ten that divides the range into at least a thousand
  /// steps.
  private static func grain(_ type: ValueType, _ minimum: Double, _ maximum: Double, _ text: String) -> Grain {
    switch type {
    case .duration: return Grain(measure: maximum - minimum >= 60_000 ? 1_000 : 1)
    case .integer, .count: return Grain(measure: 1)
    case .size: return Grain(measure: 1, suffix: "B")
    case .number: return decimal(maximum - minimum, one: 1, "", atMost: 12)
    case .share: return decimal(maximum - minimum, one: 0.01, "%", atMost: 10)
    case .power: return decimal(maximum - minimum, one: 1_000, "mW", atMost: 3)
    case .energyPerBit: return decimal(maximum - minimum, one: 1_000, "nJ/bit", atMost: 3)
    case .battery: return decimal(maximum - minimum, one: 100, "Wh", atMost: 2)
    default:
      let unit = Units.rate(text.drop { $0.isDigit || $0 == "." || $0 == "_" }.drop { $0 == " " })?.name ?? ""
      let one = (try? Quantities.rate("1" + unit)).map { Double($0.count) } ?? 1_000_000
      return decimal(maximum - minimum, one: one, unit, atMost: 6)
    }
  }

  private static func decimal(_ width: Double, one: Double, _ suffix: String, atMost decimals: Int) -> Grain {
    var power = 1.0
    for count in 0..<decimals {
      if width * power >= 1_000 * one { return Grain(measure: one / power, decimals: count, suffix: suffix) }
      power *= 10
    }
    return Grain(measure: one / power, decimals: decimals, suffix: suffix)
  }

  private var isCounted: Bool { type == .integer || type == .count || type == .size }

  /// Returns the value at a position in the range, where 0 is the low end and 1 is the high end.
  func value(at place: Double) -> Node {
    if isCounted { return node(min(minimum + (place * (maximum - minimum + 1)).rounded(.down), maximum)) }
    let steps = ((minimum + place * (maximum - minimum)) / grain.measure).rounded()
    if steps * grain.measure <= minimum { return low }
    if steps * grain.measure >= maximum { return high }
    return node(steps)
  }

  private func node(_ steps: Double) -> Node {
    let text =
      type == .duration
      ? QuantityText.duration(.milliseconds(Int64(steps * grain.measure)))
      : PlainNumbers.text(shifting: steps, by: -grain.decimals) + grain.suffix
    return Node(content: .scalar(text, isPlain: true), span: low.span)
  }

  /// The difference between two adjacent levels, which is chosen to give at most 100 000 levels.
  private var stride: Double { grain.measure * max(1, ((maximum - minimum) / grain.measure / 100_000).rounded(.up)) }

  /// The first multiple of the stride above the low end and the last multiple below the high end, in units of the
  /// stride.
  private var inner: (first: Double, last: Double) {
    ((minimum / stride).rounded(.down) + 1, (maximum / stride).rounded(.up) - 1)
  }

  /// The number of levels, including both ends.
  var levels: Int { Int(max(inner.last - inner.first + 1, 0)) + 2 }

  /// Returns the value at a level, starting at 0.
  func value(level: Int) -> Node {
    if level <= 0 { return low }
    return level >= levels - 1 ? high : node((inner.first + Double(level - 1)) * (stride / grain.measure).rounded())
  }

  /// The unit in which values are written. It is empty if values have no unit, or if they are durations, whose units
  /// vary.
  var suffix: String { grain.suffix }

  /// The ends of the range, in the unit of `Scalars.measure`.
  var measures: (minimum: Double, maximum: Double) { (minimum, maximum) }

  /// The values at the two ends of the range.
  var ends: [Node] { [low, high] }

  /// Returns an axis with the values used in the settings of a sweep.
  func axis(_ path: String, taken nodes: [Node]) -> SweepAxis {
    let values = nodes.map { SweepValue($0, [type]) }
    let scale = SweepAxis.Scale.numeric(low: minimum / type.measuresPerUnit, high: maximum / type.measuresPerUnit)
    return SweepAxis(path: path, scale: scale, unit: type.amountUnit, values: values.eachOnceByAmount)
  }
}

extension SweepValue {
  /// Creates a value, and determines its numeric size using the first type that can read it.
  init(_ node: Node, _ types: [ValueType]) {
    self.init(node.flowText)
    guard node.text != nil else { return }
    for type in types {
      guard let measure = try? Scalars.measure(node, as: type) else { continue }
      amount = measure / type.measuresPerUnit
      return
    }
  }
}

extension [SweepValue] {
  /// The distinct values, sorted by numeric size.
  var eachOnceByAmount: [SweepValue] {
    uniqued.enumerated().sorted { ($0.element.amount ?? 0, $0.offset) < ($1.element.amount ?? 0, $1.offset) }
      .map(\.element)
  }
}
