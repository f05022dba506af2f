import Scenario
import SimulationKernel

/// A scale from 0 to a round number at or above the largest value, with round ticks.
struct Axis {
  var upper: Double
  var step: Double

  /// - Parameter wholeNumbers: ticks lie on whole numbers only.
  init(reaching maximum: Double, ticks: Int = 5, wholeNumbers: Bool = false) {
    let maximum = maximum > 0 && maximum.isFinite ? maximum : 1
    step = Self.roundStep(maximum / Double(max(ticks, 1)))
    if wholeNumbers { step = max(step, 1).rounded() }
    upper = (maximum / step).rounded(.up) * step
  }

  /// The fraction of the axis at which a value lies.
  func fraction(_ value: Double) -> Double { value / upper }

  var ticks: [Double] { (0...Int((upper / step).rounded())).map { Double($0) * step } }

  /// The smallest of 1, 2, 2.5, 5 times a power of ten that is not below `value`.
  static func roundStep(_ value: Double) -> Double {
    var power = 1.0
    while power < value, power < 1e36 { power *= 10 }
    while power > value, power > 1e-9 { power /= 10 }
    return [1, 2, 2.5, 5, 10].map { $0 * power }.first { $0 >= value * 0.999_999 } ?? power
  }

  /// A short label: 25k for 25 000.
  ///
  /// - Parameter more: decimals beyond the usual ones.
  static func label(_ value: Double, more: Int = 0) -> String {
    let units = [(1e9, "G"), (1e6, "M"), (1e3, "k")]
    for (size, letter) in units where value >= size && (size > 1e3 || value >= 1e4) {
      return NumberText.trimmed(NumberText.fixed(value / size, decimals: 2 + more)) + letter
    }
    if value >= 100, more == 0 { return NumberText.whole(value) }
    return NumberText.trimmed(NumberText.fixed(value, decimals: (value >= 100 ? 0 : 3) + more))
  }

  /// The horizontal lines with their labels, and the unit above them.
  func rows(_ canvas: Canvas, unit: String) -> [Markup] {
    canvas.rows(ticks.map { (fraction($0), Self.label($0)) }, unit: unit)
  }

  /// Labels below the plot for a horizontal axis, and what it measures.
  func columns(_ canvas: Canvas, title: String) -> [Markup] {
    ticks.map { canvas.columnLabel(canvas.x(fraction($0)), Self.label($0)) } + [axisTitle(canvas, title)]
  }
}

/// What a horizontal axis measures, below its labels.
func axisTitle(_ canvas: Canvas, _ title: String) -> Markup {
  .label("middle unit", canvas.x(0.5), canvas.height - 8, shortened(title, to: Int(canvas.width / 9)))
}

/// A horizontal axis of time with ticks at round clock times.
struct TimeAxis {
  var clock: Clock
  /// By whose clock; `nil` for UTC.
  var zone: FleetZone?

  private static let steps: [TimeAmount] = [
    .seconds(1), .seconds(5), .seconds(15), .minute, .minutes(5), .minutes(15), .minutes(30), .hour, .hours(3),
    .hours(6), .hours(12), .day, .days(2), .days(7), .days(14), .days(30), .days(90), .days(365),
  ]

  /// The fraction of the axis at which an instant lies.
  func fraction(_ instant: Instant) -> Double {
    Double(instant.millisecondsSinceStart) / Double(max(clock.duration.milliseconds, 1))
  }

  func ticks(atMost count: Int) -> [Instant] {
    let step = (Self.steps.first { $0 * Int64(count) >= clock.duration } ?? .days(365)).milliseconds
    let segments = zone?.table.segments ?? [ZoneTable.Segment(from: .longAgo, offset: .zero)]
    return segments.enumerated().flatMap { index, segment -> [Instant] in
      let end = index + 1 < segments.count ? segments[index + 1].from : .never
      let ahead = clock.startUnixMilliseconds + segment.offset.milliseconds
      let first = -(-ahead - max(segment.from, .start).millisecondsSinceStart).floorDivided(by: step) * step - ahead
      return stride(from: first, through: clock.duration.milliseconds, by: Int64.Stride(step))
        .map { Instant(millisecondsSinceStart: $0) }.filter { $0 < end }
    }
  }

  func columns(_ canvas: Canvas) -> [Markup] {
    let isDaily = clock.duration > .days(2)
    let labels = ticks(atMost: canvas.ticksAcross).flatMap { tick in
      let time = zone?.time(tick, of: clock) ?? UTCTime(tick, of: clock)
      let text =
        isDaily ? String(time.date.dropFirst(5)) + (time.hour == 0 ? "" : " " + time.shortTime) : time.shortTime
      // A script that shows another zone's clock writes them anew.
      return canvas.columnTick(canvas.x(fraction(tick)), text, room: 22).map {
        $0.with("data-time", "\(clock.startUnixMilliseconds + tick.millisecondsSinceStart)", isDaily ? "day" : "hour")
      }
    }
    let start = zone?.time(.start, of: clock) ?? UTCTime(.start, of: clock)
    let title = axisTitle(canvas, (zone.map { $0.city + " time" } ?? "UTC") + ", from " + start.date)
    return labels + [title.with("data-time", "\(clock.startUnixMilliseconds)", "from")]
  }
}
