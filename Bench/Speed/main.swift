import FleetReports
import Foundation
import Platform

/// The benchmark of workloads on this machine: `fleetbench [--only W,city,storm] [--quick] [--jobs N] [--json]`.
do {
  let arguments = try BenchArguments(CommandLine.arguments.dropFirst())
  let report = BenchReport(
    measurements: try Bench(arguments: arguments).measurements(), threads: arguments.threads,
    isQuick: arguments.isQuick)
  FileHandle.standardOutput.write(Data(arguments.isJSON ? report.json : Array(report.table.utf8)))
} catch {
  FileHandle.standardError.write(Data("fleetbench: \(error)\n".utf8))
  exit(error is BenchCounts.Difference ? 3 : 2)
}
