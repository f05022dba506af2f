#if canImport(WidgetKit)
  import FlightPolicy
  import Foundation
  import WidgetKit

  /// What the widget shows.
  struct FlightEntry: TimelineEntry {
    var date: Date
    var gate: String?
  }

  /// The widget's provider, which leaves the decision on the next refresh to the policy.
  struct FlightProvider: TimelineProvider {
    let policy = FlightPolicy()
    let departure: Date
    /// Returns the gate; `nil` if the request fails.
    let fetchGate: @Sendable () async -> String?

    func placeholder(in context: Context) -> FlightEntry { FlightEntry(date: .now) }

    func getSnapshot(in context: Context, completion: @escaping @Sendable (FlightEntry) -> Void) {
      completion(FlightEntry(date: .now))
    }

    func getTimeline(in context: Context, completion: @escaping @Sendable (Timeline<FlightEntry>) -> Void) {
      Task {
        let gate = await fetchGate()
        let store = UserDefaults(suiteName: "group.example.flight")
        let failures = gate == nil ? (store?.integer(forKey: "failures") ?? 0) + 1 : 0
        store?.set(failures, forKey: "failures")
        let now = Date.now
        let wait = policy.nextRefresh(sinceDeparture: Int(now.timeIntervalSince(departure)), failures: failures)
        completion(
          Timeline(
            entries: [FlightEntry(date: now, gate: gate)], policy: .after(now.addingTimeInterval(Double(wait)))))
      }
    }
  }
#endif
