import Scenario

/// The columns that the settings of a sweep make for a linear model: the mean, each key, and their products by two.
///
/// A key with amounts is one column from -1 at its low to 1 at its high end. Another one with k values has k - 1 columns in
/// effect coding: 1 for a value's own, -1 in all of them for the last, so that the effects of the values add up to 0.
struct EffectModel {
  /// The columns of one key, or of the product of two.
  struct Term {
    var axes: [Int]
    var columns: Range<Int>
    /// For every value, or pair of values, what its effect is made of: a factor for each column.
    var levels: [(names: [String?], codes: [Double])]
  }

  private(set) var terms: [Term] = []
  /// For each setting the value of every column.
  private(set) var rows: [[Double]]

  /// - Parameter settings: for each the value of every axis.
  init(_ axes: [SweepAxis], _ settings: [[SweepValue]], hasInteractions: Bool) {
    rows = Array(repeating: [1], count: settings.count)
    let codes = axes.map(AxisCode.init)
    // Where a key takes one value only, nothing can be said of it.
    let varied = axes.indices.filter { !codes[$0].levels.isEmpty }
    for axis in varied { append([axis], codes, settings) }
    guard hasInteractions else { return }
    for (place, axis) in varied.enumerated() {
      for other in varied[(place + 1)...] { append([axis, other], codes, settings) }
    }
  }

  private mutating func append(_ axes: [Int], _ codes: [AxisCode], _ settings: [[SweepValue]]) {
    let start = rows.first?.count ?? 1
    for index in rows.indices {
      rows[index] += product(axes.map { codes[$0].code(of: settings[index][$0]) })
    }
    var levels: [(names: [String?], codes: [Double])] = [([], [1])]
    for axis in axes {
      levels = levels.flatMap { names, code in
        codes[axis].levels.map { (names + [$0.name], product([code, $0.code])) }
      }
    }
    // From end to end a column with amounts goes 2.
    let hasAmounts = axes.contains { codes[$0].hasAmounts }
    levels = levels.map { ($0.names, $0.codes.map { hasAmounts ? 2 * $0 : $0 }) }
    let width = levels.first?.codes.count ?? 0
    terms.append(Term(axes: axes, columns: start..<start + width, levels: levels))
  }

  private func product(_ codes: [[Double]]) -> [Double] {
    codes.reduce([1]) { product, code in product.flatMap { left in code.map { left * $0 } } }
  }

  /// Columns in all, the mean's too.
  var width: Int { terms.last?.columns.upperBound ?? 1 }
}

/// How the values of one axis stand in the columns.
private struct AxisCode {
  let hasAmounts: Bool
  /// The name of a value, nil for amounts, with its columns; empty: the axis never changes.
  let levels: [(name: String?, code: [Double])]
  private let low: Double
  private let high: Double
  private let byText: [String: [Double]]

  init(_ axis: SweepAxis) {
    if case .numeric(let low, let high) = axis.scale {
      (self.low, self.high, hasAmounts, byText) = (low, high, true, [:])
      levels = [(nil, [1])]
      return
    }
    (low, high, hasAmounts) = (0, 1, false)
    let count = axis.values.count
    let own = axis.values.enumerated().map { index, value -> (String, [Double]) in
      let code = (0..<max(count - 1, 0)).map { index == count - 1 ? -1.0 : index == $0 ? 1 : 0 }
      return (value.text, code)
    }
    levels = count > 1 ? own.map { ($0.0, $0.1) } : []
    byText = Dictionary(own, uniquingKeysWith: { first, _ in first })
  }

  func code(of value: SweepValue) -> [Double] {
    guard hasAmounts else { return byText[value.text] ?? [] }
    return [2 * ((value.amount ?? low) - low) / (high - low) - 1]
  }
}
