import Scenario
import SimulationKernel
import Studies
import Testing

@testable import FleetReports

/// The positions of values in the figures of studies.
struct StudyPlotTests {
  // MARK: Scales

  @Test(arguments: [
    ([0.0, 10], 0.0, 10.0), ([3, 97], 0, 100), ([81, 95], 80, 96), ([-0.4, 0.9], -0.5, 1), ([7, 7], 6.2, 7.8),
    ([-30, -20], -30, -20), ([0, 0], -1e-6, 1e-6),
  ])
  func scaleEndsAtRoundNumbersAroundAllValues(_ values: [Double], _ low: Double, _ high: Double) {
    let axis = Axis(over: values)
    let step = axis.ticks[1].value - axis.ticks[0].value
    #expect(axis.low <= values[0] && axis.high >= values[1])
    #expect(abs(axis.fraction(axis.low)) < 1e-12 && abs(axis.fraction(axis.high) - 1) < 1e-12)
    #expect(axis.ticks.first?.value == axis.low && abs((axis.ticks.last?.value ?? 0) - axis.high) < 1e-9 * step)
    #expect(axis.ticks.count <= 9)
    if values[0] != values[1] { #expect(axis.low >= low - step && axis.high <= high + step) }
  }

  /// With `hasZero`, the scale includes 0 as a tick.
  @Test func zeroIsATickIfIncluded() {
    for values in [[5.0, 6], [-6, -5], [-0.3, 0.7]] {
      #expect(Axis(over: values, hasZero: true).ticks.map(\.value).contains(0))
    }
  }

  // MARK: Scatter

  private func dot(_ x: Double, _ y: Double, _ label: String = "p") -> Dot {
    Dot(x: x, y: y, radius: 6, style: "free", label: label, title: label)
  }

  private let plain = ScatterPlot.Direction(title: "t", label: TickText.number)

  /// The canvas is 960 by 420, with a plot from 66 to 942 and from 372 up to 30. On scales from 0 to 10 and from 0 to
  /// 100, the dot (5, 25) is halfway across and a quarter of the way up.
  @Test func dotsAreDrawnAtTheirValues() throws {
    let figure = ScatterPlot(dots: [dot(0, 0), dot(10, 100), dot(5, 25)], x: plain, y: plain)
    let drawn = text(figure.chart.draw(.wide))
    #expect(drawn.contains("cx=\"66\" cy=\"372\"") && drawn.contains("cx=\"942\" cy=\"30\""))
    #expect(drawn.contains("cx=\"504\" cy=\"286.5\""))
  }

  /// Line and region follow their dots; a limit is drawn if the dots keep three quarters of the axis.
  @Test func linesAndRegionsFollowTheirDots() {
    var near = plain
    (near.limit, near.limitName) = (13, "capacity")
    var figure = ScatterPlot(
      dots: [dot(0, 100), dot(10, 0), dot(5, 50)], x: near, y: plain, joined: [0, 2, 1], region: [2])
    let drawn = text(figure.chart.draw(.wide))
    #expect(drawn.contains("class=\"front\"") && drawn.contains(">capacity<"))
    #expect(drawn.ranges(of: "class=\"region\"").count == 1 && !drawn.contains("region-band"))
    #expect(figure.chart.across.high >= 13)
    figure.x.limit = 14
    #expect(figure.chart.across.high == 10 && !text(figure.chart.draw(.wide)).contains(">capacity<"))
    figure.region = [2, 1]
    #expect(text(figure.chart.draw(.wide)).ranges(of: "region-band").count == 1)
  }

  /// Axes end where the dots end: neither 0 nor a distant limit leaves half of an axis empty. The area that a distant
  /// limit forbids is either the whole plane or none of it.
  @Test func axesEndWhereTheDotsEnd() {
    var across = plain
    (across.limit, across.limitName, across.forbidden) = (0, "capacity", .below)
    var figure = ScatterPlot(dots: [dot(40, 1), dot(60, 2)], x: across, y: plain)
    #expect((figure.chart.across.low, figure.chart.across.high) == (40, 60))
    #expect(!text(figure.chart.draw(.wide)).contains("forbidden"))
    (figure.x.limit, figure.x.forbidden) = (90, .below)
    #expect((figure.chart.across.low, figure.chart.across.high) == (40, 60))
    #expect(text(figure.chart.draw(.wide)).contains("class=\"forbidden\" x=\"66\" y=\"30\" width=\"876\""))
    figure.dots.append(dot(5, 1))
    #expect(figure.chart.across.low == 0)
  }

  /// Twenty dots in one place cannot all have a label, and labels do not overlap.
  @Test func labelsDoNotOverlap() throws {
    let dots = (0..<20).map { dot(5 + Double($0) / 100, 5, "setting \($0)") } + [dot(0, 0), dot(10, 10)]
    for canvas in [Canvas.wide, .narrow] {
      let drawn = text(ScatterPlot(dots: dots, x: plain, y: plain).chart.draw(canvas))
      let labels = drawn.matches(of: /class="label" x="([0-9.]+)" y="([0-9.]+)">([^<]*)</)
      let boxes = try labels.map { match in
        (x: try #require(Double(match.1)), y: try #require(Double(match.2)), width: 7.2 * Double(match.3.count))
      }
      #expect(!boxes.isEmpty)
      for (index, one) in boxes.enumerated() {
        for other in boxes[(index + 1)...] {
          let isApart = abs(one.y - other.y) >= 16 || one.x + one.width <= other.x || other.x + other.width <= one.x
          #expect(isApart)
        }
      }
    }
  }

  // MARK: Heat maps

  private func matrix(_ cells: [[Double?]]) -> HeatPlot {
    HeatPlot(
      rows: ("r", cells.indices.map(String.init)), columns: ("c", cells[0].indices.map(String.init)), cells: cells,
      marks: cells.map { $0.map { _ in [] } }, text: { Axis.label($0) })
  }

  /// Eight shades cover the range: the first and last for its ends, equal steps for the values between.
  @Test func shadesSpanTheRange() {
    let figure = matrix([[10, 17, nil], [24, 80, 45]])
    #expect((figure.lowest, figure.highest) == (10, 80))
    #expect((0...7).map { figure.level(10 + 10 * Double($0)) } == Array(1...8))
    #expect(matrix([[3, 3]]).level(3) == 4)
    // 17 and 24 share a shade; each cell has its number.
    let drawn = text(figure.chart.draw(.wide))
    #expect(drawn.ranges(of: "class=\"heat-").count == 4 && drawn.ranges(of: />(10|17|24|45|80)</).count == 5)
  }

  @Test func cellsAreMeansOverTheOtherKeys() {
    let keys = ["a", "b", "c"]
    let axes = keys.map { SweepAxis(path: $0, scale: .categorical, values: [SweepValue("1"), SweepValue("2")]) }
    let name = FigureName(.requests, .total)
    let runs = (0..<8).map { number -> SweepRun in
      let values = [4, 2, 1].map { SweepValue(number & $0 == 0 ? "1" : "2") }
      let row = SummaryRow(.requests, Labels(), .total, replications: [.whole(Int128(number))])
      return SweepRun(values: values, replications: 1, summary: Summary(rows: [row]), goals: [])
    }
    let study = SweepStudy(axes: axes, goals: [], runs: runs)
    let figure = HeatPlot(DrawnMetric(figure: name), study, row: 0, column: 1, chosen: 5)
    #expect(figure.cells == [[0.5, 2.5], [4.5, 6.5]])
    #expect(figure.marks == [[[], []], [.chosen, []]])
  }

  @Test func manyAmountsComeInEqualParts() {
    let values = (0..<60).map { SweepValue("\($0)s", amount: Double($0)) }
    let bins = AxisBins(SweepAxis(path: "a", scale: .numeric(low: 0, high: 60), unit: "s", values: values))
    #expect(bins.names.count == 6 && bins.names[1].hasPrefix("≥ 10"))
    #expect([0, 9, 10, 59].map { bins.place(of: values[$0]) } == [0, 0, 1, 5])
    #expect(AxisBins(SweepAxis(path: "a", scale: .categorical, values: values)).names.count == 60)
  }

  // MARK: Forest

  private func row(_ value: Double, _ low: Double? = nil, _ high: Double? = nil) -> BarRow {
    let interval = low.flatMap { low in high.map { Interval(low: low, high: $0) } }
    return BarRow("n", dot: value, interval: interval, text: "t", longText: "t", isPale: false)
  }

  /// The plot extends from 12 to 948 of 960: on a scale from -1 to 1, 0 is at 480 and 0.5 at 714.
  @Test func changesAreDrawnFromZero() {
    let figure = Chart.forest([row(-1), row(0.5, 0.25, 0.75), row(1)], title: "", label: TickText.number)
    #expect((figure.across.low, figure.across.high) == (-1, 1))
    let drawn = text(figure.draw(.wide))
    #expect(drawn.contains("class=\"zero\" x1=\"480\"") && drawn.contains("cx=\"714\""))
    #expect(drawn.contains("x1=\"597\" x2=\"831\""))
  }

  /// Beyond the limit there is an arrow at the end, and no dot.
  @Test func valueBeyondTheScaleIsAnArrow() {
    let figure = Chart.forest([row(50), row(0.1)], title: "", limit: 3, label: TickText.number)
    #expect(figure.across.high == 3)
    let drawn = text(figure.draw(.wide))
    #expect(drawn.ranges(of: "<circle").count == 1 && drawn.contains("<path class=\"dot strong\" d=\"M948 "))
  }

  // MARK: Distributions

  private func histogram(_ bins: [(Double, Double, Int64)]) -> RunHistogram {
    bins.reduce(into: RunHistogram()) { $0.add(from: $1.0, to: $1.1, count: $1.2) }
  }

  /// 1, 2 and 1 values in [0, 1), [1, 2) and [4, 5): a quarter up to 1, three quarters up to 2 and up to 4, all up to
  /// 5.
  @Test func cumulativeSharesRunFromZeroToOne() {
    let points = Chart.shares(of: histogram([(0, 1, 1), (4, 5, 1), (1, 2, 2)]))
    #expect(points.first?.y == 0 && points.last == Point(x: 5, y: 1))
    let shares = [0, 0.5, 1, 1.5, 2, 3, 4, 4.5, 5, 9].map { Chart.share(upTo: $0, of: points) }
    #expect(shares == [0, 0.125, 0.25, 0.5, 0.75, 0.75, 0.75, 0.875, 1, 1])
    #expect(Chart.shares(of: RunHistogram()).isEmpty)
  }

  // MARK: Loads

  /// Each of two loads keeps its own highest second, in a drawing of any width.
  @Test func thinnedOverlayKeepsEveryPeak() throws {
    let clock = Clock(startUnixMilliseconds: 0, warmup: .zero, duration: .day, step: .second)
    let figures = try [54_321, 11].map { second -> LoadPlot in
      var counts = Array(repeating: Int64(3), count: 86_400)
      counts[second] = Int64(1_000 + second)
      let load = try #require(WindowedLoad(counts, window: .second, clock: clock))
      return LoadPlot(loads: [load], scale: Scale(fleet: 1, simulated: 1), clock: clock)
    }
    let overlay = OverlayPlot(runs: figures.enumerated().map { OverlayPlot.Run(colour: $0, load: $1) })
    for canvas in [Canvas.wide, .narrow] {
      let drawn = text(overlay.chart.draw(canvas))
      #expect(drawn.ranges(of: "class=\"spot").count == 2)
      // The higher peak is 55 321 on a scale up to 60 000, and the load before it is 3.
      let (top, before) = (tenths(canvas.y(55_321 / 60_000)), tenths(canvas.y(3 / 60_000)))
      #expect(drawn.contains("cy=\"\(place(tenths: top))\"") && drawn.contains("v\(place(tenths: top - before))h"))
    }
    let series = try figures.enumerated().map { number, figure in
      ZoomSeries.Run(
        name: "<\(number)>", colour: "--tap", series: try #require(ZoomSeries(figure, title: "&", budget: 300_000)))
    }
    let zoom = try #require(ZoomSeries.text(of: series, limitsDiffer: false))
    #expect(!zoom.contains("<") && !zoom.contains("&"))
    #expect(zoom.contains("\\u003c0\\u003e, 55\u{202F}321 requests per second at\""))
    #expect(zoom.contains("\"peak\":54321000,"))
    #expect(ZoomSeries.text(of: [], limitsDiffer: false) == nil)
  }

  // MARK: Names

  @Test(arguments: [("short", 20, "short"), ("abcdefghijklmnop", 9, "abcd…mnop"), ("日本語日本語日本語", 9, "日本…本語")])
  func longNamesLoseTheirMiddle(_ name: String, _ columns: Int, _ shown: String) {
    #expect(shortened(name, to: columns) == shown)
  }

  private func text(_ markup: [Markup]) -> String {
    var buffer = TextBuffer()
    for part in markup { part.write(to: &buffer) }
    return String(decoding: buffer.bytes, as: UTF8.self)
  }
}
