import FleetReports
import Scenario
import Studies

/// A run of a setting, as shown on the page.
struct LiveRun: Sendable {
  var content: ReportContent
  var distributions: Distributions
  /// Whether no further waves follow.
  var isLast = false

  var devices: Int { content.run.devicesSimulated }

  /// Returns the run for comparisons with others.
  ///
  /// - Parameter settings: the settings that differ from the file.
  func compared(_ settings: [String]) -> ComparedRun {
    ComparedRun(
      name: settings.isEmpty ? "the file" : settings.joined(separator: ", "), version: content.provenance.version,
      scenario: content.run.scenario, resolvedScenario: content.provenance.resolvedScenario,
      devicesSimulated: devices, summary: content.summary, distributions: distributions, load: content.run)
  }
}

/// The largest runs of the settings that were shown last, and the figures of their smaller waves.
struct LiveRuns: Sendable {
  /// The maximum number of settings whose runs are kept.
  private static let maximum = 8

  private var runs: [[String]: LiveRun] = [:]
  private var summaries: [[String]: [Int: Summary]] = [:]
  /// The settings, most recent last.
  private var order: [[String]] = []
  /// The duration in milliseconds of the last wave with each number of phones.
  private(set) var milliseconds: [Int: Int] = [:]

  mutating func add(_ run: LiveRun, of settings: [String]) {
    order.removeAll { $0 == settings }
    order.append(settings)
    runs[settings] = run
    summaries[settings, default: [:]][run.devices] = run.content.summary
    guard order.count > Self.maximum else { return }
    let oldest = order.removeFirst()
    (runs[oldest], summaries[oldest]) = (nil, nil)
  }

  mutating func measured(_ milliseconds: Int, devices: Int) { self.milliseconds[devices] = milliseconds }

  func run(of settings: [String]) -> LiveRun? { runs[settings] }

  /// Returns the figures of a setting, from the wave of the given size if there was one, otherwise from the largest
  /// one.
  func summary(of settings: [String], devices: Int) -> Summary? {
    guard let known = summaries[settings] else { return nil }
    return known[devices] ?? known.max { $0.key < $1.key }?.value
  }
}

/// The sizes of the waves of a live answer.
struct LiveWaves {
  /// The numbers of phones in waves that precede those of `run`.
  let previews: [Int]
  /// The waves of `run`; the last one is its full size.
  let sizes: [Int]

  private static let first = 125
  private static let factor = 4
  /// The maximum milliseconds that an earlier wave took whose size is chosen for the first wave.
  private static let patience = 120

  /// - Parameter milliseconds: the durations of earlier waves, by size.
  init(_ scenario: Scenario, milliseconds: [Int: Int]) {
    let sizes = SampleWaves(scenario).sizes
    let keys = scenario.endpoints.compactMap(\.cdn?.keys).min() ?? .max
    let all = sequence(first: Self.first) { $0 * Self.factor }.prefix { 2 * $0 <= sizes[0] }.filter {
      // One simulated request must not stand for more than twice the requests that fetch all keys of a CDN.
      Double(scenario.fleet.devices) <= 2 * Double($0) * Double(keys)
    }
    // A larger first wave is better if it is known to be fast.
    let first = all.lastIndex { milliseconds[$0].map { $0 <= Self.patience } ?? false } ?? 0
    (previews, self.sizes) = (Array(all.dropFirst(first)), sizes)
  }

  /// Returns a scenario with one replication of some of its phones.
  static func preview(of scenario: Scenario, devices: Int) -> Scenario {
    var preview = scenario
    (preview.run.simulate, preview.run.replications) = (.count(min(devices, scenario.fleet.devices)), 1)
    return preview
  }
}
