import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine

/// Refreshes per phone (MODEL.md 8): the runs of all of a phone's widgets on one day.
struct PhoneDayLawTests {
  /// Two widgets with after(2 h) and a delay of U(0, 2 h) run 8 times a day each: 16 per phone, and as many days as
  /// phones.
  @Test(arguments: ["", "capacity: 1000/s"]) func phoneRunsAreTheSumOfItsWidgets(limit: String) throws {
    var sample = FleetSample()
    sample.devices = 400
    sample.clock = "{start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 1d, duration: 2d, step: 1s}"
    sample.kinds = "{k: {reload: {after: 2h}, cpu: 0s, requests: [{endpoint: api}]}}"
    sample.widgets = "[{kind: k}, {kind: k}]"
    sample.os =
      "{idle: none, budget: {model: off}, min_spacing: 0s, coalescing_window: 0s, "
      + "start_delay: {policy: {uniform: 0s..2h}}}"
    sample.endpoints = "{api: {\(limit)}}"
    let replication = try sample.replication()
    let days = replication.phoneDays[0]
    let widgets = replication.groups.reduce(into: CountHistogram()) { $0 += $1.runsPerDay }
    #expect(days.total == 800 && widgets.total == 1_600)
    #expect(days.sum == widgets.sum)
    // The count of a renewal process with gaps of 2 h + U(0, 2 h) has variance 24 h x (1/3) h^2 / (3 h)^3 = 0.3 per
    // widget.
    let error = (2 * 0.3 / 800.0).squareRoot()
    #expect(abs(Double(days.sum) / 800 - 16) < 4 * error, "\(Double(days.sum) / 800)")
  }
}
