import Scenario

/// The columns that the settings of a sweep make for a linear model: the mean and each key.
///
/// A key with amounts is one column from -1 at its low to 1 at its high end. Another one with k values has k - 1 columns in
/// effect coding: 1 for a value's own, -1 in all of them for the last, so that the effects of the values add up to 0.
struct EffectModel {
  /// The columns of one key.
  struct Term {
    var axis: Int
    var columns: Range<Int>
    /// For every value, nil: from end to end, what its effect is made of: a factor for each column.
    var levels: [(name: String?, factors: [Double])]
  }

  private(set) var terms: [Term] = []
  /// For each setting the value of every column.
  private(set) var rows: [[Double]]

  /// - Parameter settings: for each the value of every axis.
  init(_ axes: [SweepAxis], _ settings: [[SweepValue]]) {
    rows = Array(repeating: [1], count: settings.count)
    for (axis, code) in axes.map(AxisCode.init).enumerated() where !code.levels.isEmpty {
      let width = width
      for index in rows.indices { rows[index] += code.code(of: settings[index][axis]) }
      terms.append(Term(axis: axis, columns: width..<width + code.levels[0].factors.count, levels: code.levels))
    }
  }

  /// Columns in all, the mean's too.
  var width: Int { terms.last?.columns.upperBound ?? 1 }
}

/// How the values of one axis stand in the columns.
private struct AxisCode {
  /// The name of a value, nil: from end to end, with the factors of its effect; empty: the axis never changes, and nothing
  /// can be said of it.
  let levels: [(name: String?, factors: [Double])]
  /// nil: no amounts.
  private let ends: (low: Double, high: Double)?
  private let byText: [String: [Double]]

  init(_ axis: SweepAxis) {
    if case .numeric(let low, let high) = axis.scale {
      // From end to end the column goes 2.
      (ends, byText, levels) = ((low, high), [:], [(nil, [2])])
      return
    }
    ends = nil
    let count = axis.values.count
    let own = axis.values.enumerated().map { index, value -> (String, [Double]) in
      let code = (0..<max(count - 1, 0)).map { index == count - 1 ? -1.0 : index == $0 ? 1 : 0 }
      return (value.text, code)
    }
    levels = count > 1 ? own.map { ($0.0, $0.1) } : []
    byText = Dictionary(own, uniquingKeysWith: { first, _ in first })
  }

  func code(of value: SweepValue) -> [Double] {
    guard let ends else { return byText[value.text] ?? [] }
    return [2 * ((value.amount ?? ends.low) - ends.low) / (ends.high - ends.low) - 1]
  }
}
