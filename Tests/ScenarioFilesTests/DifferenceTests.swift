import Scenario
import Testing

@testable import ScenarioFiles

/// The differences between two resolved scenarios.
@Suite struct DifferenceTests {
  @Test func valuesAreFoundByTheirPaths() {
    let scenario = { (name: String, reload: PlainValue, run: PlainValue) -> PlainValue in
      let widget = PlainValue.mapping(["reload": reload, "jitter": .text("none")])
      return .mapping(["name": .text(name), "kinds": .mapping(["w": widget]), "run": run])
    }
    let base = scenario("a", .mapping(["after": .text("1h")]), .mapping(["seed": .count(1)]))
    let new = scenario("b", .text("never"), .mapping(["seed": .count(1), "x": .flag(true)]))
    #expect(
      new.differences(from: base) == [
        ScenarioDifference(path: "kinds.w.reload", base: #"{after: "1h"}"#, new: "never"),
        ScenarioDifference(path: "run.x", base: nil, new: "true"),
      ])
    #expect(base.differences(from: base).isEmpty)
  }

  /// The effective constants of presets are compared, once each, by the paths that `--set` takes.
  @Test func effectiveConstantsAreCompared() {
    let scenario = { (preset: String, gap: String) -> PlainValue in
      let constants = PlainValue.mapping(["idle": .mapping(["after": .text(gap)])])
      let cohort = PlainValue.mapping([
        "name": .text("e"), "os": .text(preset), "x-os-resolved": .mapping(["gap": .text(gap)]),
      ])
      return .mapping([
        "os": .mapping([
          "preset": .text(preset), "at_end_gap": .text("1h"), "idle": .mapping([]), "x-resolved": constants,
        ]),
        "c": .list([cohort]),
      ])
    }
    #expect(
      scenario("prompt", "3h").differences(from: scenario("lazy", "2h")).map(\.path) == [
        "c.e.os.gap", "os.idle.after", "os.preset",
      ])
  }

  /// Items are identified by name or ID, as for `--set`, otherwise by index; plain lists count as a single value.
  @Test func listItemsAreMatchedByName() {
    let item = { (name: String, size: Int) in PlainValue.mapping(["name": .text(name), "s": .count(size)]) }
    let scenario = { (items: [PlainValue], last: Int, size: Double) -> PlainValue in
      .mapping([
        "c": .list(items), "l": .list([.count(1), .count(last)]),
        "r": .list([.mapping(["s": .count(1)]), .mapping(["s": .number(size)])]),
      ])
    }
    let base = scenario([item("w", 1), item("e", 2)], 2, 2.5)
    #expect(
      scenario([item("e", 3), item("w", 1)], 3, 2).differences(from: base) == [
        ScenarioDifference(path: "c.e.s", base: "2", new: "3"),
        ScenarioDifference(path: "l", base: "[1, 2]", new: "[1, 3]"),
        ScenarioDifference(path: "r.1.s", base: "2.5", new: "2"),
      ])
  }
}
