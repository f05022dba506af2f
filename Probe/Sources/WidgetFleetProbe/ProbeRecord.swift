/// One thing that happened on the phone: a run of a widget's timeline provider, or a mark that may explain one.
public struct ProbeRecord: Hashable, Sendable {
  /// What happened.
  public enum Event: UInt8, CaseIterable, Sendable {
    /// WidgetKit asked for a timeline.
    case run
    /// The app asked WidgetKit to reload.
    case call
    /// A button or toggle of a widget was tapped.
    case tap
    /// A push arrived.
    case push
    /// The app came to the foreground, or left it.
    case foreground, background
  }

  /// How a run ended.
  public enum Outcome: UInt8, CaseIterable, Sendable {
    /// It has not ended, or the extension was killed.
    case unfinished
    /// Its data came from the network.
    case network
    /// Its data came from a cache; nothing was sent.
    case cache
    /// Its data did not come.
    case error
  }

  /// Why a run came, as far as the phone's own marks tell.
  public enum Cause: UInt8, CaseIterable, Sendable {
    /// Its due date had come, and nothing else explains it.
    case scheduled
    /// A call, tap or push of the last 60 seconds.
    case call, tap, push
    /// None of these: the system, or somebody who looked.
    case other
  }

  /// Why the app asked for a reload.
  public enum CallReason: UInt8, CaseIterable, Sendable {
    case unspecified
    /// The app was opened, or left.
    case opened, closed
    /// Data changed.
    case changed
    /// Background work ended.
    case background
  }

  /// How the phone is connected.
  public enum Path: UInt8, CaseIterable, Sendable {
    case unknown, none, wifi, cellular
  }

  /// Counts the records of the ring from 1.
  public var number: UInt32 = 0
  /// Milliseconds since 1970 by the phone's clock at the beginning.
  public var wall: Int64
  /// Milliseconds since the phone was started, sleep included, modulo 2^32.
  public var continuous: UInt32 = 0
  /// A hash that differs from one start of the phone to the next; 0: unknown.
  public var boot: UInt16 = 0
  /// The widget kind by its place in the ring's list; `noKind`: all kinds, or one too many to be listed.
  public var kind: UInt8 = ProbeRecord.noKind
  /// A hash of kind, family and configuration, 24 bits, different in each installation; 0: no widget.
  public var instance: UInt32 = 0
  /// Counts the widget's runs, modulo 2^16.
  public var sequence: UInt16 = 0
  /// Milliseconds from the due date to the beginning; negative: it came early; nil: nothing was due.
  public var lateness: Int32?
  /// Milliseconds from the beginning to the date for which the new timeline asks; nil: for none.
  public var next: UInt32?
  /// Milliseconds from the beginning to the end, at most 65 534; nil: no end was seen.
  public var length: UInt16?
  /// Minutes from the time of the shown data to the end, at most 65 534; nil: unknown.
  public var dataAge: UInt16?
  public var event: Event = .run
  public var outcome: Outcome = .unfinished
  /// Why a run came; `other` where it is no run.
  public var cause: Cause = .other
  /// Why the app called; `unspecified` where it is no call.
  public var reason: CallReason = .unspecified
  public var phone = PhoneState()

  public init(wall: Int64) { self.wall = wall }

  /// No kind of the list.
  public static let noKind: UInt8 = 255

  /// Milliseconds since 1970 at which it was due; nil: nothing was due.
  public var due: Int64? { lateness.map { wall - Int64($0) } }
  /// Milliseconds since 1970 for which its timeline asks; nil: for none.
  public var nextDue: Int64? { next.map { wall + Int64($0) } }
  /// Milliseconds since 1970 at which it ended; nil: no end was seen.
  public var end: Int64? { length.map { wall + Int64($0) } }
}

/// What a phone knows of its own state; nil: it does not know.
public struct PhoneState: Hashable, Sendable {
  public var isLowPower: Bool?
  public var isCharging: Bool?
  /// Whether files of the protection class `complete` cannot be read.
  public var isLocked: Bool?
  public var path: ProbeRecord.Path = .unknown

  public init() {}
}
