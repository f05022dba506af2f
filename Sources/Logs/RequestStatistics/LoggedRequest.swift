/// A request from a log, which contains the values to be counted but nothing that identifies the sender.
package struct LoggedRequest: Hashable, Sendable, BitwiseCopyable {
  /// The arrival in milliseconds since 1970-01-01T00:00:00Z or, if the log has no durations, the time at which the line
  /// was written.
  package var time: Int64
  /// A keyed hash of the sender; 0 if the line does not identify one.
  package var sender: UInt64 = 0
  /// A keyed hash of the sender or, if the line does not identify one, of the sender's address; 0 if both are unknown.
  package var source: UInt64 = 0
  /// A keyed hash of the request's own ID or, if there is none, of the whole line; equal values are duplicates.
  package var line: UInt64 = 0
  /// Whether `line` is the hash of the request's own ID, so that two requests never have equal ones.
  package var isNumbered = false
  /// The response size in bytes; -1 if unknown.
  package var bytes: Int64 = -1
  /// The response time in milliseconds; -1 if unknown.
  package var duration: Int32 = -1
  /// The HTTP status, or a non-standard one such as 499; 0 if unknown.
  package var status: UInt16 = 0
  /// The path of the request without personal components, or the endpoint that a rule assigns to it.
  package var path = NameIndex.none
  /// The User-Agent of the request without build numbers.
  package var agent = NameIndex.none
  /// The kind of widget, if the line names it.
  package var kind = NameIndex.none
  /// The server or file that wrote the line.
  package var node = NameIndex.none
  package var requestClass = RequestClass.unknown
  package var cache = CacheResult.none
  /// The major system version in the User-Agent, such as 18 or 26; 0 if unknown.
  package var system: UInt8 = 0

  package init(at time: Int64) { self.time = time }
}

/// The type of a request's sender: a widget extension, the app that contains it, or another program.
package enum RequestClass: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  case unknown, widget, app, otherExtension, browser, bot, other
}

/// The CDN's cache result for a request, if the log contains it.
package enum CacheResult: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  /// The log contains no CDN result.
  case none
  case hit, refresh, miss, error
}

/// The index of a name in a `NameTable`.
package struct NameIndex: Hashable, Sendable, BitwiseCopyable {
  package let number: UInt16

  package init(_ number: UInt16) { self.number = number }

  /// No name.
  package static let none = NameIndex(0)
}

/// A sink for requests, used only on the thread that reads them.
package protocol RequestSink {
  mutating func add(_ request: LoggedRequest)
}

/// A WidgetFleetProbe record: a run of a widget, or an event that may explain one.
///
/// Phones and widgets are identified by hashes of pseudonyms, which are meaningless outside the file.
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
  /// The sequence number of the record on its phone.
  package var number: Int64
  package var event: Event
  /// The start of the record, its due date, the date in its timeline, and its end, in milliseconds since 1970.
  package var at: Int64
  package var due: Int64?
  package var next: Int64?
  package var end: Int64?
  /// The widget kind; empty if there is none.
  package var kind = ""
  /// A hash that distinguishes this widget of the phone from all other widgets; 0 if there is no widget.
  package var widget: UInt64 = 0
  /// The number of the widget's run modulo 2^16.
  package var sequence: Int64 = 0
  package var outcome = Outcome.unfinished
  /// The cause of a run; `other` for records that are not runs.
  package var cause = Cause.other
  /// Whether the phone was locked; `nil` if unknown.
  package var isLocked: Bool?
  /// Whether the phone had no network connection; `nil` if unknown.
  package var isOffline: Bool?

  package init(phone: UInt64, number: Int64, event: Event, at: Int64) {
    (self.phone, self.number, self.event, self.at) = (phone, number, event, at)
  }
}
