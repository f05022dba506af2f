import FleetEngine
import FleetReports
import Foundation
import Scenario
import ScenarioFiles
import Studies
import Testing

/// A scenario from the Scenarios folder, simulated with a few devices.
struct Trial {
  let result: RunResult

  /// - Parameter settings: settings as for --set.
  init(_ name: String, devices: Int, _ settings: String...) throws {
    try self.init(name, devices: devices, settings: settings)
  }

  init(_ name: String, devices: Int, settings: [String]) throws {
    let file = Self.scenarioFolder.appending(path: name + ".yaml")
    let outcome = ScenarioReader.read(
      text: Array(try Data(contentsOf: file)), fileName: name + ".yaml",
      settings: (["run.simulate=\(devices)"] + settings).map { SetArgument($0) })
    let scenario = try #require(outcome.scenario, "\(outcome.diagnostics.humanText)")
    let engine = try Engine(preparing: scenario, zones: zoneTables(for: scenario))
    result = try #require(try engine.run(threads: 2, control: RunControl()))
  }

  /// The content of summary.csv.
  var summaryCSV: [UInt8] {
    let provenance = Provenance(version: "", resolvedScenario: "")
    return ReportFile.summaryTable.bytes(
      of: Report(result: result, summary: Summary(of: result), provenance: provenance))
  }

  static let scenarioFolder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Scenarios")
}

extension Trial {
  /// One row per device and kind.
  var devices: DeviceTable { result.replications[0].devices }

  /// The only group of devices and kind.
  private var group: GroupResult { result.replications[0].groups[0] }

  /// Charged runs per instance per measured day.
  var chargedPerDay: Double { Double(group.chargedRunsPerDay.sum) / Double(group.chargedRunsPerDay.total) }

  /// Counted views per instance in the measured period, which must be one day.
  var viewsPerDay: Double { Double(group.views) / Double(group.instances) }

  /// The proportion of views whose data is older than the kind's limit.
  var staleShare: Double { Double(group.staleViews) / Double(group.views) }

  /// Returns the number of requests that arrived in the measured period, optionally for one cause.
  func requests(because cause: Cause? = nil) -> Int64 {
    result.replications[0].groups.reduce(0) { sum, group in
      group.traffic.reduce(sum) { sum, causes in
        sum + (cause.map { causes[Int($0.rawValue)].requests } ?? causes.reduce(0) { $0 + $1.requests })
      }
    }
  }

  var requests: Int64 { requests() }

  /// Returns the requests per minute that arrived in the given minutes.
  func arrivalsPerMinute(_ minutes: Range<Int>) -> Double { Double(arrivals(minutes: minutes)) / Double(minutes.count) }

  /// Returns the mean number of runs per instance per measured day, optionally for one cause.
  func runsPerDay(_ cause: Cause? = nil) -> Double {
    let group = result.replications[0].groups[0]
    let histogram = cause.map { group.runsPerDayByCause[Int($0.rawValue)] } ?? group.runsPerDay
    return Double(histogram.sum) / Double(histogram.total)
  }

  /// Returns the requests that arrived in the given minutes over all endpoints; the clock's step must be one second.
  func arrivals(minutes: Range<Int>) -> Int {
    result.replications[0].load.reduce(0) { sum, series in
      sum + series.arrivals[minutes.lowerBound * 60..<minutes.upperBound * 60].reduce(0) { $0 + Int($1) }
    }
  }

  /// Returns the requests that arrived in the given minutes of each of the measured day's 24 hours.
  func arrivals(minutesOfEachHour minutes: Range<Int>) -> Int {
    (0..<24).reduce(0) { $0 + arrivals(minutes: $1 * 60 + minutes.lowerBound..<$1 * 60 + minutes.upperBound) }
  }
}

/// Returns whether a count over `trials` draws with probability `share` is within 4 standard errors.
func isBinomial(_ count: Int, trials: Int, share: Double) -> Bool {
  abs(Double(count) - Double(trials) * share) <= 4 * (Double(trials) * share * (1 - share)).squareRoot()
}
