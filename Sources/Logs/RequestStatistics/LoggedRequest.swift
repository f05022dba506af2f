/// One request as a log tells it: what of it is counted, and nothing that says who sent it.
package struct LoggedRequest: Hashable, Sendable, BitwiseCopyable {
  /// Milliseconds since 1970-01-01T00:00:00Z at which it arrived; where the log has no durations, at which it was written.
  package var time: Int64
  /// A keyed hash of who sent it; 0: the line does not say.
  package var sender: UInt64 = 0
  /// A keyed hash of who sent it or, where the line does not say, of the address that it came from; 0: neither.
  package var source: UInt64 = 0
  /// A keyed hash of the request's own id or, where it has none, of the whole line: twice the same is a duplicate.
  package var line: UInt64 = 0
  /// Bytes of the answer; nil is -1.
  package var bytes: Int64 = -1
  /// Milliseconds that the answer took; -1: unknown.
  package var duration: Int32 = -1
  /// The status of HTTP, or 499 and the like; 0: unknown.
  package var status: UInt16 = 0
  /// Its path without what tells people apart, or the endpoint that a rule has named.
  package var path = NameIndex.none
  /// Its User-Agent without version numbers of builds.
  package var agent = NameIndex.none
  /// The widget kind, where the line names it.
  package var kind = NameIndex.none
  /// The server or file that wrote the line.
  package var node = NameIndex.none
  package var requestClass = RequestClass.unknown
  package var cache = CacheResult.none
  /// The system's major version as the User-Agent tells it: 16, 17, 18, 26; 0: unknown.
  package var system: UInt8 = 0

  package init(at time: Int64) { self.time = time }
}

/// Who asks: a widget's extension, the app that contains it, or somebody else.
package enum RequestClass: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  case unknown, widget, app, otherExtension, browser, bot, other
}

/// What a CDN did with a request, where the log says so.
package enum CacheResult: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  /// The log does not say.
  case none
  case hit, refresh, miss, error
}

/// A name by its place in a `NameTable`.
package struct NameIndex: Hashable, Sendable, BitwiseCopyable {
  package let number: UInt16

  package init(_ number: UInt16) { self.number = number }

  /// No name.
  package static let none = NameIndex(0)
}

/// What counts requests, in the thread that reads them.
package protocol RequestSink {
  mutating func add(_ request: LoggedRequest)
}

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
