import BackendModel
import Scenario
import SimulationKernel

extension FleetPlanBuilder {
  /// When events come, in the order of the file, then of time; those at the devices' own times have no one instant.
  func eventSpans() -> [EventSpan] {
    scenario.events.indices.flatMap { number -> [EventSpan] in
      let event = scenario.events[number]
      if case .daily(_, .local) = event.timing { return [] }
      return instants(of: event.timing).map { span(of: number, event.action, at: $0) }
    }
  }

  private func span(of number: Int, _ action: EventAction, at instant: Instant) -> EventSpan {
    switch action {
    case .outage(let outage):
      let spell = OutageSpell(
        at: instant, lasting: outage.lasts, errors: outage.errors, capacity: nil, grid: scenario.clock.grid)
      return EventSpan(event: number, from: spell.from, to: spell.to)
    case .push(let push): return EventSpan(event: number, from: instant, to: instant + push.over)
    case .appUpdate(_, let over), .gallery(_, let over, _):
      return EventSpan(event: number, from: instant, to: instant + over)
    case .systemChange: return EventSpan(event: number, from: instant, to: instant)
    }
  }
}
