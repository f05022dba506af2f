import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// An event during a load, with its name: an outage is a shaded spell, any other a vertical line.
struct EventMark: Hashable {
  var name: String
  var from: Instant
  /// The end of the event; equal to `from` for an instantaneous one.
  var to: Instant

  /// Returns all events for all devices or for an endpoint within the measured period; outages of other endpoints than
  /// the named one are left out.
  static func all(_ result: StoredRun, endpoint: Int? = nil) -> [EventMark] {
    result.eventSpans.compactMap { span in
      let event = result.scenario.events[span.event]
      if case .outage(let outage) = event.action, let endpoint, outage.endpoint != endpoint { return nil }
      guard span.to >= .start, span.from < result.scenario.clock.end else { return nil }
      return EventMark(
        name: event.name, from: max(span.from, .start), to: min(span.to, result.scenario.clock.end))
    }
  }

  /// Returns shaded spells and vertical lines, to draw behind a load.
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

  /// An existing text.
  struct Label {
    var left: Double
    var right: Double
    var y: Double
  }

  /// Returns the names in up to three rows below the top, without overlaps with each other or another label. A name
  /// without room is left out.
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
  /// The place on a scale of time.
  var across: Double { Double(millisecondsSinceStart) }
}
