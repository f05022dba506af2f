import Scenario
import SimulationKernel
import Studies
import Testing

@testable import FleetReports

/// The positions of values in a calibration's figures.
struct CalibrationPlotTests {
  private func text(_ markup: [Markup]) -> String {
    var buffer = TextBuffer()
    for part in markup { part.write(to: &buffer) }
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  private func load(_ counts: [Int64], unknown: [Range<Int>]) throws -> LoadPlot {
    var clock = SyntheticClock.day
    clock.step = .minutes(5)
    clock.duration = .minutes(5) * Int64(counts.count)
    let load = try #require(WindowedLoad(counts, window: .fiveMinutes, clock: clock))
    var figure = LoadPlot(loads: [load], scale: Scale(fleet: 1, simulated: 1), clock: clock)
    figure.unknown = unknown
    return figure
  }

  private enum SyntheticClock {
    static let day = Clock(startUnixMilliseconds: 1_800_230_400_000, warmup: .zero, duration: .day, step: .second)
  }

  /// A load with two holes has three stretches: there are three lines, and none extends into a hole.
  @Test func linesEndWhereTheLoadIsUnknown() throws {
    let figure = try load(Array(repeating: 600, count: 12), unknown: [3..<5, 8..<9])
    let drawn = text(OverlayPlot(runs: [OverlayPlot.Run(colour: 0, load: figure)]).chart.draw(.wide))
    let line = try #require(drawn.matches(of: /class="outline series-0" d="([^"]*)"/).first).output.1
    // Each of the 12 steps is 73 wide, from 66 on, and each line is three steps long.
    #expect(line.split(separator: "M").map { $0.split(separator: " ")[0] } == ["66", "431", "723"])
    #expect(line.matches(of: /h([0-9.]+)/).map { $0.output.1 } == ["219", "219", "219"])
  }

  @Test func scriptMarksUnknownSteps() throws {
    let figure = try load(Array(repeating: 600, count: 12), unknown: [3..<5])
    let zoom = try #require(ZoomSeries(figure, title: "t", budget: 10_000)).text
    #expect(zoom.contains(/"unknown":\s*\[\s*\[\s*3,\s*5\s*\]\s*\]/))
    let known = try #require(ZoomSeries(try load([600, 600], unknown: []), title: "t", budget: 10_000)).text
    #expect(!known.contains("unknown"))
  }

  /// Hours in parts: a day has 288 twelfths of an hour, and minute 55 is in the last of its hour.
  @Test func aHeatMapTakesPartsOfAnHour() {
    let cells = (0..<288).map { $0 == 11 ? 8.0 : 1.0 }
    let figure = HeatPlot(hours: cells, title: "five minutes")
    let drawn = text(figure.chart.draw(.wide))
    // The last twelfth of 876 from 66 on, in the middle of the first row, which is 14 high and starts at 30.
    #expect(drawn.contains("class=\"heat-8\" stroke-width=\"14\" d=\"M869 37H942\""))
    #expect(drawn.contains(">five minutes<") && drawn.contains(">:50<"))
  }

  /// The zero line of -10 to 10 is halfway between 30 and 272; a bar of 5 extends a quarter of the plot above it.
  @Test func deviationsAreDrawnFromZero() {
    let bars = [5.0, -10, 10].map { Chart.Deviation(name: "b", value: $0, chance: 2) }
    let drawn = text(Chart.deviations(bars, title: "t", unit: "u", label: TickText.number).draw(.wide))
    #expect(drawn.contains("class=\"zero\" x1=\"66\" x2=\"942\" y1=\"151\" y2=\"151\""))
    #expect(drawn.contains("class=\"bar\" x=\"124.4\" y=\"90.5\" width=\"175.2\" height=\"60.5\""))
    #expect(drawn.contains("class=\"bar\" x=\"416.4\" y=\"151\" width=\"175.2\" height=\"121\""))
    #expect(drawn.contains("class=\"effect pale\" x=\"66\" y=\"126.8\" width=\"292\" height=\"48.4\""))
  }

  /// On logarithmic scales from 1 min to 10 min, both ends of the line are in the corners.
  @Test func equalWaitsLieOnTheLine() {
    let drawn = text(
      Chart.quantiles([Point(x: 60, y: 60), Point(x: 600, y: 600)], across: "t", up: "u").draw(.wide))
    #expect(drawn.contains("class=\"mark\" x1=\"66\" x2=\"942\" y1=\"272\" y2=\"30\""))
    #expect(drawn.contains("cx=\"66\" cy=\"272\"") && drawn.contains("cx=\"942\" cy=\"30\""))
  }

  @Test func coursesGoThroughTheirPoints() {
    let points = [(0.0, 0.0), (10, 100), (5, 50)].map { Point(x: $0.0, y: $0.1) }
    let chart = Chart([Curve(style: "series-0", points: points)], across: Axis(over: [0, 10], title: "t"), unit: "u")
    #expect(text(chart.draw(.wide)).contains("class=\"curve series-0\" d=\"M66 272L942 30L504 151\""))
  }
}
