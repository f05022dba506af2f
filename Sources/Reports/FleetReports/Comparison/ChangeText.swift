import Scenario
import Studies

/// Text about changed figures.
enum ChangeText {
  /// Returns a difference with its sign, in the figure's unit.
  static func text(_ difference: Double?, _ figure: FigureName) -> String {
    guard let difference else { return NumberText.unknown }
    let magnitude = difference.magnitude
    let amount =
      switch figure.unit {
      case .hours: TimeText.seconds(magnitude * 3_600)
      case .share: points(magnitude * 100)
      case .percentPerDay, .percentPerPeriod: points(magnitude)
      default: GoalText.text(magnitude, figure)
      }
    // A difference that would be displayed as zero has no sign.
    return TickText.readsAsZero(amount) ? amount : sign(difference) + amount
  }

  /// Returns a signed percentage of the base, or `from 0` if the base is 0.
  static func relative(_ share: Double?) -> String {
    guard let share else { return "from 0" }
    let percent = share.magnitude * 100
    return sign(share) + NumberText.trimmed(percent < 0.1 && percent > 0 ? "0.1" : number(percent)) + "\u{A0}%"
  }

  /// Returns the tick label of a change, in percent with as many decimals as needed.
  static func tick(_ share: Double, _ more: Int) -> String {
    guard share != 0 else { return "0" }
    return sign(share) + NumberText.trimmed(NumberText.fixed(share.magnitude * 100, decimals: 2 + more)) + "\u{A0}%"
  }

  /// Returns the change in a figure and its interval. Both are relative to the base value, unless the figure changes
  /// sign.
  static func text(_ change: FigureChange) -> (change: String, interval: String) {
    guard let difference = change.difference else { return (NumberText.unknown, "") }
    guard !change.changesSign, let relative = change.relative(difference) else {
      return (text(difference, change.figure), change.interval.map { $0.words { text($0, change.figure) } } ?? "")
    }
    let interval = change.interval.map { interval in interval.words { Self.relative(change.relative($0)) } }
    return (Self.relative(relative), interval ?? "")
  }

  /// Returns a change such as `−41 %, 95 % between −43 % and −39 %`. Changes in shares are in percentage points. Those
  /// in other figures are relative to the base, unless the figure changes sign.
  ///
  /// - Parameter hasChange: whether the text starts with the change. If not, it starts with a comma, followed by the
  ///   interval.
  static func sentence(_ change: FigureChange, hasChange: Bool = true) -> String {
    let isRelative =
      change.figure.unit != .share && !change.changesSign && change.difference.flatMap { change.relative($0) } != nil
    let words = { (value: Double) in
      isRelative ? relative(change.relative(value)) : text(value, change.figure)
    }
    if change.size(minimum: 0) == .equal { return hasChange ? "no change" : "" }
    let own = hasChange ? change.difference.map(words) ?? NumberText.unknown : ""
    guard let interval = change.interval else { return own }
    return own + ", 95\u{A0}% between \(words(interval.low)) and \(words(interval.high))"
  }

  /// Returns a probability as text. A very small probability is given as an upper bound.
  static func probability(_ value: Double) -> String {
    value < 0.001 ? "under 0.001" : NumberText.fixed(value, decimals: 3)
  }

  private static func points(_ percent: Double) -> String {
    NumberText.trimmed(percent < 1 ? small(percent) : number(percent)) + "\u{A0}pp"
  }

  /// Returns a percentage below 1 in the usual format. Down to 10^-9, its first two significant digits are shown.
  private static func small(_ percent: Double) -> String {
    let texts = [NumberText.text(percent)] + (5...10).map { NumberText.fixed(percent, decimals: $0) }
    let first = texts.firstIndex { !TickText.readsAsZero($0) } ?? 0
    return texts[first == 0 ? 0 : min(first + 1, texts.count - 1)]
  }

  private static func number(_ percent: Double) -> String {
    percent >= 99.95 ? NumberText.whole(percent) : NumberText.fixed(percent, decimals: percent < 9.95 ? 2 : 1)
  }

  private static func sign(_ value: Double) -> String { value > 0 ? "+" : value < 0 ? "−" : "" }
}
