import WidgetFleet
import WidgetFleetCommand

/// A provider whose runs 20 and later have a fault (Scripts/library_test.sh).
struct Faulty: SimulatedTimelineProvider {
  enum Fault { case none, past, crowded, endless, trap }

  let fault: Fault

  func timeline(in context: TimelineContext, memory: inout NoMemory) -> SimulatedTimeline {
    let usual = SimulatedTimeline(policy: .after(context.date + .minutes(15)))
    guard context.run >= 20 else { return usual }
    switch fault {
    case .none: return usual
    case .past: return SimulatedTimeline(policy: .after(context.date - .minutes(1)))
    case .crowded: return SimulatedTimeline(every: .minutes(1), count: 1_001, policy: .atEnd)
    case .endless:
      return SimulatedTimeline(entries: sequence(first: context.date) { $0 + .minutes(1) }, policy: .atEnd)
    case .trap: preconditionFailure("a provider with a mistake")
    }
  }
}

/// A provider that names all types of the values that it is given.
struct Naming: ParameterlessProvider {
  let version = "two"

  func timeline(in context: TimelineContext, memory: inout NoMemory) -> SimulatedTimeline {
    let (local, day, weekday): (LocalTime, LocalDay, Weekday) = (context.local, context.day, context.weekday)
    let (bytes, status): (ByteCount, ServerAnswer.Status) = (context.answer.bytes, context.answer.status)
    let (cause, family): (Cause, Family) = (context.cause, context.family)
    var reason: FailureReason?
    if case .failure(let given) = status { reason = given }
    let isOdd = local.hour > 24 || day.weekday != weekday || bytes < .zero || family == .extraLarge
    let wait: TimeAmount = isOdd || reason == .cachedError && cause == .tap ? .hours(2) : .minutes(15)
    return SimulatedTimeline(policy: .after(context.date + wait))
  }
}

// The scenario names `flight`; check.sh sets the name of the others.
guard CommandLine.arguments.contains("--set") else { WidgetFleetCommand.main(providers: ["flight": Naming.self]) }
WidgetFleetCommand.main(providers: [
  "usual": ProviderCode(Faulty(fault: .none)),
  "past": ProviderCode(Faulty(fault: .past)), "crowded": ProviderCode(Faulty(fault: .crowded)),
  "endless": ProviderCode(Faulty(fault: .endless)), "trap": ProviderCode(Faulty(fault: .trap)),
])
