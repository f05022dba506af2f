/// What the columns of tradeoff.csv mean; those of keys and figures speak for themselves.
extension ColumnMeaning {
  static let tradeoffColumns = columns(
    TradeoffFile.table.name,
    [
      (column: "setting", unit: "a number from 1", meaning: "The setting; its values stand under the keys' names."),
      (
        column: "sensible", unit: "",
        meaning: "Whether it passes every goal; without goals whether no other setting beats it and it lies in the "
          + "better half between best and worst of peak, stale views and battery, or comes nearest to that: yes or no."
      ),
      (
        column: "beaten", unit: "",
        meaning: "Whether another setting is as good in peak, stale views and battery and better in one: yes or no."
      ),
      (column: "passes", unit: "", meaning: "Whether every goal passes, those of severity warning too: yes or no."),
      (
        column: "margin", unit: "a share of the limit",
        meaning: "The least room that a goal has, below 0 where one is missed, by the scenario and its bracket."
      ),
      (column: "worst", unit: "", meaning: "What leaves the least room: scenario, or the preset prompt or lazy."),
    ])
}
