import Testing

@testable import WidgetFleetCommand

struct ProgressTests {
  /// If a quarter is done after 30 s, 90 s are left; after 90 s, 4.5 minutes; after an hour, three hours.
  @Test(arguments: [
    (25, 30.0, "25 % of 100 devices, 90 s left"), (25, 90, "25 % of 100 devices, 5 min left"),
    (25, 3_600, "25 % of 100 devices, 3 h 0 min left"), (50, 7_500, "50 % of 100 devices, 2 h 5 min left"),
    (0, 10, "0 % of 100 devices"), (2, 10, "2 % of 100 devices"), (100, 10, "100 % of 100 devices, 0 s left"),
    (150, 10, "150 devices"),
  ])
  func remainingTimeFollowsThePace(_ done: Int, _ seconds: Double, _ text: String) {
    #expect(Progress.text(done, of: 100, after: seconds) == text)
  }

  /// The current stage is named in words, based on the work finished; stages without devices are skipped.
  @Test(arguments: [
    (0, "the scenario"), (9, "the scenario"), (10, "prompt"), (25, "lazy"), (30, "without outages"), (40, ""),
  ]) func stages(_ done: Int, _ name: String) {
    let stages = [
      ("the scenario", 10), ("the request log", 0), ("prompt", 10), ("lazy", 10), ("goal dependencies", 0),
      ("without outages", 10),
    ].map { Progress.Stage(name: $0.0, devices: $0.1) }
    #expect(Progress.stage(after: done, of: stages) == name)
  }

  @Test func stageFollowsTheShare() {
    #expect(Progress.text(25, of: 100, "devices", "prompt", after: 30) == "25 % of 100 devices, prompt, 90 s left")
  }

  /// Runs that were not expected are added to their stage.
  @Test func unexpectedRunsExtendTheirStage() {
    var progress = Progress.none
    progress.expect(more: 10, in: "the scenario")
    progress.expect(more: 0, in: "goal dependencies")
    progress.expect(more: 5, in: "without outages")
    progress.expect(more: 20, in: "goal dependencies")
    #expect(progress.stages.map(\.name) == ["the scenario", "goal dependencies", "without outages"])
    #expect(progress.stages.map(\.devices) == [10, 20, 5])
  }
}
