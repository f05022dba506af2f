/// What earlier versions had, as it was written, and what to use instead.
package enum Removed {
  static let all = [
    "export --to vegeta": "use --to k6 or --to locust",
    "run --requests-as alb": "use --requests-as nginx or --requests-as jsonl",
    "run --requests-as cloudfront": "use --requests-as nginx or --requests-as jsonl",
    "run --only radios.csv":
      "compare the run with itself on another radio: widgetfleet compare DIR --with fleet.cohorts.NAME.network=RADIO",
  ]

  /// Advice for a command, its option, or a value of that: `export`, `--to`, `vegeta`; nil where there never was one.
  package static func advice(_ words: String...) -> String? { all[words.joined(separator: " ")] }
}
