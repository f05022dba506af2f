package import Scenario
package import SimulationKernel

/// What became of one try of a request, for whoever watches a phone.
package struct ObservedRequest: Sendable {
  /// The widget whose run or download it belongs to; nil: a snapshot for the gallery.
  package var slot: Slot?
  package var kind: KindIndex
  package var family: Family
  package var cause: Cause
  package var endpoint: EndpointIndex
  /// Ordinal of the widget's run, or of the kind's snapshot, counted from the beginning of the world.
  package var run: UInt32
  /// Its number among the requests of the run.
  package var number: Int
  /// Tries before this one.
  package var attempt: Int
  /// When it came to the backend; of one that found no network when it would have been sent.
  package var arrival: Instant
  /// From its arrival until the backend was through with it, or the client gave up.
  package var duration: TimeAmount
  package var edge = EdgeAnswer.none
  package var failure: FailureReason?
  /// The flight is a run's own, not a download or a snapshot.
  var isOfRun: Bool
}

extension DeviceSimulator {
  /// Lives one device as `simulate` does, and tells of every request that reaches a backend in the measured period.
  ///
  /// A device that is watched takes no short ways: it lives as it would otherwise, and longer.
  ///
  /// - Parameter note: is given each request and when the ticket was due that its run has answered or replaced, with
  ///   nil for one without a ticket.
  /// - Throws: when events at one instant follow each other without end.
  package mutating func simulate(
    device number: Int, cohort: Int, replication: Int, noting note: (ObservedRequest, _ due: Instant?) -> Void
  ) throws(EndlessInstant) {
    observed = []
    begin(device: number, cohort: cohort, replication: replication)
    var dues = RunDueDates(self)
    var (last, eventsAtOnce) = (Instant.longAgo, 0)
    while let (now, _) = step() {
      eventsAtOnce = now == last ? eventsAtOnce + 1 : 1
      last = now
      if eventsAtOnce > EndlessInstant.mostEvents { throw device.endlessInstant(at: now) }
      dues.advance(self)
      for request in observed ?? [] where request.failure != .offline && plan.isMeasured(request.arrival) {
        note(request, request.slot.flatMap { dues.due(of: $0) })
      }
      forgetObserved()
    }
    finish()
  }

  private var plan: FleetPlan { device.widgets.phone.plan }

  private mutating func forgetObserved() {
    if device.widgets.phone.observed?.isEmpty == false {
      device.widgets.phone.observed?.removeAll(keepingCapacity: true)
    }
  }

  /// Runs begun so far, and when the pending ticket is due.
  fileprivate borrowing func runsAndDue(of slot: Slot) -> (runs: UInt32, due: Instant?) {
    let ticket = device.widgets.scheduler.ticket(of: slot)
    return (device.widgets.provider.runs(of: slot), ticket.exists ? ticket.due : nil)
  }
}

/// When the tickets of a phone's widgets were due as their last runs began.
private struct RunDueDates {
  private var widgets: [Widget]

  private struct Widget {
    var runs: UInt32
    /// The ticket's before the last event.
    var pending: Instant?
    /// The last run's.
    var ofRun: Instant?
  }

  init(_ simulator: borrowing DeviceSimulator) {
    let host = simulator.device.widgets.phone.widgetCount
    widgets = Array(repeating: Widget(runs: 0, pending: nil, ofRun: nil), count: host)
  }

  func due(of slot: Slot) -> Instant? { widgets[slot.place].ofRun }

  /// An event has passed.
  mutating func advance(_ simulator: borrowing DeviceSimulator) {
    for place in widgets.indices {
      let (runs, due) = simulator.runsAndDue(of: Slot(place))
      if runs != widgets[place].runs {
        widgets[place].runs = runs
        widgets[place].ofRun = widgets[place].pending
      }
      widgets[place].pending = due
    }
  }
}
