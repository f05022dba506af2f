/// Why a number could not be computed.
package enum NumericsError: Error, Hashable, CustomStringConvertible {
  /// An argument outside what the function is defined for: NaN, infinite, negative where that means nothing.
  case argument(function: String, name: String, value: Double)
  /// GSL reported a status other than success.
  case library(function: String, status: Int32, message: String)
  /// The result is NaN or infinite.
  case notFinite(function: String, arguments: [Double])
  /// Two independent ways to compute the same value differ by more than the stated tolerance.
  case disagreement(function: String, at: Double)
  /// A tabulated function decreases, which an inverse distribution function cannot.
  case notMonotone(function: String, cell: Int)

  package var description: String {
    switch self {
    case .argument(let function, let name, let value): "\(function): \(name) cannot be \(value)"
    case .library(let function, let status, let message): "\(function): \(message) (GSL status \(status))"
    case .notFinite(let function, let arguments): "\(function): no finite value at \(arguments)"
    case .disagreement(let function, let place): "\(function): two methods disagree at \(place)"
    case .notMonotone(let function, let cell): "\(function): the table decreases in cell \(cell)"
    }
  }

  /// Throws unless `value` is finite and `valid`.
  static func check(
    _ valid: Bool, _ function: String, _ name: String, _ value: Double
  ) throws(NumericsError) {
    guard valid, value.isFinite else { throw .argument(function: function, name: name, value: value) }
  }
}
