/// What earlier versions had, as it was written, and what to use instead.
package enum Removed {
  static let all = [
    "backtest --rolling": "run one backtest for each split of days, with --train and --test",
    "bench": "run make bench in the sources",
    "explain --days": labs,
    "explain --phones": labs,
    "explain lab": labs,
    "export --to vegeta": "use --to k6 or --to locust",
    "os.profile.os.*.method: pooled": "use lab: a profile has what one lab has measured",
    "profile":
      "use a lab's profile as it is, os: {profile: FILE}; compare SCENARIO --with os.profile=FILE for another lab's",
    "run --requests-as alb": "use --requests-as nginx or --requests-as jsonl",
    "run --requests-as cloudfront": "use --requests-as nginx or --requests-as jsonl",
    "run --events": "use --device N for a line for each reload; with --format json it has every event",
    "run --only radios.csv":
      "compare the run with itself on another radio: widgetfleet compare DIR --with fleet.cohorts.NAME.network=RADIO",
    "tradeoff": "use sweep: with goals for two figures its page has the trade-off and the choice",
    "sweep --method latin-hypercube": "use --method sobol",
    "sweep.method: latin-hypercube": "use sobol",
  ]

  private static let labs = "Docs/LAB.md says how to measure, and how precise five phones are after two weeks"

  /// Advice for a command, its option, and a value of that, or for a key of the scenario and a word; nil: none is known.
  package static func advice(_ words: String...) -> String? { all[words.joined(separator: " ")] }
}
