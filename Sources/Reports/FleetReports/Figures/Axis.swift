import Numerics
import Scenario
import SimulationKernel

/// What one direction of a chart measures: where values lie, and what stands at its ticks.
struct Axis {
  struct Tick {
    var value: Double
    var text: String
    /// For a time, that since 1970 in milliseconds and the form of its text: a script writes it anew by another clock.
    var time: (milliseconds: Int64, form: String)?
  }

  /// What marks the ticks of a horizontal axis.
  enum Lines {
    case whole, short, none
  }

  let low: Double
  let high: Double
  var title: String
  var lines: Lines
  /// What a script writes anew of the title by another clock.
  private var titleTime: Int64?
  /// Numbers of ticks from one label to the next, where not every label has room; empty: those that have room stay, the
  /// first ones before others.
  var steps = [1, 2, 3, 4, 6, 8, 12]
  private var isLogarithmic = false
  private let ticksAtMost: (Int) -> [Tick]

  /// A scale with ticks of its own.
  init(_ range: ClosedRange<Double>, title: String, lines: Lines = .short, ticks: [Tick] = []) {
    (low, high, self.title, self.lines) = (range.lowerBound, range.upperBound, title, lines)
    ticksAtMost = { _ in ticks }
  }

  /// A scale between two round numbers that enclose all values, with round ticks; 0 lies on it where it is not far.
  ///
  /// - Parameter hasZero: whether 0 lies on it however far it is.
  /// - Parameter empty: the most of it that is empty for 0 to lie on it, as a share.
  init(
    over values: [Double], ticks: Int = 5, hasZero: Bool = false, empty: Double = 0.5, title: String = "",
    label: @escaping TickText.Label = TickText.number
  ) {
    let known = values.filter(\.isFinite)
    var (least, most) = (known.min() ?? 0, known.max() ?? 0)
    if hasZero || least > 0 && least < most * empty { least = min(least, 0) }
    if hasZero || most < 0 && most > least * empty { most = max(most, 0) }
    if least == most {
      let room = max(least.magnitude / 10, 1e-6)
      (least, most) = (least > 0 ? max(least - room, 0) : least - room, most + room)
    }
    // Of values that differ by less than their digits tell, no tick is counted from 0.
    let digits = max(least.magnitude, most.magnitude) * 1e-12
    let step = Self.roundStep(max((most - least) / Double(max(ticks, 1)), digits))
    (low, high) = ((least / step).rounded(.down) * step, (most / step).rounded(.up) * step)
    (self.title, lines) = (title, .whole)
    // From whole numbers of steps, so that 0 is 0.
    let first = Int((low / step).rounded())
    let values = (first...max(first, Int((high / step).rounded()))).map { Double($0) * step }
    let own = zip(values, TickText.labels(values, label)).map { Tick(value: $0, text: $1) }
    ticksAtMost = { _ in own }
  }

  /// A scale from 0 to a round number at or above the largest value.
  static func reaching(_ maximum: Double, title: String) -> Axis {
    Axis(over: [0, maximum > 0 && maximum.isFinite ? maximum : 1], title: title)
  }

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
    guard value >= 0 else { return "−" + label(-value, more: more) }
    let units = [(1e9, "G"), (1e6, "M"), (1e3, "k")]
    for (size, letter) in units where value >= size && (size > 1e3 || value >= 1e4) {
      return NumberText.trimmed(NumberText.fixed(value / size, decimals: 2 + more)) + letter
    }
    if value >= 100, more == 0 { return NumberText.whole(value) }
    return NumberText.trimmed(NumberText.fixed(value, decimals: (value >= 100 ? 0 : 3) + more))
  }

  var ticks: [Tick] { ticks(atMost: Canvas.wide.ticksAcross) }

  func ticks(atMost count: Int) -> [Tick] { ticksAtMost(count) }

  /// The fraction of the axis at which a value lies; what lies beyond its ends is at them.
  func fraction(_ value: Double) -> Double {
    guard high > low, value > low else { return 0 }
    guard value < high else { return 1 }
    return isLogarithmic
      ? (SteadyMath.log(value) - SteadyMath.log(low)) / (SteadyMath.log(high) - SteadyMath.log(low))
      : (value - low) / (high - low)
  }

  /// The value at a fraction of the axis.
  func value(at fraction: Double) -> Double {
    guard isLogarithmic else { return low + fraction * (high - low) }
    let first = SteadyMath.log(low)
    return SteadyMath.exp(first + fraction * (SteadyMath.log(high) - first))
  }
}

// MARK: - Time

extension Axis {
  private static let humanSpans: [Double] = [
    1, 10, 60, 600, 3_600, 21_600, 86_400, 604_800, 2_592_000, 31_536_000,
  ]

  /// A logarithmic scale of spans of time, in seconds, between two human ones.
  static func spans(over seconds: [Double], title: String) -> Axis {
    let known = seconds.filter { $0 > 0 }
    let (youngest, oldest) = (known.min() ?? 1, known.max() ?? 1)
    let first = min(humanSpans.lastIndex { $0 <= youngest } ?? 0, humanSpans.count - 2)
    let last = max(humanSpans.firstIndex { $0 >= oldest } ?? humanSpans.count - 1, first + 1)
    let ticks = humanSpans[first...last].map { seconds in
      Tick(value: seconds, text: TimeText.span(.milliseconds(Int64(seconds * 1_000))))
    }
    var axis = Axis(humanSpans[first]...humanSpans[last], title: title, lines: .whole, ticks: ticks)
    axis.isLogarithmic = true
    return axis
  }

