import Scenario

/// A column of a file of the results: what it holds, and in which unit.
package struct ColumnMeaning: Hashable, Sendable {
  package var file: String
  package var column: String
  /// Empty: a name or a word.
  package var unit: String
  package var meaning: String

  /// Every column of every CSV file, in the order of the files; of sweeps those whose names depend on nothing.
  package static let all: [ColumnMeaning] =
    summaryColumns + goalColumns + loadColumns + causeColumns + deviceColumnMeanings + distributionColumns
    + radioColumns + echoColumns + trialColumns + conditionColumns + sweepColumns + tuneColumns + tradeoffColumns

  typealias Row = (column: String, unit: String, meaning: String)

  static func columns(_ file: String, _ rows: [Row]) -> [ColumnMeaning] {
    rows.map { ColumnMeaning(file: file, column: $0.column, unit: $0.unit, meaning: $0.meaning) }
  }

  private static let labels: [Row] = Label.allCases.map { label -> Row in
    (column: label.rawValue, unit: "", meaning: label.meaning + "; empty: over all.")
  }

  private static let bracket: [Row] = [
    (column: "prompt", unit: "as the column unit", meaning: "The value under the preset prompt; blank: not computed."),
    (column: "lazy", unit: "as the column unit", meaning: "The value under the preset lazy; blank: not computed."),
  ]

  private static let values: [Row] = [
    (
      column: "statistic", unit: "",
      meaning: "Which number of the distribution: mean, p50, p95, p99, p999, max, total or share."
    ), (column: "unit", unit: "", meaning: "The unit of the values in the row."),
    (column: "value", unit: "as the column unit", meaning: "The mean over the replications; blank: not known."),
    (column: "low", unit: "as the column unit", meaning: "Lower end of the 95 % interval over replications."),
    (column: "high", unit: "as the column unit", meaning: "Upper end of the 95 % interval over replications."),
  ]

  private static let metric: Row = (
    column: "metric", unit: "", meaning: "The figure's name: 'explain METRIC' says more."
  )

  private static let summaryColumns = columns("summary.csv", [metric] + labels + values + bracket)

  private static let goalColumns = columns(
    "goals.csv",
    [
      (column: "id", unit: "", meaning: "The goal's id."),
      (column: "severity", unit: "", meaning: "error: a miss fails the run; warning: it does not."),
      (column: "verdict", unit: "", meaning: "pass, fail, warn or inconclusive."),
      (column: "assert", unit: "", meaning: "The assertion as the scenario writes it."), metric,
    ] + labels + values + [
      (column: "limit", unit: "as the column unit", meaning: "What the value is compared with.")
    ] + bracket + [
      (
        column: "hinges_on", unit: "",
        meaning: "The undocumented constants of the system that turn the verdict, with blanks between."
      ), (column: "explanation", unit: "", meaning: "Why the goal is inconclusive; blank otherwise."),
    ])

  private static let replication: Row = (
    column: "replication", unit: "a number from 1", meaning: "Which repetition of the run the row is of."
  )

  private static let loadColumns = columns(
    "load.csv",
    [
      replication,
      (column: "time_s", unit: "seconds", meaning: "Start of the time step, from clock.start."),
      (column: "endpoint", unit: "", meaning: "The endpoint."),
      (column: "arrivals", unit: "requests", meaning: "Requests that arrived in the step, scaled to the fleet."),
      (
        column: "origin_requests", unit: "requests",
        meaning: "Requests that reached the origin in the step: behind a CDN its misses, otherwise the arrivals."
      ), (column: "failures", unit: "requests", meaning: "Requests of the step that failed."),
      (
        column: "backlog", unit: "requests",
        meaning:
          "Requests that wait at the end of the step; blank without capacity, CDN, limit and base load, as all that follows."
      ),
      (column: "reached", unit: "requests", meaning: "Requests of devices that came to the queue in the step."),
      (column: "base_load", unit: "requests", meaning: "Requests of others that came to the queue in the step."),
      (column: "room", unit: "requests", meaning: "Requests that the capacity had room for in the step; blank: any."),
      (column: "capacity_per_s", unit: "requests per second", meaning: "The capacity in the step; blank: no limit."),
      (column: "refused", unit: "requests", meaning: "Requests beyond the queue."),
    ])

  private static let causeColumns = columns(
    "causes.csv",
    [
      replication, (column: "minute", unit: "minutes", meaning: "The minute, counted from clock.start."),
      (column: "endpoint", unit: "", meaning: "The endpoint."), (column: "cohort", unit: "", meaning: "The cohort."),
      (column: "cause", unit: "", meaning: "Why the runs began that sent the requests."),
      (column: "arrivals", unit: "requests", meaning: "Requests that arrived in the minute, scaled to the fleet."),
    ]
      + FailureReason.allCases.map { name -> Row in
        (
          column: "failures_" + name.name, unit: "requests",
          meaning: "Requests that failed for the reason \(name.name). " + name.explanation.meaning
        )
      } + [
        (column: "bytes_up", unit: "bytes", meaning: "Bytes that devices sent."),
        (column: "bytes_down", unit: "bytes", meaning: "Bytes that devices received."),
        (
          column: "retries", unit: "requests",
          meaning: "The arrivals that were a second or later try of their run."
        ),
      ])

  private static let deviceColumnMeanings = columns(
    "devices.csv",
    [
      replication, (column: "device", unit: "a number from 0", meaning: "The device: 'run --device N' shows its day."),
      (column: "cohort", unit: "", meaning: "The device's cohort."), (column: "kind", unit: "", meaning: "The kind."),
      (column: "zone", unit: "", meaning: "The device's time zone."),
      (column: "phone", unit: "", meaning: "The model of the phone."),
      (column: "instances", unit: "widgets", meaning: "How many widgets of the kind the device has."),
      (column: "runs", unit: "runs", meaning: "Refreshes in the measured period, over all causes; not scaled."),
    ]
      + Cause.allCases.map { name -> Row in
        (
          column: "runs_" + columnName(name.name), unit: "runs",
          meaning: "Refreshes of the cause \(name.name). " + name.explanation.meaning
        )
      } + deviceCounters
      + WaitReason.allCases.map { name -> Row in
        (
          column: "waits_" + columnName(name.name), unit: "waits",
          meaning: "How often a run was withheld for the reason \(name.name). " + name.explanation.meaning
        )
      } + [(column: "energy_uj", unit: "microjoules", meaning: "Energy of the runs in the measured period.")])

  private static let deviceCounters: [Row] = [
    (column: "charged", unit: "runs", meaning: "Refreshes that the budget was charged for."),
    (column: "requests", unit: "requests", meaning: "Requests that the device sent for the kind."),
    (column: "failures", unit: "requests", meaning: "Requests of these that failed."),
    (column: "bytes_up", unit: "bytes", meaning: "Bytes sent."),
    (column: "bytes_down", unit: "bytes", meaning: "Bytes received."),
    (column: "cache_hits", unit: "runs", meaning: "Refreshes that the provider's cache answered."),
    (column: "views", unit: "views", meaning: "How often the person looked at the widgets."),
    (column: "stale_views", unit: "views", meaning: "Views at which the data was older than stale_after."),
  ]

  private static let distributionColumns = columns(
    "distribution.csv",
    [replication, metric] + labels.filter { ["cohort", "kind", "cause", "charged"].contains($0.column) } + [
      (column: "unit", unit: "", meaning: "The unit of from and to."),
      (column: "from", unit: "as the column unit", meaning: "Lower edge of the bin, itself included."),
      (column: "to", unit: "as the column unit", meaning: "Upper edge of the bin, itself excluded."),
      (
        column: "count", unit: "values",
        meaning: "How many values fell into the bin, scaled to the fleet; empty bins are left out."
      ),
    ])

  private static let radioColumns = columns(
    "radios.csv",
    [
      replication, (column: "cohort", unit: "", meaning: "The cohort of the phones."),
      (column: "radio", unit: "", meaning: "The radio that carried the requests."),
      (
        column: "quantity", unit: "",
        meaning: "bursts, active_ms, bytes_down and bytes_up are sums; silences between bursts are histograms by what "
          + "ended them: a widget's request (woken_again), something else (left), or a widget's request after "
          + "somebody else's use (woken_after_others)."
      ), (column: "from_ms", unit: "milliseconds", meaning: "Shortest silence of the bin; blank for a sum."),
      (column: "to_ms", unit: "milliseconds", meaning: "End of the bin, itself excluded; blank for the last."),
      (column: "count", unit: "as the quantity", meaning: "The sum, or how many silences, scaled to the fleet."),
    ])

  private static let echoColumns = columns(
    "echo.csv",
    [
      (column: "endpoint", unit: "", meaning: "An endpoint with an outage in the measured period."),
      (column: "minute", unit: "minutes", meaning: "The minute, counted from clock.start."),
      (
        column: "first_tries", unit: "requests",
        meaning: "First tries of reloads that no error asked for, on the draws of the first replication without any "
          + "outage, scaled to the fleet."
      ),
      (
        column: "reloads_after_errors", unit: "requests",
        meaning: "First tries of reloads that were asked for after an error, without any outage."
      ),
      (column: "retries", unit: "requests", meaning: "Second and later tries of a run, without any outage."),
    ])

  private static let trialColumns = columns(
    "trials.csv",
    [
      (column: "trial", unit: "a number from 1", meaning: "Which trial the row is of, the gravest finding first."),
      (
        column: "finding", unit: "",
        meaning: "The finding whose remedy was tried: overload, herd, withheld, stale, budget or cold-caches."
      ), (column: "settings", unit: "", meaning: "What was changed, as --set takes it, with blanks between."),
      (
        column: "figure", unit: "",
        meaning: "What is compared: overload and busiest minutes at the finding's endpoint; the rest of its kind, or "
          + "of the fleet."
      ), (column: "unit", unit: "", meaning: "The unit of before and after."),
      (column: "before", unit: "as the column unit", meaning: "The figure of the first replication; blank: unknown."),
      (column: "after", unit: "as the column unit", meaning: "The figure with the change, on the same draws."),
    ])

  private static let conditionColumns = columns(
    "conditions.csv",
    [
      (column: "endpoint", unit: "", meaning: "The endpoint, written as in a URL."),
      (column: "step_ms", unit: "milliseconds", meaning: "Length of a time step."),
      (
        column: "from_ms", unit: "milliseconds",
        meaning: "Start of a spell of equal conditions, from clock.start; below 0 in the warm-up."
      ), (column: "to_ms", unit: "milliseconds", meaning: "End of the spell."),
      (
        column: "miss_share", unit: "a share from 0 to 1",
        meaning: "Requests that meet what the origin does: the CDN has nothing fresh for them."
      ),
      (column: "outage_share", unit: "a share from 0 to 1", meaning: "Requests that fail by an outage."),
      (column: "limited_share", unit: "a share from 0 to 1", meaning: "Requests that get 429."),
      (column: "refused_share", unit: "a share from 0 to 1", meaning: "Requests that get 503."),
      (
        column: "wait_ms", unit: "milliseconds",
        meaning: "Time in the queue, added to the latency; timeout: without end."
      ),
      (
        column: "copy_share", unit: "a share from 0 to 1",
        meaning: "Those of miss_share that get what the CDN last fetched if the origin fails (cdn.stale_if_error)."
      ),
      (
        column: "cached_error_share", unit: "a share from 0 to 1",
        meaning: "Requests that the CDN answers with an error that it remembers (cdn.error_ttl)."
      ),
    ])
}
