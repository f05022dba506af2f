/// One record of WidgetFleetProbe: a run of a widget, or something that may explain one.
///
/// Phones and widgets are hashes of pseudonyms that mean nothing outside the file.
package struct TelemetryRecord: Hashable, Sendable {
  package enum Event: String, CaseIterable, Sendable {
    case run, call, tap, push, foreground, background
  }

  package enum Outcome: String, CaseIterable, Sendable {
    case unfinished, network, cache, error
  }

  package enum Cause: String, CaseIterable, Sendable {
    case scheduled, call, tap, push, other
  }

  package var phone: UInt64
  /// Counts the records of the phone.
  package var number: Int64
  package var event: Event
  /// Milliseconds since 1970 of the beginning, of the due date, of the date that the timeline asks for, and of the end.
  package var at: Int64
  package var due: Int64?
  package var next: Int64?
  package var end: Int64?
  /// Empty: none.
  package var kind = ""
  /// One of the phone's widgets, different from those of others; 0: none.
  package var widget: UInt64 = 0
  /// Counts the runs of the widget, modulo 2^16.
  package var sequence: Int64 = 0
  package var outcome = Outcome.unfinished
  /// Why a run came; `other` where it is no run.
  package var cause = Cause.other
  /// Whether the phone was locked; nil: it could not tell.
  package var isLocked: Bool?
  /// Whether it had no network; nil: it could not tell.
  package var isOffline: Bool?

  package init(phone: UInt64, number: Int64, event: Event, at: Int64) {
    (self.phone, self.number, self.event, self.at) = (phone, number, event, at)
  }
}
