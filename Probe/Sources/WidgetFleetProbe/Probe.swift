import Foundation

/// A recorder of WidgetKit's actions on an app's widgets, on the phone alone.
///
/// A hook takes less than a millisecond, never fails, and does nothing until `use(appGroup:)` has been called.
public enum Probe {
  private static let shared = Shared()

  /// The source of a run's data.
  public enum Source: Sendable {
    case network, cache, error
  }

  // MARK: Setting up

  /// Sets the place of the records: call it first, in the app and in each extension.
  ///
  /// - Parameter appGroup: the group that the app and its extensions share, such as `group.com.example.weather`.
  public static func use(appGroup: String) {
    #if canImport(Darwin)
      let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: appGroup)
      if let folder { use(folder: folder) } else { shared.set(nil) }
    #endif
  }

  /// Sets the place of the records: a folder that the app and its extensions share.
  public static func use(folder: URL) {
    let ring = folder.appendingPathComponent("widgetfleet-probe-\(RingContent.version).ring").path
    let lockFile = folder.appendingPathComponent("widgetfleet-probe.lock").path
    #if os(iOS)
      // Widgets run while the phone is locked, but not before the first unlock.
      if !FileManager.default.fileExists(atPath: ring) {
        let protection = FileProtectionType.completeUntilFirstUserAuthentication
        _ = FileManager.default.createFile(atPath: ring, contents: nil, attributes: [.protectionKey: protection])
      }
    #endif
    shared.set(Recorder(file: RingFile(path: ring), phone: { PhoneState.current(lockFile: lockFile) }))
  }

  /// The reason why the last hook of this process recorded nothing; `nil` if it did.
  public static var problem: ProbeProblem? { shared.problem }

  // MARK: In the widget's extension

  /// Records that WidgetKit requests a timeline: the first line of `getTimeline` or `timeline(for:in:)`.
  ///
  /// - Parameters:
  ///   - kind: the widget's kind.
  ///   - family: its size; together with the configuration it identifies a widget of a kind.
  ///   - configuration: the person's choice, as a text that stays the same; only a hash is stored.
  ///   - due: the date requested by the last timeline; `nil` for the one passed to `done` then.
  public static func timeline(
    _ kind: String, _ family: String, configuration: String = "", due: Date? = nil
  ) -> ProbeRun {
    let widget = Recorder.Widget(kind: kind, family: family, configuration: configuration)
    let record = shared.attempt { (recorder) throws(ProbeProblem) in
      try recorder.begin(widget, due: due.map(milliseconds))
    }
    return ProbeRun(kind: kind, record: record)
  }

  static func done(_ record: ProbeRecord, _ ending: Recorder.Ending) {
    shared.attempt { (recorder) throws(ProbeProblem) in try recorder.end(record, ending) }
  }

  // MARK: In the app and in intents

  /// Records that the app requests a reload: just before `WidgetCenter.reloadTimelines`.
  ///
  /// - Parameter kind: the kind of the timelines; `nil` for all.
  public static func called(_ reason: ProbeRecord.CallReason = .unspecified, kind: String? = nil) {
    note(.call, kind: kind, reason: reason)
  }

  /// Records a tap on a button or toggle: the first line of an intent's `perform()`.
  public static func tapped(kind: String? = nil) { note(.tap, kind: kind) }

  /// Records that a push arrived.
  public static func pushed(kind: String? = nil) { note(.push, kind: kind) }

  /// Records that the app comes to the foreground, or leaves it.
  public static func foreground() { note(.foreground) }
  public static func background() { note(.background) }

  private static func note(
    _ event: ProbeRecord.Event, kind: String? = nil, reason: ProbeRecord.CallReason = .unspecified
  ) {
    shared.attempt { (recorder) throws(ProbeProblem) in try recorder.note(event, kind: kind, reason: reason) }
  }

  // MARK: Reading

  /// Returns histograms of the last whole days, without ids, for the app's usual analytics, once a day.
  ///
  /// - Parameter days: the number of days, in UTC, before the present one.
  public static func summary(days: Int = 1) -> ProbeSummary {
    guard let content = shared.attempt({ (recorder) throws(ProbeProblem) in try recorder.content() }) else {
      return ProbeSummary()
    }
    let today = ProbeSummary.day(of: milliseconds(Date()))
    return ProbeSummary(content, days: today - days..<today)
  }

  /// Returns all records as lines of JSON, for testers who have agreed to it, called in the app.
  public static func lines() -> String {
    guard let content = shared.attempt({ (recorder) throws(ProbeProblem) in try recorder.content() }) else { return "" }
    return ProbeLines.text(of: content)
  }

  private static func milliseconds(_ date: Date) -> Int64 {
    let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
    // Far dates, such as `.distantFuture`, stand for none.
    return Int64(exactly: milliseconds) ?? .max
  }

  /// Ends a run; see `ProbeRun.done`.
  static func ending(next: Date?, source: Source, dataTime: Date?) -> Recorder.Ending {
    let outcome: ProbeRecord.Outcome =
      switch source {
      case .network: .network
      case .cache: .cache
      case .error: .error
      }
    return Recorder.Ending(outcome: outcome, next: next.map(milliseconds), dataTime: dataTime.map(milliseconds))
  }
}

/// A run that has started.
public struct ProbeRun: Sendable {
  let kind: String
  /// The record; `nil` if it could not be recorded.
  let record: ProbeRecord?

  /// Records the end of the run: just before the timeline is returned.
  ///
  /// - Parameters:
  ///   - next: the date of the policy `.after`, or the last entry's of `.atEnd`; `nil` for `.never`.
  ///   - source: the source of the data.
  ///   - dataTime: the time of the data; `nil` if unknown.
  public func done(next: Date?, source: Probe.Source, dataTime: Date? = nil) {
    guard let record else { return }
    Probe.done(record, Probe.ending(next: next, source: source, dataTime: dataTime))
  }

  /// The query parameter that identifies the run and the widget for the backend; `nil` if the run was not recorded.
  ///
  /// Its value is `<kind>.<instance>.<sequence>.<minute due>.<why>`, with 0 if nothing was due.
  public var queryItem: URLQueryItem? {
    guard let record else { return nil }
    let instance = String(record.instance, radix: 16)
    let due = (record.due ?? 0) / 60_000
    return URLQueryItem(name: "w", value: "\(kind).\(instance).\(record.sequence).\(due).\(record.cause.reason)")
  }
}

extension ProbeRecord.Cause {
  /// The reason as in the parameter `w`.
  var reason: String {
    switch self {
    case .scheduled: "policy"
    case .call: "call"
    case .tap: "tap"
    case .push: "push"
    case .other: "other"
    }
  }
}

/// The recorder of this process, and its last problem.
///
/// Unchecked: all access to its state holds its lock; the standard library's mutex needs iOS 18.
private final class Shared: @unchecked Sendable {
  private let lock = NSLock()
  private var recorder: Recorder?
  private var last: ProbeProblem? = .noPlace

  var problem: ProbeProblem? { lock.withLock { last } }

  func set(_ new: Recorder?) {
    lock.withLock { (recorder, last) = (new, new == nil ? .noPlace : nil) }
  }

  @discardableResult
  func attempt<Result>(_ body: (Recorder) throws(ProbeProblem) -> Result) -> Result? {
    guard let recorder = lock.withLock({ recorder }) else { return nil }
    do throws(ProbeProblem) {
      let result = try body(recorder)
      lock.withLock { last = nil }
      return result
    } catch {
      lock.withLock { last = error }
      return nil
    }
  }
}
