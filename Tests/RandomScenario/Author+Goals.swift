/// Goals for the results.
extension Author {
  private static let assertions = [
    "lateness <= 1h", "p95(lateness) < 20min", "peak_rps <= 7k/s", "peak_rps <= 400% of mean_rps", "stale_views < 2%",
    "views_per_day >= 1/day", "energy_per_day <= 5J", "p95(battery_percent_per_day) <= 0.5%",
  ]

  mutating func goals() -> Tree {
    if dice.oneIn(6) { return "none" }
    return .list(
      (0...dice.from(0...2)).map { number in
        var fields = Fields()
        fields["id"] = "goal-\(number)"
        fields["assert"] = .quoted(dice.pick(Self.assertions))
        if dice.oneIn(2) { fields["severity"] = .plain(dice.pick(["error", "warning"])) }
        return fields.tree
      })
  }
}
