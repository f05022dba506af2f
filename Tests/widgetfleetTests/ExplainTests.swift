import Calibration
import FleetReports
import Foundation
import Scenario
import ScenarioFiles
import Testing

@testable import widgetfleet

/// Everything that the program names is explained.
struct ExplainTests {
  @Test func everyCodeMetricCauseReasonAndKey() {
    let names =
      Code.allCases.map(\.rawValue) + Metric.allCases.map(\.rawValue) + Cause.allCases.map(\.name)
      + WaitReason.allCases.map(\.name) + FailureReason.allCases.map(\.name) + EnergyComponent.allCases.map(\.name)
      + Statistic.allCases.map(\.rawValue) + KeyTable.standard.entries.map(\.path)
    for name in names {
      let topics = Topics.named(name)
      #expect(!topics.isEmpty, "\(name)")
      #expect(topics.contains { $0.name == name && $0.meaning.count >= 4 }, "\(name)")
    }
    for metric in Metric.allCases.map(\.explanation) {
      #expect(metric.meaning.hasSuffix(".") && metric.remedy.count > 20, "\(metric)")
    }
    #expect(Set(Metric.allCases.map(\.explanation.meaning)).count == Metric.allCases.count)
    #expect(Set(Cause.allCases.map(\.explanation)).count == Cause.allCases.count)
  }

  /// The columns that a run writes and those that are explained are the same, file by file; one comes with growth alone.
  @Test func everyColumnOfTheFilesThatARunWrites() throws {
    let child = try Child()
    defer { child.remove() }
    let all = ["--save-conditions", "--timestamps", "--no-bracket", "--set", "fleet.growth_per_day=1%"]
    #expect(try child.run(["run", "small.yaml"] + all).status == 0)
    let files = child.names(in: "Reports/small").filter { $0.hasSuffix(".csv") }
    #expect(files.count == 10)
    let ofStudies = Set(
      SweepFile.allCases.map(\.name) + TradeoffFile.allCases.map(\.name) + ["runs.csv of tune"]
        + [
          "parameters.csv", "fit.csv", "correlation.csv", "statistics.csv", "quality.csv", "load.csv of calibrate",
          "backtest.csv",
          "forecast.csv",
        ])
    #expect(Set(files) == Set(ColumnMeaning.all.map(\.file)).subtracting(ofStudies))
    for file in files {
      let header = child.read("Reports/small/\(file)").prefix { $0 != "\n" }.split(separator: ",").map(String.init)
      #expect(ColumnMeaning.all.filter { $0.file == file }.map(\.column) == header, "\(file)")
      for column in header {
        #expect(Topics.named(column).contains { $0.category == "column of \(file)" }, "\(file): \(column)")
      }
    }
  }

  @Test func namesInPathsAndEveryMeaning() {
    #expect(Topics.named("kinds.weather.jitter.up_to").map(\.name) == ["kinds.*.jitter.up_to"])
    #expect(Topics.named("fleet.cohorts.0.person.hours").map(\.name) == ["fleet.cohorts.*.person.hours"])
    #expect(Topics.named("wf102").map(\.name) == ["WF102"])
    #expect(Topics.named("offline").count == 2)
    #expect(Topics.named("nonsense").isEmpty && Topics.named("").isEmpty && Topics.named("*").isEmpty)
  }

  @Test func everyTextFitsInto80Columns() {
    for topic in Topics.all {
      #expect(topic.text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(topic.text)")
    }
  }

  /// Docs/LAB.md shows the table that the program computes.
  @Test func aLabsTableIsThatOfItsDocument() throws {
    let child = try Child()
    defer { child.remove() }
    let five = try child.run(["explain", "lab"])
    #expect(five.status == 0 && five.error.isEmpty)
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Docs/LAB.md")
    let document = try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
    let table = five.output.split(separator: "\n").drop { !$0.hasPrefix("constant") }.prefix { !$0.hasPrefix("Half") }
    #expect(table.count == LabPlan(phones: 5, days: 14).rows.count + 1)
    for line in table { #expect(document.contains("    " + line), "\(line)") }

    let twenty = try child.run(["explain", "lab", "--phones", "20", "--days", "7", "--format", "json"])
    let list = try JSONSerialization.jsonObject(with: Data(twenty.output.utf8)) as? [[String: Any]]
    #expect(list?.last?["phones"] as? Int == 20 && list?.last?["days"] as? Int == 7)
    for refused in [["explain", "WF102", "--days", "3"], ["explain", "lab", "--phones", "0"]] {
      #expect(try child.run(refused).status == 2)
    }
  }

  @Test func unknownNamesAndJSON() throws {
    let child = try Child()
    defer { child.remove() }
    let unknown = try child.run(["explain", "latenes"])
    #expect(unknown.status == 2 && unknown.output.isEmpty)
    #expect(unknown.error.contains("did you mean 'lateness'?"))
    #expect(try child.run(["explain", "WF999"]).status == 2)
    let json = try child.run(["explain", "peak_rps", "--format", "json"])
    let list = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]]
    #expect(list?.first?["category"] as? String == "metric")
    #expect(json.status == 0 && json.error.isEmpty)
  }
}
