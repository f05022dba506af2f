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
        column: "preset", unit: "",
        meaning:
          "The preset of the bracket that the row was simulated under; blank: the setting itself. A setting that "
          + "fails by itself is not simulated under presets."
      ),
      (
        column: "passes", unit: "",
        meaning: "Whether every goal passes, judged over all replications and presets of the trial: yes or no."
      ),
      (
        column: "worst", unit: "",
        meaning: "What leaves the least room to a goal, or misses it by most: scenario, prompt or lazy."
      ),
    ])
}
