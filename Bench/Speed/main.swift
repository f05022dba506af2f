import FleetReports
import Foundation
import Platform

/// The benchmark of workloads on this machine: `fleetbench [--only W,city,storm] [--quick] [--jobs N] [--json]`.
///
/// `fleetbench --policy file:N:2` or `code:N:2` simulates N devices of W with after(15 min), for counting instructions.
do {
  let arguments = try BenchArguments(CommandLine.arguments.dropFirst())
  if let run = arguments.policy {
    FileHandle.standardOutput.write(Data("\(try run.eventCount()) events\n".utf8))
    exit(0)
  }
  let report = BenchReport(
    measurements: try Bench(arguments: arguments).measurements(), threads: arguments.threads,
    isQuick: arguments.isQuick)
  FileHandle.standardOutput.write(Data(arguments.isJSON ? report.json : Array(report.table.utf8)))
} catch {
  FileHandle.standardError.write(Data("fleetbench: \(error)\n".utf8))
  exit(error is BenchCounts.Difference ? 3 : 2)
}
