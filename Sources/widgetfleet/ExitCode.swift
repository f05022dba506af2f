/// The exit codes of PRODUCT.md.
enum ExitCode: Int32, CaseIterable {
  case success = 0
  /// A goal failed or a regression was found.
  case goalFailed = 1
  /// Nothing was simulated: wrong usage or an invalid scenario.
  case notSimulated = 2
  /// A bug of ours.
  case bug = 3
  /// Cannot read or write.
  case inputOutput = 4
  /// `tune`: nothing meets the constraints.
  case infeasible = 5
  case interrupted = 130
  case terminated = 143
}
