/// An event on the phone: a run of a widget's timeline provider, or a mark that may explain a run.
public struct ProbeRecord: Hashable, Sendable {
  /// The kind of event.
  public enum Event: UInt8, CaseIterable, Sendable {
    /// WidgetKit requested a timeline.
    case run
    /// The app requested a reload from WidgetKit.
    case call
    /// A button or toggle of a widget was tapped.
    case tap
    /// A push arrived.
    case push
    /// The app entered or left the foreground.
    case foreground, background
  }

  /// The outcome of a run.
  public enum Outcome: UInt8, CaseIterable, Sendable {
    /// The run has not ended yet, or the extension was killed.
    case unfinished
    /// The data came from the network.
    case network
    /// The data came from a cache; no request was sent.
    case cache
    /// No data arrived.
    case error
  }

  /// The cause of a run, as far as the phone's own marks reveal it.
  public enum Cause: UInt8, CaseIterable, Sendable {
    /// The due date had passed, and no mark explains the run.
    case scheduled
    /// A call, tap or push within the last 60 seconds.
    case call, tap, push
    /// Any other cause: the system, or a view.
    case other
  }

  /// The reason why the app requested a reload.
  public enum CallReason: UInt8, CaseIterable, Sendable {
    case unspecified
    /// The app was opened or left.
    case opened, closed
    /// Data changed.
    case changed
    /// Background work finished.
    case background
  }

  /// The phone's connection.
  public enum Path: UInt8, CaseIterable, Sendable {
    case unknown, none, wifi, cellular
  }

  /// The number of the record in the ring, starting at 1.
  public var number: UInt32 = 0
  /// The start according to the phone's clock, in milliseconds since 1970.
  public var wall: Int64
  /// The time since the phone was booted, including sleep, in milliseconds modulo 2^32.
  public var continuous: UInt32 = 0
  /// A hash that differs after every boot of the phone; 0 if unknown.
  public var boot: UInt16 = 0
  /// The widget kind as an index into the ring's list; `noKind` for all kinds, or for one that no longer fits the list.
  public var kind: UInt8 = ProbeRecord.noKind
  /// The 24-bit hash of kind, family and configuration, different in each installation; 0 for no widget.
  public var instance: UInt32 = 0
  /// The number of the widget's run modulo 2^16.
  public var sequence: UInt16 = 0
  /// The time from the due date to the start in milliseconds, negative if early; `nil` if nothing was due.
  public var lateness: Int32?
  /// The time from the start to the date requested by the new timeline, in milliseconds; `nil` without a date.
  public var next: UInt32?
  /// The time from the start to the end in milliseconds, at most 65 534; `nil` if no end was recorded.
  public var length: UInt16?
  /// The time from that of the displayed data to the end in minutes, at most 65 534; `nil` if unknown.
  public var dataAge: UInt16?
  public var event: Event = .run
  public var outcome: Outcome = .unfinished
  /// The cause of a run; `other` for other events.
  public var cause: Cause = .other
  /// The reason for the app's call; `unspecified` for other events.
  public var reason: CallReason = .unspecified
  public var phone = PhoneState()

  public init(wall: Int64) { self.wall = wall }

  /// The index used for kinds that are not in the list.
  public static let noKind: UInt8 = 255

  /// The due date in milliseconds since 1970; `nil` if nothing was due.
  public var due: Int64? { lateness.map { wall - Int64($0) } }
  /// The date requested by the run's timeline, in milliseconds since 1970; `nil` without a date.
  public var nextDue: Int64? { next.map { wall + Int64($0) } }
  /// The end in milliseconds since 1970; `nil` if no end was recorded.
  public var end: Int64? { length.map { wall + Int64($0) } }
}

/// The phone's state; unknown values are `nil`.
public struct PhoneState: Hashable, Sendable {
  public var isLowPower: Bool?
  public var isCharging: Bool?
  /// Whether the phone is locked, so that files with `complete` protection cannot be read.
  public var isLocked: Bool?
  public var path: ProbeRecord.Path = .unknown

  public init() {}
}