  /// A scale for values of a figure: logarithmic for spans of time, otherwise linear.
  static func values(of figure: FigureName, _ values: [Double], title: String) -> Axis {
    guard figure.unit != .seconds else { return spans(over: values, title: title) }
    let label: TickText.Label = figure.unit == .hours ? { TickText.hour($0, $1) } : { TickText.number($0, $1) }
    return Axis(over: values, ticks: 6, title: title, label: label)
  }

  /// The measured period in milliseconds, with ticks at round clock times.
  ///
  /// - Parameter zone: by whose clock; `nil` for UTC.
  static func time(_ clock: Clock, zone: FleetZone? = nil) -> Axis { Axis(clock, zone) }

  private static let clockSteps: [TimeAmount] = [
    .seconds(1), .seconds(5), .seconds(15), .minute, .minutes(5), .minutes(15), .minutes(30), .hour, .hours(3),
    .hours(6), .hours(12), .day, .days(2), .days(7), .days(14), .days(30), .days(90), .days(365),
  ]

  private init(_ clock: Clock, _ zone: FleetZone?) {
    let start = zone?.time(.start, of: clock) ?? UTCTime(.start, of: clock)
    (low, high, lines) = (0, Double(max(clock.duration.milliseconds, 1)), .short)
    title = (zone.map { $0.city + " time" } ?? "UTC") + ", from " + start.date
    titleTime = clock.startUnixMilliseconds
    let isDaily = clock.duration > .days(2)
    ticksAtMost = { count in
      Self.instants(clock, zone, atMost: count).map { instant in
        let time = zone?.time(instant, of: clock) ?? UTCTime(instant, of: clock)
        let day = String(time.date.dropFirst(5)) + (time.hour == 0 ? "" : " " + time.shortTime)
        return Tick(
          value: Double(instant.millisecondsSinceStart), text: isDaily ? day : time.shortTime,
          time: (clock.startUnixMilliseconds + instant.millisecondsSinceStart, isDaily ? "day" : "hour"))
      }
    }
  }

  private static func instants(_ clock: Clock, _ zone: FleetZone?, atMost count: Int) -> [Instant] {
    let step = (clockSteps.first { $0 * Int64(count) >= clock.duration } ?? .days(365)).milliseconds
    let segments = zone?.table.segments ?? [ZoneTable.Segment(from: .longAgo, offset: .zero)]
    return segments.enumerated().flatMap { index, segment -> [Instant] in
      let end = index + 1 < segments.count ? segments[index + 1].from : .never
      let ahead = clock.startUnixMilliseconds + segment.offset.milliseconds
      let first = -(-ahead - max(segment.from, .start).millisecondsSinceStart).floorDivided(by: step) * step - ahead
      return stride(from: first, through: clock.duration.milliseconds, by: Int64.Stride(step))
        .map { Instant(millisecondsSinceStart: $0) }.filter { $0 < end }
    }
  }
}

// MARK: - Drawing

extension Axis {
  /// Level lines across the plot with their labels, and above them what they measure.
  func rows(_ canvas: Canvas) -> [Markup] {
    let parts = ticks.flatMap { tick -> [Markup] in
      let y = canvas.y(fraction(tick.value))
      let style = tick.value == low ? "base" : "grid"
      return [
        .line(style, from: (canvas.left, y), to: (canvas.width - canvas.right, y)),
        .label("end", canvas.left - 8, y + 4, tick.text),
      ]
    }
    return title.isEmpty ? parts : parts + [.label("unit", 2, 16, title)]
  }

  /// Ticks and labels below the plot, and what they measure.
  func columns(_ canvas: Canvas) -> [Markup] {
    let ticks = ticks(atMost: canvas.ticksAcross)
    let marks = ticks.compactMap { tick -> Markup? in
      let x = canvas.x(fraction(tick.value))
      switch lines {
      case .none: return nil
      case .short: return .line("base", from: (x, canvas.baseline), to: (x, canvas.baseline + 5))
      case .whole: return .line(tick.value == low ? "base" : "grid", from: (x, canvas.top), to: (x, canvas.baseline))
      }
    }
    let parts = marks + labels(ticks, canvas)
    guard !title.isEmpty else { return parts }
    let text = shortened(title, to: Int(canvas.width / 7.4))
    let name = Markup.label("middle unit", canvas.x(0.5), canvas.height - 8, text)
    return parts + [titleTime.map { name.with("data-time", "\($0)", "from") } ?? name]
  }

  /// Labels below their ticks that do not touch each other.
  private func labels(_ ticks: [Tick], _ canvas: Canvas) -> [Markup] {
    let all = ticks.map { tick -> (room: ClosedRange<Double>, label: Markup) in
      let text = shortened(tick.text, to: canvas.ticksAcross > 4 ? 20 : 12)
      let half = 4.4 * Double(text.displayWidth) + 2
      let middle = min(max(canvas.x(fraction(tick.value)), half), canvas.width - half)
      let label = Markup.label("middle", middle, canvas.baseline + 19, text)
      return (
        (middle - half)...(middle + half),
        tick.time.map { label.with("data-time", "\($0.milliseconds)", $0.form) } ?? label
      )
    }
    for step in steps {
      let shown = stride(from: 0, to: all.count, by: step).map { all[$0] }
      if zip(shown, shown.dropFirst()).allSatisfy({ $0.room.upperBound <= $1.room.lowerBound }) {
        return shown.map(\.label)
      }
    }
    var taken: [ClosedRange<Double>] = []
    return all.filter { one in
      guard !taken.contains(where: { $0.overlaps(one.room) }) else { return false }
      taken.append(one.room)
      return true
    }.map(\.label)
  }
}
