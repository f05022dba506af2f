/// What the results must satisfy: an entry of `goals` of the file.
package struct Goal: Hashable, Sendable {
  /// What a miss means.
  package enum Severity: String, CaseIterable, Sendable {
    case error, warning
  }

  package var id: String
  /// As written.
  package var text: String
  package var figure: FigureName
  package var comparison: Comparison
  package var limit: Limit
  package var severity: Severity

  package init(
    id: String, text: String, figure: FigureName, comparison: Comparison, limit: Limit, severity: Severity
  ) {
    self.id = id
    self.text = text
    self.figure = figure
    self.comparison = comparison
    self.limit = limit
    self.severity = severity
  }
}

/// A figure of the results by its name: a row of summary.csv.
package struct FigureName: Hashable, Sendable {
  package var metric: Metric
  package var statistic: Statistic
  package var labels: Labels

  package init(_ metric: Metric, _ statistic: Statistic, _ labels: Labels = Labels()) {
    self.metric = metric
    self.statistic = statistic
    self.labels = labels
  }

  /// A share of anything has no other unit.
  package var unit: MetricUnit { statistic == .share ? .share : metric.measure }

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

/// How a figure is compared with its limit; raw values as the file spells them.
package enum Comparison: String, CaseIterable, Sendable {
  case atMost = "<="
  case less = "<"
  case atLeast = ">="
  case more = ">"
  case equal = "=="
  case unequal = "!="

  package func holds(_ value: Double, _ limit: Double) -> Bool {
    switch self {
    case .atMost: value <= limit
    case .less: value < limit
    case .atLeast: value >= limit
    case .more: value > limit
    case .equal: value == limit
    case .unequal: value != limit
    }
  }

  /// Whether it asks for one value exactly, or for any other.
  package var isExact: Bool { self == .equal || self == .unequal }
}

/// What a figure is compared with.
package enum Limit: Hashable, Sendable {
  /// In the figure's unit.
  case value(Double)
  /// So many times another figure of the same run.
  case multiple(Double, of: FigureName)
}

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
