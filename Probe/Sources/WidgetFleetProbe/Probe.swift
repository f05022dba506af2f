import Foundation

/// A recorder of what WidgetKit does with an app's widgets, stored only on the phone.
///
/// A hook takes less than a millisecond, never fails, and does nothing until `use(appGroup:)` has been called.
public enum Probe {
  private static let shared = Shared()

  /// The source of a run's data.
  public enum Source: Sendable {
    case network, cache, error
  }

  // MARK: Setting up

  /// Sets where records are stored; to be called first in the app and in each extension.
  ///
  /// - Parameter appGroup: the group shared by the app and its extensions, such as `group.com.example.weather`.
  public static func use(appGroup: String) {
    #if canImport(Darwin)
      let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: appGroup)
      if let folder { use(folder: folder) } else { shared.set(nil) }
    #endif
  }

  /// Sets where records are stored: a folder shared by the app and its extensions.
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

  /// The reason why the last hook in this process recorded nothing; `nil` if it did record.
  public static var problem: ProbeProblem? { shared.problem }

  // MARK: In the widget's extension

  /// Records that WidgetKit requests a timeline; belongs in the first line of `getTimeline` or `timeline(for:in:)`.
  ///
  /// - Parameters:
  ///   - kind: the widget's kind.
  ///   - family: its size, which together with the configuration identifies a widget of a kind.
  ///   - configuration: the user's choice as a stable text, of which only a hash is stored.
  ///   - due: the date requested by the last timeline; `nil` for the one that was passed to `done`.
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

  /// Records that the app requests a reload; belongs just before `WidgetCenter.reloadTimelines`.
  ///
  /// - Parameter kind: the kind of the timelines; `nil` for all kinds.
  public static func called(_ reason: ProbeRecord.CallReason = .unspecified, kind: String? = nil) {
    note(.call, kind: kind, reason: reason)
  }

  /// Records a tap on a button or toggle; belongs in the first line of an intent's `perform()`.
  public static func tapped(kind: String? = nil) { note(.tap, kind: kind) }

  /// Records that a push arrived.
  public static func pushed(kind: String? = nil) { note(.push, kind: kind) }

  /// Records that the app enters or leaves the foreground.
  public static func foreground() { note(.foreground) }
  public static func background() { note(.background) }

  private static func note(
    _ event: ProbeRecord.Event, kind: String? = nil, reason: ProbeRecord.CallReason = .unspecified
  ) {
    shared.attempt { (recorder) throws(ProbeProblem) in try recorder.note(event, kind: kind, reason: reason) }
  }

  // MARK: Reading

  /// Returns histograms for the most recent whole days, without IDs, to be sent once a day with the app's usual
  /// analytics.
  ///
  /// - Parameter days: the number of UTC days before the current one.
  public static func summary(days: Int = 1) -> ProbeSummary {
    guard let content = shared.attempt({ (recorder) throws(ProbeProblem) in try recorder.content() }) else {
      return ProbeSummary()
    }
    let today = ProbeSummary.day(of: milliseconds(Date()))
    return ProbeSummary(content, days: today - days..<today)
  }

  /// Returns all records as JSON lines, for testers who have given consent; to be called in the app.
  public static func lines() -> String {
    guard let content = shared.attempt({ (recorder) throws(ProbeProblem) in try recorder.content() }) else { return "" }
    return ProbeLines.text(of: content)
  }

  private static func milliseconds(_ date: Date) -> Int64 {
    let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
    // Distant dates, such as `.distantFuture`, mean that there is no date.
    return Int64(exactly: milliseconds) ?? .max
  }

  /// Returns the data recorded at the end of a run; see `ProbeRun.done`.
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
  /// The record; `nil` if the run could not be recorded.
  let record: ProbeRecord?

  /// Records the end of the run; belongs just before the timeline is returned.
  ///
  /// - Parameters:
  ///   - next: the date of the policy `.after`, or the last entry's date for `.atEnd`; `nil` for `.never`.
  ///   - source: the source of the data.
  ///   - dataTime: the time of the data; `nil` if unknown.
  public func done(next: Date?, source: Probe.Source, dataTime: Date? = nil) {
    guard let record else { return }
    Probe.done(record, Probe.ending(next: next, source: source, dataTime: dataTime))
  }

  /// The query parameter that identifies the run and the widget to the backend; `nil` if the run was not recorded.
  ///
  /// Its value is `<kind>.<instance>.<sequence>.<minute due>.<why>`, with 0 for the minute if nothing was due.
  public var queryItem: URLQueryItem? {
    guard let record else { return nil }
    let instance = String(record.instance, radix: 16)
    let due = (record.due ?? 0) / 60_000
    return URLQueryItem(name: "w", value: "\(kind).\(instance).\(record.sequence).\(due).\(record.cause.reason)")
  }
}

extension ProbeRecord.Cause {
  /// The reason as used in the parameter `w`.
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

/// The recorder of this process and its last problem.
///
/// Unchecked Sendable: all access to its state holds its lock; the standard library's mutex requires iOS 18.
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
