import Foundation
import SchemaCheck
import Testing

@testable import ScenarioFiles
@testable import WidgetFleetCommand

/// The starter scenarios, and the schemas.
struct StarterTests {
  @Test(arguments: Starter.allCases) func startersAreValidAndRun(_ starter: Starter) throws {
    let child = try Child()
    defer { child.remove() }
    let written = try child.run(["init", starter.rawValue])
    #expect(written.status == 0 && written.error.isEmpty)
    #expect(written.output == starter.text)
    #expect(written.output.split(separator: "\n").allSatisfy { $0.count <= 120 })
    try child.write(written.output, to: "starter.yaml")
    let checked = try child.run(["validate", "starter.yaml"])
    #expect(checked.status == 0 && checked.error.isEmpty, "\(checked.error)")
    // A small fleet in coarse steps, because the test only needs some run.
    let small = ["fleet.devices=50", "clock.warmup=0s", "clock.step=5s"].flatMap { ["--set", $0] }
    let run = try child.run(["run", "starter.yaml", "--no-bracket"] + small)
    #expect(run.status == 0 || run.status == 1, "\(run.error)")
    #expect(child.read("Reports/\(starter.rawValue)/summary.csv").contains("requests"))
  }

  @Test func defaultIsTheMinimum() throws {
    let child = try Child()
    defer { child.remove() }
    #expect(try child.run(["init"]).output == Starter.minimal.text)
    let unknown = try child.run(["init", "wether"])
    #expect(unknown.status == 2 && unknown.error.contains("did you mean 'weather'?"))
  }

  @Test func summariesFitTheirSchema() throws {
    let child = try Child()
    defer { child.remove() }
    let schema = try child.run(["schema", "--kind", "summary"])
    let check = try SchemaCheck(schema.output)
    let goals = """
      goals:
        - {id: many, assert: requests <= 1}
        - {id: open, assert: "recovery_time{event=storm} <= 1min"}
      events: [{name: storm, at: 2027-01-18T00:30:00Z, system_change: {audience: 0%}}]
      """
    try child.write(Child.scenario(extra: goals), to: "goals.yaml")
    for options in [["--no-bracket"], ["-n3"], ["--set", "run.simulate=20"]] {
      let run = try child.run(["run", "goals.yaml", "--format", "json"] + options)
      #expect(run.status == 1)
      #expect(try check.accepts(run.output), "\(options)")
      #expect(try !check.accepts(run.output.replacing("\"statistic\"", with: "\"statistics\"")))
      #expect(try !check.accepts(run.output.replacing("\"metric\": \"requests\"", with: "\"metric\": \"request\"")))
    }
  }

  @Test func theSchemaOfScenariosIsTheDefault() throws {
    let child = try Child()
    defer { child.remove() }
    let schema = try child.run(["schema"])
    #expect(schema.output == scenarioSchema && schema.error.isEmpty)
    #expect(try child.run(["schema", "--kind=scenario"]).output == schema.output)
    #expect(try child.run(["schema", "--kind=other"]).status == 2)
  }
}
