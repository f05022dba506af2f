import FleetEngine
import Numerics
package import Scenario
package import SimulationKernel

/// How much of a load's variance repeats in step with the clock (MODEL.md 8).
///
/// It looks at the requests per minute over whole days, whole hours where there are less than two days, or whole
/// periods where there are less than two hours. What repeats every period is the spectrum at its frequency and at the
/// multiples: of sharp peaks most of the variance lies there. Devices in step every 15 min are in step every hour too.
package struct Herd: Sendable {
  /// The minutes that were looked at.
  package let minutes: Int
  private let spectrum: Spectrum

  /// The periods that are looked for.
  package static let periods: [TimeAmount] = [.minutes(5), .minutes(15), .minutes(30), .hour]

  /// nil when the time step does not fit into minutes, or less than two of the shortest period were measured.
  package init?(_ stepCounts: [Int64], clock: Clock) {
    guard let load = WindowedLoad(stepCounts, window: .minute, clock: clock) else { return nil }
    minutes = Self.wholeMinutes(of: load.counts.count)
    let counts = load.counts.prefix(minutes).map { Double($0) }
    guard minutes > 0, let spectrum = try? Spectrum(of: counts) else { return nil }
    self.spectrum = spectrum
  }

  private static func wholeMinutes(of measured: Int) -> Int {
    let units = [1_440] + periods.reversed().map { Int($0.milliseconds / 60_000) }
    let unit = units.first { measured >= 2 * $0 }
    return unit.map { measured / $0 * $0 } ?? 0
  }

  /// The share of the variance that repeats every period; nil with less than two of them, and where nothing varies.
  package func share(every period: TimeAmount) -> Double? {
    guard let cycles = cycles(of: period) else { return nil }
    let variance = spectrum.variance
    return variance > 0 ? significant(min(spectrum.variance(repeating: cycles) / variance, 1)) : nil
  }

  /// The share that independent minutes have by chance.
  package func chance(every period: TimeAmount) -> Double? {
    guard cycles(of: period) != nil else { return nil }
    return Double(period.milliseconds / 60_000 - 1) / Double(minutes - 1)
  }

  private func cycles(of period: TimeAmount) -> Int? {
    let length = Int(period.milliseconds / 60_000)
    return length > 0 && minutes >= 2 * length && minutes % length == 0 ? minutes / length : nil
  }

  /// The name of a period in the column `period` and in goals.
  package static func name(of period: TimeAmount) -> String { "\(period.milliseconds / 60_000)min" }
}

/// herd: over all endpoints, then by endpoint, each by period.
func herdRows(of result: RunResult) -> [SummaryRow] {
  result.scenario.endpointChoices.flatMap { endpoint -> [SummaryRow] in
    let herds = result.replications.map { replication in
      Herd(replication.stepCounts(endpoint: endpoint), clock: result.scenario.clock)
    }
    let labels = result.scenario.labels(endpoint: endpoint)
    return Herd.periods.map { period in
      var row = SummaryRow(
        .herd, labels.with(\.period, Herd.name(of: period)), .share,
        replications: herds.map { $0?.share(every: period).map { .real($0) } })
      row.value = row.value.map { .real(significant($0.approximate)) }
      return row
    }
  }
}
