/// An event on the phone: a run of a widget's timeline provider, or a mark that may explain one.
public struct ProbeRecord: Hashable, Sendable {
  /// The type of the event.
  public enum Event: UInt8, CaseIterable, Sendable {
    /// WidgetKit requested a timeline.
    case run
    /// The app requested a reload from WidgetKit.
    case call
    /// A button or toggle of a widget was tapped.
    case tap
    /// A push arrived.
    case push
    /// The app came to the foreground, or left it.
    case foreground, background
  }

  /// The end of a run.
  public enum Outcome: UInt8, CaseIterable, Sendable {
    /// The run has not ended, or the extension was killed.
    case unfinished
    /// The data came from the network.
    case network
    /// The data came from a cache; nothing was sent.
    case cache
    /// The data did not arrive.
    case error
  }

  /// The cause of a run, as far as the phone's own marks show it.
  public enum Cause: UInt8, CaseIterable, Sendable {
    /// The due date had come, and no mark explains the run.
    case scheduled
    /// A call, tap or push of the last 60 seconds.
    case call, tap, push
    /// None of these: the system, or a view.
    case other
  }

  /// The reason why the app requested a reload.
  public enum CallReason: UInt8, CaseIterable, Sendable {
    case unspecified
    /// The app was opened, or left.
    case opened, closed
    /// Data changed.
    case changed
    /// Background work ended.
    case background
  }

  /// The phone's connection.
  public enum Path: UInt8, CaseIterable, Sendable {
    case unknown, none, wifi, cellular
  }

  /// The number of the record in the ring, counted from 1.
  public var number: UInt32 = 0
  /// The milliseconds since 1970 by the phone's clock at the start.
  public var wall: Int64
  /// The milliseconds since the start of the phone, sleep included, modulo 2^32.
  public var continuous: UInt32 = 0
  /// The hash that differs from one start of the phone to the next; 0 if unknown.
  public var boot: UInt16 = 0
  /// The widget kind by its index in the ring's list; `noKind` for all kinds, or for one beyond the list's end.
  public var kind: UInt8 = ProbeRecord.noKind
  /// The hash of kind, family and configuration, 24 bits, different in each installation; 0 for no widget.
  public var instance: UInt32 = 0
  /// The number of the widget's run, modulo 2^16.
  public var sequence: UInt16 = 0
  /// The milliseconds from the due date to the start, negative if early; `nil` if nothing was due.
  public var lateness: Int32?
  /// The milliseconds from the start to the date requested by the new timeline; `nil` without one.
  public var next: UInt32?
  /// The milliseconds from the start to the end, at most 65 534; `nil` if no end was recorded.
  public var length: UInt16?
  /// The minutes from the time of the shown data to the end, at most 65 534; `nil` if unknown.
  public var dataAge: UInt16?
  public var event: Event = .run
  public var outcome: Outcome = .unfinished
  /// The cause of a run; `other` for other events.
  public var cause: Cause = .other
  /// The reason of the app's call; `unspecified` for other events.
  public var reason: CallReason = .unspecified
  public var phone = PhoneState()

  public init(wall: Int64) { self.wall = wall }

  /// The index that stands for no kind of the list.
  public static let noKind: UInt8 = 255

  /// The milliseconds since 1970 at which it was due; `nil` if nothing was due.
  public var due: Int64? { lateness.map { wall - Int64($0) } }
  /// The milliseconds since 1970 requested by its timeline; `nil` without a date.
  public var nextDue: Int64? { next.map { wall + Int64($0) } }
  /// The milliseconds since 1970 at which it ended; `nil` if no end was recorded.
  public var end: Int64? { length.map { wall + Int64($0) } }
}

/// The phone's state; `nil` for unknown values.
public struct PhoneState: Hashable, Sendable {
  public var isLowPower: Bool?
  public var isCharging: Bool?
  /// Whether files of the protection class `complete` cannot be read.
  public var isLocked: Bool?
  public var path: ProbeRecord.Path = .unknown

  public init() {}
}
