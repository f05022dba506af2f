/// What is wrong with a text of conditions, and where.
package struct ConditionsTextError: Error, Equatable, Sendable {
  /// Counted from 1.
  package var line: Int
  package var problem: Problem

  package enum Problem: Error, Equatable, Sendable {
    case notText
    /// The first line must be this one.
    case header(String)
    /// The number of a row's fields.
    case fields(Int)
    /// A column and what stands in it.
    case value(column: String, String)
    /// A spell that does not begin where the one before ends, in milliseconds.
    case gap(expected: Int64)
    /// A spell that does not consist of whole steps.
    case notWholeSteps
    /// A step length that differs from the first row's.
    case otherStep
    /// An endpoint whose rows do not stand together.
    case endpointAgain(String)
    /// An endpoint whose rows end elsewhere than those of the first.
    case otherEnd(String, expected: Int64)
    case noRows
    /// More steps than are read, those of all endpoints together.
    case tooManySteps(most: Int64)
  }

  package init(line: Int, problem: Problem) {
    self.line = line
    self.problem = problem
  }

  /// One sentence without line number.
  package var message: String {
    switch problem {
    case .notText: "this is not UTF-8 text"
    case .header(let expected): "the first line must be \(expected)"
    case .fields(let count): "a row has 11 fields, this one \(count)"
    case .value(let column, let text): "\(column) cannot be \"\(text)\""
    case .gap(let expected): "from_ms must be \(expected), where the row before ends"
    case .notWholeSteps: "from_ms and to_ms must lie a whole number of steps apart, at least one"
    case .otherStep: "step_ms must be the same in every row"
    case .endpointAgain(let name): "the rows of endpoint \(name) must stand together"
    case .otherEnd(let name, let expected): "the rows of endpoint \(name) must end at \(expected) ms like those before"
    case .noRows: "there are no rows"
    case .tooManySteps(let most):
      "the rows have more than \(most) steps of all endpoints together, the most that is read"
    }
  }
}
