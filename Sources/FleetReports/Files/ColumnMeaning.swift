import Scenario

/// A column of a file of the results: what it holds, and in which unit.
package struct ColumnMeaning: Hashable, Sendable {
  package var file: String
  package var column: String
  /// Empty: a name or a word.
  package var unit: String
  package var meaning: String

  /// Every column of every CSV file, in the order of the files; of studies those whose names depend on nothing.
  package static let all = meanings(table) + meanings(calibrationTable)

  /// Reads a table: below the name of each file its columns with name, unit and meaning.
  static func meanings(_ table: String) -> [ColumnMeaning] {
    var file = ""
    return table.split(separator: "\n").compactMap { line in
      if line.hasPrefix("# ") { file = String(line.dropFirst(2)) }
      let cells = line.split(separator: "|", maxSplits: 2).map(\.trimmed)
      return cells.count < 3 ? nil : ColumnMeaning(file: file, column: cells[0], unit: cells[1], meaning: cells[2])
    }
  }

  private static let replication = "replication | a number from 1 | Which repetition of the run the row is of."
  private static let time = "time | UTC | With 'run --timestamps': when the row begins, as ISO 8601."
  private static let metric = "metric | | The figure's name: 'explain METRIC' says more."

  private static let labels = rows(of: Label.allCases)

  private static func rows(of labels: [Label]) -> String {
    labels.map { "\($0.rawValue) | | \($0.meaning); empty: over all." }.joined(separator: "\n")
  }

  private static let values = """
    statistic | | Which number of the distribution: mean, p50, p95, p99, p999, max, total or share.
    unit | | The unit of the values in the row.
    value | as the column unit | The mean over the replications; blank: not known.
    low | as the column unit | Lower end of the 95 % interval over replications.
    high | as the column unit | Upper end of the 95 % interval over replications.
    """

  private static let bracket = """
    prompt | as the column unit | The value under the preset prompt; blank: not computed.
    lazy | as the column unit | The value under the preset lazy; blank: not computed.
    """

  private static let failures = FailureReason.allCases.map {
    "failures_\($0.name) | requests | Requests that failed for the reason \($0.name). \($0.explanation.meaning)"
  }.joined(separator: "\n")

  private static let runs = Cause.allCases.map {
    "runs_\(columnName($0.name)) | runs | Refreshes of the cause \($0.name). \($0.explanation.meaning)"
  }.joined(separator: "\n")

  private static let waits = WaitReason.allCases.map {
    "waits_\(columnName($0.name)) | waits | How often a run was withheld for the reason \($0.name). "
      + $0.explanation.meaning
  }.joined(separator: "\n")

  private static let table = """
    # summary.csv
    \(metric)
    \(labels)
    \(values)
    \(bracket)
    # goals.csv
    id | | The goal's id.
    severity | | error: a miss fails the run; warning: it does not.
    verdict | | pass, fail, warn or inconclusive.
    assert | | The assertion as the scenario writes it.
    \(metric)
    \(labels)
    \(values)
    limit | as the column unit | What the value is compared with.
    \(bracket)
    hinges_on | | The undocumented constants of the system that turn the verdict, with blanks between.
    explanation | | Why the goal is inconclusive; blank otherwise.
    # load.csv
    \(replication)
    time_s | seconds | Start of the time step, from clock.start.
    \(time)
    endpoint | | The endpoint.
    arrivals | requests | Requests that arrived in the step, scaled to the fleet.
    origin_requests | requests | Requests that reached the origin in the step: behind a CDN its misses, otherwise \
    the arrivals.
    failures | requests | Requests of the step that failed.
    backlog | requests | Requests that wait at the end of the step; blank without capacity, CDN, limit and base \
    load, as all that follows.
    reached | requests | Requests of devices that came to the queue in the step.
    base_load | requests | Requests of others that came to the queue in the step.
    room | requests | Requests that the capacity had room for in the step; blank: any.
    capacity_per_s | requests per second | The capacity in the step; blank: no limit.
    refused | requests | Requests beyond the queue.
    # causes.csv
    \(replication)
    minute | minutes | The minute, counted from clock.start.
    \(time)
    endpoint | | The endpoint.
    cohort | | The cohort.
    cause | | Why the runs began that sent the requests.
    arrivals | requests | Requests that arrived in the minute, scaled to the fleet.
    \(failures)
    bytes_up | bytes | Bytes that devices sent.
    bytes_down | bytes | Bytes that devices received.
    retries | requests | The arrivals that were a second or later try of their run.
    # devices.csv
    \(replication)
    device | a number from 0 | The device: 'run --device N' shows its day. With run.device_rows the rows are those of \
    a sample of so many devices, one drawn from each of as many equal ranges of numbers.
    cohort | | The device's cohort.
    kind | | The kind.
    zone | | The device's time zone.
    phone | | The model of the phone.
    instances | widgets | How many widgets of the kind the device has.
    runs | runs | Refreshes in the measured period, over all causes; not scaled.
    \(runs)
    charged | runs | Refreshes that the budget was charged for.
    requests | requests | Requests that the device sent for the kind.
    failures | requests | Requests of these that failed.
    bytes_up | bytes | Bytes sent.
    bytes_down | bytes | Bytes received.
    cache_hits | runs | Refreshes that the provider's cache answered.
    views | views | How often the person looked at the widgets.
    stale_views | views | Views at which the data was older than stale_after.
    \(waits)
    energy_uj | microjoules | Energy of the runs in the measured period.
    existed_s | seconds | For how long of the measured period the device was there; only with fleet.growth_per_day.
    # distribution.csv
    \(replication)
    \(metric)
    \(rows(of: [.cohort, .kind, .cause, .charged]))
    unit | | The unit of from and to.
    from | as the column unit | Lower edge of the bin, itself included.
    to | as the column unit | Upper edge of the bin, itself excluded.
    count | values | How many values fell into the bin, scaled to the fleet; empty bins are left out.
    # hours.csv
    kind | | The kind. All of the file is counted on followed phones: all, or of 2 048 and more one of 2, 4, 8 and so on.
    hour | a number from 0 to 23 | The hour on the clock of the phone's owner.
    refreshes | runs | Refreshes of a widget in this hour of a day, the mean.
    views | views | How often a widget is looked at in this hour of a day, the mean.
    stale_share | share | Share of these views at which the data was older than stale_after; blank: no view, or no limit.
    data_age_s | seconds | Mean age of the data at these views.
    balance_p10 | runs | A tenth of the budgets' balances are smaller, looked at once in the hour; blank: no budget.
    balance_p50 | runs | Half of the balances are smaller.
    # asked.csv
    kind | | The kind; counted on followed phones, as hours.csv.
    row | | asks: what the policy asks for; policy: what of it runs; other: refreshes for other reasons. Between them \
    what is lost, in refreshes: the time that something takes, over the mean interval that the policy asks for.
    refreshes_per_day | runs per day | Refreshes per widget and day; blank: no refresh that the policy asked for has run.
    followed_s | seconds | For how long followed widgets are there, added up.
    # echo.csv
    endpoint | | An endpoint with an outage in the measured period.
    minute | minutes | The minute, counted from clock.start.
    first_tries | requests | First tries of reloads that no error asked for, on the draws of the first replication \
    without any outage, scaled to the fleet.
    reloads_after_errors | requests | First tries of reloads that were asked for after an error, without any outage.
    retries | requests | Second and later tries of a run, without any outage.
    # trials.csv
    trial | a number from 1 | Which trial the row is of, that of the worst finding first.
    finding | | The finding whose remedy was tried: overload, herd, withheld, stale, budget or cold-caches.
    settings | | What was changed, as --set takes it, with blanks between.
    figure | | What is compared: overload and busiest minutes at the finding's endpoint; the rest of its kind, or of \
    the fleet.
    unit | | The unit of before and after.
    before | as the column unit | The figure of the first replication; blank: unknown.
    after | as the column unit | The figure with the change, on the same draws.
    # conditions.csv
    endpoint | | The endpoint, written as in a URL.
    step_ms | milliseconds | Length of a time step.
    from_ms | milliseconds | Start of a spell of equal conditions, from clock.start; below 0 in the warm-up.
    to_ms | milliseconds | End of the spell.
    miss_share | a share from 0 to 1 | Requests that meet what the origin does: the CDN has nothing fresh for them.
    outage_share | a share from 0 to 1 | Requests that fail by an outage.
    limited_share | a share from 0 to 1 | Requests that get 429.
    refused_share | a share from 0 to 1 | Requests that get 503.
    wait_ms | milliseconds | Wait in the queue of the first request of a step, added to the latency; timeout: no end.
    last_wait_ms | milliseconds | The same of the last one, uniform in between; below 0: the queue is empty earlier.
    copy_share | a share from 0 to 1 | Those of miss_share that get what the CDN last fetched if the origin fails \
    (cdn.stale_if_error).
    cached_error_share | a share from 0 to 1 | Requests that the CDN answers with an error that it remembers \
    (cdn.error_ttl).
    # \(SweepFile.runs.name)
    setting | a number from 1 | Which setting of the sweep the row is of.
    replication | a number from 1 | Which repetition of the setting the row is of.
    preset | | The preset of the bracket that the row was simulated under; blank: the setting itself.
    # \(SweepFile.settings.name)
    setting | a number from 1 | The setting; its values stand under the keys' names.
    passes | | Whether every goal passes, those of severity warning too: yes or no.
    pareto | | Whether no other setting beats it in the objectives, differences within their 95 % intervals not counted: \
    yes or no. Objectives are the goals' figures, or without goals the highest peak of an endpoint, stale views and \
    battery.
    # \(SweepFile.effects.name)
    figure | | The figure that the effect is on, written as in goals.
    term | | A key, with one of its values where they are no amounts.
    effect | as the column unit | Of a key with amounts what changes from its low to its high end, of another's \
    value the difference to the mean over its values.
    low | as the column unit | Lower end of the 95 % interval over replications.
    high | as the column unit | Upper end of the 95 % interval over replications.
    unit | | The unit of the effect.
    # runs.csv of tune
    trial | a number from 1 | Which simulated setting the row is of, in the order in which they were tried.
    stage | | search: with the draws that all settings share; check: the winner again with a seed of its own.
    seed | | The seed of the trial; run --seed gives the same figures.
    replication | a number from 1 | Which repetition of the trial the row is of.
    preset | | The preset of the bracket that the row was simulated under; blank: the setting itself. A setting that \
    fails by itself is not simulated under presets.
    passes | | Whether every goal passes, judged over all replications and presets of the trial: yes or no.
    worst | | What leaves the least room to a goal, or misses it by most: scenario, prompt or lazy.
    """
}

extension Substring {
  /// Without blanks around it.
  fileprivate var trimmed: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
