import ScenarioFiles
public import SimulationKernel

/// A value of a scenario's key, written as in a scenario file.
///
/// Strings, numbers, booleans, arrays and dictionaries stand for themselves; a dictionary keeps its order.
///
/// ```swift
/// let reload: ScenarioValue = ["after": "15min"]
/// let interval = ScenarioValue.time(.minutes(15))
/// let capacity = ScenarioValue.perSecond(2_500)
/// ```
public struct ScenarioValue: Hashable, Sendable {
  let content: PlainValue

  /// Creates a value from a text, such as `15min` or `at-end`.
  public init(_ text: String) { content = .text(text) }

  /// Returns a span of time.
  public static func time(_ span: TimeAmount) -> ScenarioValue { ScenarioValue("\(span.milliseconds)ms") }

  /// Returns a share; 0.1 is 10 %.
  public static func share(_ fraction: Double) -> ScenarioValue { ScenarioValue("\(fraction * 100)%") }

  /// Returns a rate per second, such as a capacity.
  public static func perSecond(_ rate: Double) -> ScenarioValue { ScenarioValue("\(rate)/s") }

  private init(_ content: PlainValue) { self.content = content }

  /// The value on one line of a scenario file.
  var text: String { content.yaml }
}

extension ScenarioValue: ExpressibleByStringInterpolation {
  /// Creates a value from a string literal.
  public init(stringLiteral value: String) { self.init(value) }
}

extension ScenarioValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral {
  /// Creates a value from an integer literal.
  public init(integerLiteral value: Int) { self.init(.bare("\(value)")) }

  /// Creates a value from a literal with a decimal point.
  public init(floatLiteral value: Double) { self.init(.bare("\(value)")) }

  /// Creates a value from `true` or `false`.
  public init(booleanLiteral value: Bool) { self.init(.bare("\(value)")) }
}

extension ScenarioValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  /// Creates a list.
  public init(arrayLiteral elements: ScenarioValue...) { self.init(.list(elements.map(\.content))) }

  /// Creates a mapping in the order of the literal.
  public init(dictionaryLiteral elements: (String, ScenarioValue)...) {
    self.init(.mapping(elements.map { PlainValue.Pair(key: $0.0, value: $0.1.content) }))
  }
}
