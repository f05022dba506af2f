import Numerics
import Scenario
import SimulationKernel

/// An axis of a chart, with a scale of values and labelled ticks.
struct Axis {
  struct Tick {
    var value: Double
    var text: String
    /// The time in milliseconds since 1970, with the text format that a script uses to convert it to another time zone.
    var time: (milliseconds: Int64, form: String)?
  }

  /// The styles of lines at the ticks of a horizontal axis.
  enum Lines {
    case whole, short, none
  }

  let low: Double
  let high: Double
  var title: String
  var lines: Lines
  /// The time shown in the title, which a script converts to another time zone.
  private var titleTime: Int64?
  /// The multiples of the tick interval that are tried if not all labels fit. If there are none, labels are shown from
  /// the start until no more fit.
  var steps = [1, 2, 3, 4, 6, 8, 12]
  private var isLogarithmic = false
  private let ticksAtMost: (Int) -> [Tick]

  /// Creates a scale that has the given ticks.
  init(_ range: ClosedRange<Double>, title: String, lines: Lines = .short, ticks: [Tick] = []) {
    (low, high, self.title, self.lines) = (range.lowerBound, range.upperBound, title, lines)
    ticksAtMost = { _ in ticks }
  }

  /// Creates a scale between two round numbers, with ticks at round numbers. It includes all values, and also 0 if that
  /// is close to them.
  ///
  /// - Parameter hasZero: whether the scale always includes 0.
  /// - Parameter empty: the maximum fraction of the scale that may be left empty to include 0.
  init(
    over values: [Double], ticks: Int = 5, hasZero: Bool = false, empty: Double = 0.5, title: String = "",
    label: @escaping TickText.Label = TickText.number
  ) {
    let known = values.filter(\.isFinite)
    var (minimum, maximum) = (known.min() ?? 0, known.max() ?? 0)
    if hasZero || minimum > 0 && minimum < maximum * empty { minimum = min(minimum, 0) }
    if hasZero || maximum < 0 && maximum > minimum * empty { maximum = max(maximum, 0) }
    if minimum == maximum {
      let room = max(minimum.magnitude / 10, 1e-6)
      (minimum, maximum) = (minimum > 0 ? max(minimum - room, 0) : minimum - room, maximum + room)
    }
    // The step has a lower limit in case the values differ only in their last digits.
    let digits = max(minimum.magnitude, maximum.magnitude) * 1e-12
    let step = Self.roundStep(max((maximum - minimum) / Double(max(ticks, 1)), digits))
    (low, high) = ((minimum / step).rounded(.down) * step, (maximum / step).rounded(.up) * step)
    (self.title, lines) = (title, .whole)
    // Ticks are computed as multiples of the step so that the tick at 0 is exact.
    let first = Int((low / step).rounded())
    let values = (first...max(first, Int((high / step).rounded()))).map { Double($0) * step }
    let own = zip(values, TickText.labels(values, label)).map { Tick(value: $0, text: $1) }
    ticksAtMost = { _ in own }
  }

  /// Returns a scale from 0 to a round number that is at least as high as the largest value.
  static func reaching(_ maximum: Double, title: String) -> Axis {
    Axis(over: [0, maximum > 0 && maximum.isFinite ? maximum : 1], title: title)
  }

  /// Returns a scale for a sequence of items, numbered from 1, with about six labels.
  static func numbers(_ count: Int, title: String) -> Axis {
    let step = max(1, Int(roundStep(Double(count - 1) / 6)))
    let ticks = stride(from: 0, to: count, by: step).map { Tick(value: Double($0), text: String($0 + 1)) }
    return Axis(0...Double(count - 1), title: title, ticks: ticks)
  }

  /// Returns the smallest number not less than `value` that is 1, 2, 2.5 or 5 times a power of ten.
  static func roundStep(_ value: Double) -> Double {
    var power = 1.0
    while power < value, power < 1e36 { power *= 10 }
    while power > value, power > 1e-9 { power /= 10 }
    return [1, 2, 2.5, 5, 10].map { $0 * power }.first { $0 >= value * 0.999_999 } ?? power
  }

  /// Returns a short label for a number, such as `25k` for 25 000.
  ///
  /// - Parameter more: the number of additional decimals.
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

  /// Returns the position of a value as a fraction of the axis. Values beyond either end are clamped.
  func fraction(_ value: Double) -> Double {
    guard high > low, value > low else { return 0 }
    guard value < high else { return 1 }
    return isLogarithmic
      ? (SteadyMath.log(value) - SteadyMath.log(low)) / (SteadyMath.log(high) - SteadyMath.log(low))
      : (value - low) / (high - low)
  }

  /// Returns the value at a position, given as a fraction of the axis.
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

  /// Returns a logarithmic scale of durations in seconds, between two round values.
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

  /// Returns a scale for the values of a figure, which is logarithmic for durations and linear for all other figures.
  static func values(of figure: FigureName, _ values: [Double], title: String) -> Axis {
    guard figure.unit != .seconds else { return spans(over: values, title: title) }
    let label: TickText.Label = figure.unit == .hours ? { TickText.hour($0, $1) } : { TickText.number($0, $1) }
    return Axis(over: values, ticks: 6, title: title, label: label)
  }

  /// Returns a scale for the measured period in milliseconds, with ticks at round times of day.
  ///
  /// - Parameter zone: the time zone of the clock; `nil` for UTC.
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
  /// Returns horizontal lines across the plot with their labels, and the title of the axis above them.
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

  /// Returns the ticks and labels below the plot, and the title of the axis.
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

  /// Returns labels below their ticks, omitting labels that would overlap.
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
