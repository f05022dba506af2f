import Scenario
import Studies

/// Labels for ticks.
enum TickText {
  /// A function that returns the text of a value with a given number of additional decimals.
  typealias Label = (_ value: Double, _ more: Int) -> String

  /// Returns labels with as few decimals as possible, but enough to distinguish all ticks and to show only 0 as 0.
  static func labels(_ ticks: [Double], _ label: Label) -> [String] {
    for more in 0..<10 {
      let texts = ticks.map { label($0, more) }
      let isReadable = zip(ticks, texts).allSatisfy { $0 == 0 || !readsAsZero($1) }
      guard isReadable, Set(texts).count == texts.count else { continue }
      // Ticks in steps of a quarter get one more decimal than is needed to distinguish them.
      return more == 0 ? texts : ticks.map { label($0, more + 1) }
    }
    return ticks.map { label($0, 0) }
  }

  /// Returns whether all digits of a number's text are zeros.
  static func readsAsZero(_ text: String) -> Bool {
    text.contains("0") && !text.contains { ("1"..."9").contains($0) }
  }

  /// Returns the label of a plain number.
  static func number(_ value: Double, _ more: Int) -> String { Axis.label(value, more: more) }

  /// Returns the label of an hour. It is a clock time or, if whole minutes cannot distinguish the ticks, hours with
  /// decimals.
  static func hour(_ value: Double, _ more: Int) -> String {
    more == 0 ? TimeText.clock(hour: value) : decimal(value, 1 + more) + "\u{A0}h"
  }

  /// Returns the label of a figure's value.
  static func text(_ value: Double, _ name: FigureName, _ more: Int) -> String {
    switch name.unit {
    case .share: decimal(value * 100, 2 + more) + "\u{A0}%"
    case .hours: hour(value, more)
    case .seconds: more == 0 ? GoalText.text(value, name) : decimal(value, more) + "\u{A0}s"
    case .bytes: more == 0 ? GoalText.text(value, name) : bytes(value, 2 + more)
    default: Axis.label(value, more: more)
    }
  }

  /// Returns the label of a difference between two values of a figure.
  static func difference(_ value: Double, _ name: FigureName, _ more: Int) -> String {
    guard value != 0 else { return "0" }
    return (value < 0 ? "−" : "+") + text(value.magnitude, name, more).replacing("%", with: "pp")
  }

  private static func decimal(_ value: Double, _ decimals: Int) -> String {
    NumberText.trimmed(NumberText.fixed(value, decimals: decimals))
  }

  private static func bytes(_ value: Double, _ decimals: Int) -> String {
    let units = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")]
    let (size, name) = units.first { value >= $0.0 } ?? (1, "bytes")
    return decimal(value / size, decimals) + "\u{A0}" + name
  }
}
