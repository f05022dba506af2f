package import Scenario
package import SimulationKernel

/// The outcome of one attempt of a request on a watched phone.
package struct ObservedRequest: Sendable {
  /// The widget whose run, download or tap sent the request; `nil` for a gallery snapshot.
  package var slot: Slot?
  package var kind: KindIndex
  package var family: Family
  package var cause: Cause
  package var endpoint: EndpointIndex
  /// The number of the widget's run or of the kind's snapshot, counted from the start of the simulation.
  package var run: UInt32
  /// The number of the request within its run.
  package var number: Int
  /// The number of earlier attempts of the same request.
  package var attempt: Int
  /// The time at which the request arrived at the backend, or would have been sent if the phone had not been offline.
  package var arrival: Instant
  /// The time from the request's arrival until the backend answers or the client times out.
  package var duration: TimeAmount
  package var edge = EdgeAnswer.none
  package var failure: FailureReason?
  /// Whether the request belongs to a run, as opposed to a download, a snapshot or a tap.
  var isOfRun: Bool
}

extension DeviceSimulator {
  /// Simulates one device like `simulate`, and reports every request that the device sends in the measured period.
  ///
  /// The fast path is not used for a watched device, so the simulation is slower but has the same results.
  ///
  /// - Parameter note: a function that receives each request, and the due date of the ticket that its run fulfilled or
  ///   replaced; `nil` if there was no ticket.
  /// - Throws: `DeviceFailure` if time stops, or a provider returns an unusable timeline.
  package mutating func simulate(
    device number: Int, cohort: Int, replication: Int, noting note: (ObservedRequest, _ due: Instant?) -> Void
  ) throws(DeviceFailure) {
    observed = []
    begin(device: number, cohort: cohort, replication: replication)
    var dues = RunDueDates(self)
    var (last, eventsAtOnce) = (Instant.longAgo, 0)
    while let (now, _) = step() {
      eventsAtOnce = now == last ? eventsAtOnce + 1 : 1
      last = now
      if eventsAtOnce > DeviceFailure.maxEvents { throw device.eventLivelock(at: now) }
      dues.advance(self)
      for request in observed ?? [] where request.failure != .offline && plan.isMeasured(request.arrival) {
        note(request, request.slot.flatMap { dues.due(of: $0) })
      }
      forgetObserved()
    }
    try device.throwFault()
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

/// The due dates of the widgets' tickets at the start of the widgets' last runs.
private struct RunDueDates {
  private var widgets: [Widget]

  private struct Widget {
    var runs: UInt32
    /// The due date of the ticket that was pending before the last event.
    var pending: Instant?
    /// The due date of the last run's ticket.
    var ofRun: Instant?
  }

  init(_ simulator: borrowing DeviceSimulator) {
    let host = simulator.device.widgets.phone.widgetCount
    widgets = Array(repeating: Widget(runs: 0, pending: nil, ofRun: nil), count: host)
  }

  func due(of slot: Slot) -> Instant? { widgets[slot.place].ofRun }

  /// Updates the due dates of the tickets after an event.
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
