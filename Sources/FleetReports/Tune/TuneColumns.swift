/// What the columns of a tuning's runs.csv mean; those of keys and figures speak for themselves.
extension ColumnMeaning {
  static let tuneColumns = columns(
    "runs.csv of tune",
    [
      (
        column: "trial", unit: "a number from 1",
        meaning: "Which simulated setting the row is of, in the order in which they were tried."
      ),
      (
        column: "stage", unit: "",
        meaning: "search: with the draws that all settings share; check: the winner again with a seed of its own."
      ),
      (column: "seed", unit: "", meaning: "The seed of the trial; run --seed gives the same figures."),
      (column: "replication", unit: "a number from 1", meaning: "Which repetition of the trial the row is of."),
      (
        column: "passes", unit: "",
        meaning: "Whether every goal passes, judged over all replications of the trial: yes or no."
      ),
    ])
}
