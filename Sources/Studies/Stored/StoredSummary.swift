package import Scenario
import SimulationKernel

/// What summary.json holds: the figures of a run with the values of every replication, and what became of its goals.
package struct StoredSummary: Sendable {
  package static let file = "summary.json"
  package static let schema = "widgetfleet.summary/v1"

  package var summary: Summary
  private var goals: [StoredGoal]

  /// - Parameter bytes: the content of summary.json.
  package init(_ bytes: [UInt8]) throws(StoredFileError) {
    let document = StoredObject(try JSONReader.read(bytes, file: Self.file), Self.file)
    let schema = try document.string("schema")
    guard schema == Self.schema else { throw StoredFileError(Self.file, .otherSchema("'\(schema)'")) }
    summary = Summary(rows: try document.objects("rows").map(SummaryRow.init(stored:)))
    goals = try document.objects("goals").map(StoredGoal.init)
  }

  /// The goals of a scenario with their verdicts, in the order of the file.
  package func goalResults(of scenario: Scenario) throws(StoredFileError) -> [GoalResult] {
    try goals.map { stored throws(StoredFileError) in
      guard let goal = scenario.goals.first(where: { $0.id == stored.id && $0.text == stored.text }) else {
        throw stored.object.damaged("goal '\(stored.id)' is not one of the scenario's")
      }
      // The explanation names everything it hinges on.
      return GoalResult(
        goal: goal, verdict: stored.verdict, value: stored.value, interval: stored.interval,
        limit: stored.limit?.approximate, prompt: stored.prompt, lazy: stored.lazy,
        promptInterval: stored.promptInterval, lazyInterval: stored.lazyInterval, turning: stored.turning,
        unknownUnder: stored.unknownUnder, reason: stored.explanation)
    }
  }
}

/// A goal of summary.json.
private struct StoredGoal: Sendable {
  var object: StoredObject
  var id: String
  var text: String
  var verdict: Verdict
  var value: Quantity?
  var interval: Interval?
  var limit: Quantity?
  var prompt: Quantity?
  var lazy: Quantity?
  var promptInterval: Interval?
  var lazyInterval: Interval?
  var turning: [Preset]
  var unknownUnder: [Preset]
  var explanation: String

  init(_ object: StoredObject) throws(StoredFileError) {
    self.object = object
    id = try object.string("id")
    text = try object.string("assert")
    verdict = try object.word("verdict", Verdict.self)
    value = try object.quantity("value")
    interval = try object.interval()
    limit = try object.quantity("limit")
    prompt = try object.quantity("prompt")
    lazy = try object.quantity("lazy")
    promptInterval = try object.interval("prompt_low", "prompt_high")
    lazyInterval = try object.interval("lazy_low", "lazy_high")
    turning = try object.words("turned_under", Preset.self)
    unknownUnder = try object.words("unknown_under", Preset.self)
    explanation = (try? object.string("explanation")) ?? ""
  }
}

extension SummaryRow {
  /// A row of summary.json.
  fileprivate init(stored object: StoredObject) throws(StoredFileError) {
    metric = try object.word("metric", Metric.self)
    statistic = try object.word("statistic", Statistic.self)
    labels = Labels()
    for label in Label.allCases { labels[label] = try object.string(label.rawValue) }
    value = try object.quantity("value")
    interval = try object.interval()
    prompt = try object.quantity("prompt")
    lazy = try object.quantity("lazy")
    promptInterval = try object.interval("prompt_low", "prompt_high")
    lazyInterval = try object.interval("lazy_low", "lazy_high")
    isResolved = try object.boolean("resolved")
    busiest = try object.spans("busiest_s")
    replications = try object.quantities("per_replication")
    let lows = try object.quantities("per_replication_low")
    let highs = try object.quantities("per_replication_high")
    guard lows.count == highs.count, lows.isEmpty || lows.count == replications.count else {
      throw object.damaged("'per_replication_low' and 'per_replication_high' do not fit 'per_replication'")
    }
    bounds = zip(lows, highs).map { low, high in
      low.flatMap { low in high.map { Interval(low: low.approximate, high: $0.approximate) } }
    }
  }
}

extension StoredObject {
  /// Spans between two times each, in seconds from the clock's start.
  fileprivate func spans(_ key: String) throws(StoredFileError) -> [Range<Instant>] {
    let ends = try quantities(key).map { quantity throws(StoredFileError) in
      guard let seconds = quantity?.approximate, (0...3.456e7).contains(seconds) else {
        throw damaged("'\(key)' holds something that is no time")
      }
      return Instant.start + TimeAmount(milliseconds: Int64((seconds * 1_000).rounded()))
    }
    guard ends.count.isMultiple(of: 2) else { throw damaged("'\(key)' has a beginning without an end") }
    return try stride(from: 0, to: ends.count, by: 2).map { index throws(StoredFileError) in
      guard ends[index] < ends[index + 1] else { throw damaged("'\(key)' has an end before its beginning") }
      return ends[index]..<ends[index + 1]
    }
  }

  /// Numbers, some of which may be unknown.
  fileprivate func quantities(_ key: String) throws(StoredFileError) -> [Quantity?] {
    try array(key).map { node throws(StoredFileError) in
      switch node {
      case .number(let quantity): quantity
      case .null: nil
      default: throw damaged("'\(key)' holds something that is no number")
      }
    }
  }
}
