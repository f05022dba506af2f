/// One request of a log: the counted values, and nothing that identifies its sender.
package struct LoggedRequest: Hashable, Sendable, BitwiseCopyable {
  /// The milliseconds since 1970-01-01T00:00:00Z at its arrival; without durations in the log, at which its line was
  /// written.
  package var time: Int64
  /// A keyed hash of the sender; 0 where the line has none.
  package var sender: UInt64 = 0
  /// A keyed hash of the sender or, without one, of its address; 0 without both.
  package var source: UInt64 = 0
  /// A keyed hash of the request's own id or, without one, of the whole line: equal values are duplicates.
  package var line: UInt64 = 0
  /// The bytes of the answer; -1 where unknown.
  package var bytes: Int64 = -1
  /// The milliseconds of the answer; -1 where unknown.
  package var duration: Int32 = -1
  /// The HTTP status, or 499 and the like; 0 where unknown.
  package var status: UInt16 = 0
  /// The path without personal parts, or the endpoint that a rule has named.
  package var path = NameIndex.none
  /// The User-Agent without build numbers.
  package var agent = NameIndex.none
  /// The widget kind, if the line names it.
  package var kind = NameIndex.none
  /// The server or file that wrote the line.
  package var node = NameIndex.none
  package var requestClass = RequestClass.unknown
  package var cache = CacheResult.none
  /// The system's major version in the User-Agent: 16, 17, 18, 26; 0 where unknown.
  package var system: UInt8 = 0

  package init(at time: Int64) { self.time = time }
}

/// The sender of a request: a widget's extension, the app that contains it, or another program.
package enum RequestClass: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  case unknown, widget, app, otherExtension, browser, bot, other
}

/// The result of a CDN for a request, if the log has it.
package enum CacheResult: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  /// The log has no result.
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

/// A sink that counts requests, in the thread that reads them.
package protocol RequestSink {
  mutating func add(_ request: LoggedRequest)
}

/// One record of WidgetFleetProbe: a run of a widget, or an event that may explain one.
///
/// Phones and widgets are hashes of pseudonyms without meaning outside the file.
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
  /// The number of the record on its phone.
  package var number: Int64
  package var event: Event
  /// The milliseconds since 1970 of the start, the due date, the date in the timeline, and the end.
  package var at: Int64
  package var due: Int64?
  package var next: Int64?
  package var end: Int64?
  /// The kind; empty for none.
  package var kind = ""
  /// One of the phone's widgets, different from those of other phones; 0 for none.
  package var widget: UInt64 = 0
  /// The number of the widget's run, modulo 2^16.
  package var sequence: Int64 = 0
  package var outcome = Outcome.unfinished
  /// The cause of a run; `other` for other records.
  package var cause = Cause.other
  /// Whether the phone was locked; `nil` where unknown.
  package var isLocked: Bool?
  /// Whether it had no network; `nil` where unknown.
  package var isOffline: Bool?

  package init(phone: UInt64, number: Int64, event: Event, at: Int64) {
    (self.phone, self.number, self.event, self.at) = (phone, number, event, at)
  }
}
