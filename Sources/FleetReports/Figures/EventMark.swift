import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// Something that happened while a load was drawn: an outage as a shaded spell, the rest as an upright line, with names.
struct EventMark: Hashable {
  var name: String
  var from: Instant
  /// End of what happened; equal to `from` for what is over at once.
  var to: Instant

  /// Everything that happened to all devices or to an endpoint within the measured period; outages of other endpoints
  /// than the named one are left out.
  static func all(_ result: StoredRun, endpoint: Int? = nil) -> [EventMark] {
    result.eventSpans.compactMap { span in
      let event = result.scenario.events[span.event]
      if case .outage(let outage) = event.action, let endpoint, outage.endpoint != endpoint { return nil }
      guard span.to >= .start, span.from < result.scenario.clock.end else { return nil }
      return EventMark(
        name: event.name, from: max(span.from, .start), to: min(span.to, result.scenario.clock.end))
    }
  }

  /// Shaded spells and upright lines, to lie behind a load.
  static func spells(_ marks: [EventMark], _ canvas: Canvas, _ time: TimeAxis) -> [Markup] {
    marks.flatMap { mark -> [Markup] in
      let (left, right) = (canvas.x(time.fraction(mark.from)), canvas.x(time.fraction(mark.to)))
      let line = Markup.line("event", from: (left, canvas.top), to: (left, canvas.top + canvas.plotHeight))
      guard mark.to > mark.from else { return [line] }
      let width = max(right - left, 1)
      return [
        .rectangle("spell", x: left, y: canvas.top, width: width, height: canvas.plotHeight), line,
      ]
    }
  }

  /// A text that is there already.
  struct Label {
    var left: Double
    var right: Double
    var y: Double
  }

  /// The names, in up to three rows below the top so that neighbours do not cover each other, nor another label; where
  /// there is no room left a name is left out.
  static func names(_ marks: [EventMark], _ canvas: Canvas, _ time: TimeAxis, beside label: Label? = nil) -> [Markup] {
    var ends = Array(repeating: 0.0, count: 3)
    return marks.sorted { ($0.from, $0.name) < ($1.from, $1.name) }.compactMap { mark in
      let width = 7 * Double(mark.name.count) + 8
      let x = min(canvas.x(time.fraction(mark.from)) + 3, max(canvas.width - width, canvas.left))
      let row = ends.indices.first { row in
        ends[row] <= x && !(label.map { $0.covers(x...x + width, y: height(row, canvas)) } ?? false)
      }
      guard let row else { return nil }
      ends[row] = x + width
      return .label("event-name", x, height(row, canvas), mark.name)
    }
  }

  private static func height(_ row: Int, _ canvas: Canvas) -> Double { canvas.top + 12 + 15 * Double(row) }
}

extension EventMark.Label {
  fileprivate func covers(_ range: ClosedRange<Double>, y: Double) -> Bool {
    range.lowerBound < right && range.upperBound > left && (y - self.y).magnitude < 14
  }
}
