/// A condition that the results must satisfy (an entry of `goals` in the file).
package struct Goal: Hashable, Sendable {
  package enum Severity: String, CaseIterable, Sendable {
    case error, warning
  }

  package var id: String
  /// The text of the goal, as written in the file.
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

/// The name of a metric in the results, as in a row of summary.csv.
package struct FigureName: Hashable, Sendable {
  package var metric: Metric
  package var statistic: Statistic
  package var labels: Labels
  /// Whether the measured period is shorter than a day, so that daily metrics refer to that period instead.
  ///
  /// This property is not part of the name.
  package var isOfPeriod = false

  package init(_ metric: Metric, _ statistic: Statistic, _ labels: Labels = Labels()) {
    self.metric = metric
    self.statistic = statistic
    self.labels = labels
  }

  /// The unit of the metric; if the statistic is a share, the unit of a share.
  package var unit: MetricUnit {
    if statistic == .share { return .share }
    if !labels.during.isEmpty { return metric.measure.perWindow }
    return isOfPeriod ? metric.measure.perPeriod : metric.measure
  }

  package static func == (one: FigureName, other: FigureName) -> Bool {
    one.metric == other.metric && one.statistic == other.statistic && one.labels == other.labels
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(metric)
    hasher.combine(statistic)
    hasher.combine(labels)
  }

  /// The name as written in goals, without the default statistic.
  package var text: String {
    let given = Label.allCases.filter { !labels[$0].isEmpty }
    let list = given.map { "\($0.rawValue)=\(FigureName.quoted(labels[$0]))" }.joined(separator: ", ")
    let name = metric.rawValue + (given.isEmpty ? "" : "{\(list)}")
    return metric.statistics.first == statistic ? name : "\(statistic.rawValue)(\(name))"
  }

  /// Returns a label value, in quotes if necessary.
  private static func quoted(_ value: String) -> String {
    let special: Set<Character> = [",", "}", "{", "=", "'", "\"", " "]
    guard value.contains(where: special.contains) else { return value }
    return value.contains("'") ? "\"\(value)\"" : "'\(value)'"
  }
}

/// A comparison between a metric and its limit; the raw values are the operators used in the file.
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

  /// Whether the comparison tests for equality or inequality.
  package var isExact: Bool { self == .equal || self == .unequal }
}

/// The limit of a metric, given as a value or relative to another metric.
package enum Limit: Hashable, Sendable {
  /// A value in the metric's unit.
  case value(Double)
  /// A multiple of another metric of the same run.
  case multiple(Double, of: FigureName)
  /// A share of the capacity of the metric's endpoint; the capacity is in requests per second.
  case share(Double, ofCapacity: Double)

  /// The limit in the metric's unit; `nil` if it is a multiple of another metric.
  package var number: Double? {
    switch self {
    case .value(let value): value
    case .multiple: nil
    case .share(let share, ofCapacity: let capacity): share * capacity
    }
  }
}

extension Goal {
  /// Returns the goal with a limit based on the capacity in a scenario, provided that the limit is a share of a
  /// capacity.
  package func limited(by scenario: Scenario) -> Goal {
    guard case .share(let share, ofCapacity: _) = limit,
      let capacity = figure.endpoint(in: scenario).flatMap({ scenario.endpoints[$0].largestCapacity })
    else { return self }
    var goal = self
    goal.limit = .share(share, ofCapacity: capacity)
    return goal
  }
}

extension FigureName {
  /// Returns the index of the endpoint in the labels, or of the only endpoint; `nil` if there are several endpoints.
  package func endpoint(in scenario: Scenario) -> Int? {
    let endpoints = scenario.endpoints
    guard labels.endpoint.isEmpty else { return endpoints.firstIndex { $0.name == labels.endpoint } }
    return endpoints.count == 1 ? 0 : nil
  }
}

/// A condition on the change in a metric between two runs, such as `peak_rps{endpoint=api} > +5%`.
package struct ChangeCondition: Hashable, Sendable {
  package enum Change: Hashable, Sendable {
    /// A change relative to the base value; 0.05 means 5 % more.
    case relative(Double)
    /// An absolute change in the metric's unit.
    case absolute(Double)
    /// A relative change and an absolute change, both of which must be exceeded.
    case both(Double, Double)

    /// Returns the value that results from applying this change to a base value.
    package func applied(to base: Double) -> Double {
      switch self {
      case .relative(let share): base * (1 + share)
      case .absolute(let amount): base + amount
      case .both(let share, let amount):
        base + (amount < 0 ? min(base * share, amount) : max(base * share, amount))
      }
    }
  }

  /// The text of the condition as written by the user.
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
