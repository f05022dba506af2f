import FleetEngine
import Numerics
package import Scenario
package import SimulationKernel

/// The share of a load's variance that is periodic in clock time, in the hours in which this share is highest (MODEL.md
/// 8).
///
/// The share is computed from the requests per minute over spans of six hours. Shorter clocks use one span of whole
/// hours or, below two hours, of whole periods. A periodic load appears in the spectrum at its frequency and its
/// multiples, which contain most of the variance of sharp peaks. Devices synchronized every 15 min are therefore also
/// synchronized every hour.
package struct Herd: Sendable {
  /// The number of minutes in a span.
  package let minutes: Int
  /// The spectra of the spans that contain enough requests, in chronological order.
  private let spectra: [Spectrum]

  /// The periods for which the share is computed.
  package static let periods: [TimeAmount] = [.minutes(5), .minutes(15), .minutes(30), .hour]

  /// The longest span, in minutes. In a span of a whole day, a few hours of periodic load would have little effect.
  private static let span = 360
  private static let hour = 60

  /// Creates the herd; `nil` if the time step does not divide a minute, or if fewer than two of the shortest periods
  /// were measured.
  package init?(_ stepCounts: [Int64], clock: Clock) {
    guard let load = WindowedLoad(stepCounts, window: .minute, clock: clock) else { return nil }
    let length = min(Self.wholeMinutes(of: load.counts.count), Self.span)
    guard length > 0 else { return nil }
    minutes = length
    let spans = stride(from: 0, through: load.counts.count - length, by: Self.hour).map { start in
      load.counts[start..<start + length].map { Double($0) }
    }
    let sums = spans.map { $0.reduce(0, +) }
    let mean = sums.reduce(0, +) / Double(sums.count)
    // Quiet spans, such as nights, are ignored because they have very few requests.
    spectra = zip(spans, sums).filter { $0.1 >= mean / 2 }.compactMap { try? Spectrum(of: $0.0) }
  }

  private static func wholeMinutes(of measured: Int) -> Int {
    let units = periods.reversed().map { Int($0.milliseconds / 60_000) }
    let unit = units.first { measured >= 2 * $0 }
    return unit.map { measured / $0 * $0 } ?? 0
  }

  /// Returns the share of the variance that repeats with the given period. Returns `nil` if fewer than two periods were
  /// measured or the load does not vary.
  package func share(every period: TimeAmount) -> Double? {
    guard let cycles = cycles(of: period) else { return nil }
    return spectra.filter { $0.variance > 0 }.map { spectrum in
      significant(min(spectrum.variance(repeating: cycles) / spectrum.variance, 1))
    }.max()
  }

  /// Returns the share expected by chance if the loads of different minutes are independent.
  package func chance(every period: TimeAmount) -> Double? {
    guard cycles(of: period) != nil else { return nil }
    return Double(period.milliseconds / 60_000 - 1) / Double(minutes - 1)
  }

  private func cycles(of period: TimeAmount) -> Int? {
    let length = Int(period.milliseconds / 60_000)
    return length > 0 && minutes >= 2 * length && minutes % length == 0 ? minutes / length : nil
  }

  /// Returns the name of a period as written in the column `period` and in goals.
  package static func name(of period: TimeAmount) -> String { "\(period.milliseconds / 60_000)min" }
}

/// Returns the `herd` rows for each period, for all endpoints together and then by endpoint, with the share expected by
/// chance.
func herdRows(of result: RunResult) -> [SummaryRow] {
  let chances = Herd.periods.map { period in
    SummaryRow(
      .herdByChance, Labels().with(\.period, Herd.name(of: period)), .share,
      replications: result.replications.map { replication in
        Herd(replication.stepCounts(endpoint: nil), clock: result.scenario.clock)?.chance(every: period)
          .map { .real(significant($0)) }
      })
  }
  return chances
    + result.scenario.endpointChoices.flatMap { endpoint -> [SummaryRow] in
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
