/// A change of a figure from one run to another that is looked for: `peak_rps{endpoint=api} > +5%`.
package struct ChangeCondition: Hashable, Sendable {
  /// How large a change is.
  package enum Change: Hashable, Sendable {
    /// Share of the base: 0.05 is 5 % more.
    case relative(Double)
    /// In the figure's unit.
    case absolute(Double)

    /// Where the changed figure lies when it changes by just this much.
    package func applied(to base: Double) -> Double {
      switch self {
      case .relative(let share): base * (1 + share)
      case .absolute(let amount): base + amount
      }
    }
  }

  /// As written.
  package var text: String
  package var figure: FigureName
  package var comparison: Comparison
  package var change: Change

  package init(text: String, figure: FigureName, comparison: Comparison, change: Change) {
    self.text = text
    self.figure = figure
    self.comparison = comparison
    self.change = change
  }
}

extension FigureName {
  /// As goals spell it, the statistic only where another one is meant first.
  package var text: String {
    let given = Label.allCases.filter { !labels[$0].isEmpty }
    let list = given.map { "\($0.rawValue)=\(FigureName.quoted(labels[$0]))" }.joined(separator: ", ")
    let name = metric.rawValue + (given.isEmpty ? "" : "{\(list)}")
    return metric.statistics.first == statistic ? name : "\(statistic.rawValue)(\(name))"
  }

  /// A value of a label, in quotes where it could not be read without.
  private static func quoted(_ value: String) -> String {
    let special: Set<Character> = [",", "}", "{", "=", "'", "\"", " "]
    guard value.contains(where: special.contains) else { return value }
    return value.contains("'") ? "\"\(value)\"" : "'\(value)'"
  }
}
