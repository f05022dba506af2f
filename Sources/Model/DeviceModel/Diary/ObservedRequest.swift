package import Scenario
package import SimulationKernel

/// The outcome of one attempt of a request on a watched phone.
package struct ObservedRequest: Sendable {
  /// The widget of the run or download; `nil` for a gallery snapshot.
  package var slot: Slot?
  package var kind: KindIndex
  package var family: Family
  package var cause: Cause
  package var endpoint: EndpointIndex
  /// The ordinal of the widget's run or the kind's snapshot, counted from the start of the simulation.
  package var run: UInt32
  /// The number of the request within its run.
  package var number: Int
  /// The number of earlier attempts.
  package var attempt: Int
  /// The time of arrival at the backend, or the planned sending time if the phone was offline.
  package var arrival: Instant
  /// The time from the arrival until the backend finishes or the client times out.
  package var duration: TimeAmount
  package var edge = EdgeAnswer.none
  package var failure: FailureReason?
  /// Whether the request belongs to a run rather than to a download or snapshot.
  var isOfRun: Bool
}

extension DeviceSimulator {
  /// Simulates one device as `simulate` does, and reports every request to a backend in the measured period.
  ///
  /// A watched device does not use the fast path; the results are the same, but it is slower.
  ///
  /// - Parameter note: receives each request, and the due date of the ticket that its run fulfilled or replaced; `nil`
  ///   if there was no ticket.
  /// - Throws: `EventLivelock` if events at one instant follow one another endlessly.
  package mutating func simulate(
    device number: Int, cohort: Int, replication: Int, noting note: (ObservedRequest, _ due: Instant?) -> Void
  ) throws(EventLivelock) {
    observed = []
    begin(device: number, cohort: cohort, replication: replication)
    var dues = RunDueDates(self)
    var (last, eventsAtOnce) = (Instant.longAgo, 0)
    while let (now, _) = step() {
      eventsAtOnce = now == last ? eventsAtOnce + 1 : 1
      last = now
      if eventsAtOnce > EventLivelock.maxEvents { throw device.eventLivelock(at: now) }
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

  /// Returns the number of runs started so far and the due date of the pending ticket.
  fileprivate borrowing func runsAndDue(of slot: Slot) -> (runs: UInt32, due: Instant?) {
    let ticket = device.widgets.scheduler.ticket(of: slot)
    return (device.widgets.provider.runs(of: slot), ticket.exists ? ticket.due : nil)
  }
}

/// The due dates of the widgets' tickets at the start of their last runs.
private struct RunDueDates {
  private var widgets: [Widget]

  private struct Widget {
    var runs: UInt32
    /// The due date of the ticket before the last event.
    var pending: Instant?
    /// The due date of the last run's ticket.
    var ofRun: Instant?
  }

  init(_ simulator: borrowing DeviceSimulator) {
    let host = simulator.device.widgets.phone.widgetCount
    widgets = Array(repeating: Widget(runs: 0, pending: nil, ofRun: nil), count: host)
  }

  func due(of slot: Slot) -> Instant? { widgets[slot.place].ofRun }

  /// Updates the due dates after an event.
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
