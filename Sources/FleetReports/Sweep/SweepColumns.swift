/// What the columns of a sweep's files mean; those of keys and figures speak for themselves.
extension ColumnMeaning {
  static let sweepColumns =
    columns(
      SweepFile.runs.name,
      [
        (column: "setting", unit: "a number from 1", meaning: "Which setting of the sweep the row is of."),
        (column: "replication", unit: "a number from 1", meaning: "Which repetition of the setting the row is of."),
        (
          column: "preset", unit: "",
          meaning: "The preset of the bracket that the row was simulated under; blank: the setting itself."
        ),
      ])
    + columns(
      SweepFile.settings.name,
      [
        (column: "setting", unit: "a number from 1", meaning: "The setting; its values stand under the keys' names."),
        (column: "passes", unit: "", meaning: "Whether every goal passes, those of severity warning too: yes or no."),
        (
          column: "pareto", unit: "",
          meaning: "Whether no other setting is as good in every objective and better in one: yes or no. Objectives "
            + "are the goals' figures, or without goals the highest peak of an endpoint, stale views and battery."
        ),
      ])
    + columns(
      SweepFile.effects.name,
      [
        (column: "figure", unit: "", meaning: "The figure that the effect is on, written as in goals."),
        (
          column: "term", unit: "",
          meaning: "A key, a key with one of its values where they are no amounts, two of them with a star between for "
            + "their interaction, or rest for what no term explains."
        ),
        (
          column: "effect", unit: "as the column unit",
          meaning: "Of a key with amounts what changes from its low to its high end, of another's value the difference "
            + "to the mean over its values; of two keys with amounts half of what one changes of the other's effect."
        ),
        (column: "low", unit: "as the column unit", meaning: "Lower end of the 95 % interval over replications."),
        (column: "high", unit: "as the column unit", meaning: "Upper end of the 95 % interval over replications."),
        (column: "unit", unit: "", meaning: "The unit of the effect."),
        (
          column: "variance_share", unit: "a share from 0 to 1",
          meaning: "What of the figure's variance over the settings is lost without the term, all values of a key "
            + "together; blank where the figure is the same under all. In a grid the shares add up to 1."
        ),
      ])
}
