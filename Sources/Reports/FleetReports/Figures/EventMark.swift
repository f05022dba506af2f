import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// A named event or time window to mark on a load. Windows and outages are drawn as shaded periods, other events as
/// vertical lines.
struct EventMark: Hashable {
  var name: String
  var from: Instant
  /// The end of the event, which equals `from` if the event is instantaneous.
  var to: Instant

  /// Returns the events in the measured period, either for all devices or for one endpoint. Outages of other endpoints
  /// are omitted.
  static func all(_ result: StoredRun, endpoint: Int? = nil) -> [EventMark] {
    windows(result)
      + result.eventSpans.compactMap { span in
        let event = result.scenario.events[span.event]
        if case .outage(let outage) = event.action, let endpoint, outage.endpoint != endpoint { return nil }
        guard span.to >= .start, span.from < result.scenario.clock.end else { return nil }
        return EventMark(
          name: event.name, from: max(span.from, .start), to: min(span.to, result.scenario.clock.end))
      }
  }

  /// Returns the named time windows that apply at the same time on all phones.
  private static func windows(_ result: StoredRun) -> [EventMark] {
    result.windowSpans.map { EventMark(name: result.scenario.windows[$0.window].name, from: $0.from, to: $0.to) }
  }

  /// Returns the shaded periods and vertical lines that are drawn behind a load.
  static func spells(_ marks: [EventMark]) -> Mark {
    Mark { plot in
      marks.flatMap { mark -> [Markup] in
        let (left, right) = (plot.x(mark.from.across), plot.x(mark.to.across))
        let line = Markup.line("event", from: (left, plot.canvas.top), to: (left, plot.canvas.baseline))
        guard mark.to > mark.from else { return [line] }
        let width = max(right - left, 1)
        return [
          .rectangle("spell", x: left, y: plot.canvas.top, width: width, height: plot.canvas.plotHeight), line,
        ]
      }
    }
  }

  /// A label that has already been placed on the plot.
  struct Label {
    var left: Double
    var right: Double
    var y: Double
  }

  /// Returns the names of the events in up to three rows at the top of the plot. Names that do not fit without overlap
  /// are omitted.
  static func names(_ marks: [EventMark], beside label: @escaping (Plot) -> Label? = { _ in nil }) -> Mark {
    Mark { plot in
      let label = label(plot)
      let height = { (row: Int) in plot.canvas.top + 12 + 15 * Double(row) }
      var ends = Array(repeating: 0.0, count: 3)
      return marks.sorted { ($0.from, $0.name) < ($1.from, $1.name) }.compactMap { mark in
        let width = 7 * Double(mark.name.count) + 8
        let x = min(plot.x(mark.from.across) + 3, max(plot.canvas.width - width, plot.canvas.left))
        let row = ends.indices.first { row in
          ends[row] <= x && !(label.map { $0.covers(x...x + width, y: height(row)) } ?? false)
        }
        guard let row else { return nil }
        ends[row] = x + width
        return .label("event-name", x, height(row), mark.name)
      }
    }
  }
}

extension EventMark.Label {
  fileprivate func covers(_ range: ClosedRange<Double>, y: Double) -> Bool {
    range.lowerBound < right && range.upperBound > left && (y - self.y).magnitude < 14
  }
}

extension Instant {
  /// The horizontal position of the instant on a time axis.
  var across: Double { Double(millisecondsSinceStart) }
}
