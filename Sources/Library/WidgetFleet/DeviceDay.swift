import DeviceModel
public import Scenario
public import SimulationKernel

/// The measured period of one phone.
///
/// ```swift
/// #expect(day.device(7).reloads.allSatisfy { $0.start >= $0.due })
/// ```
public struct DeviceDay: Hashable, Sendable {
  /// The number of the phone.
  public let number: Int
  /// The reloads of all widgets, ordered by start.
  public let reloads: [Reload]
  /// The number of widget views.
  public let views: Int
  /// The number of views that show no data, or data older than the kind's `stale_after`.
  public let staleViews: Int

  init(_ number: Int, _ diary: DeviceDiary, _ scenario: ScenarioValues) {
    self.number = number
    let found = DiaryReloads(diary, in: scenario)
    (views, staleViews) = (found.views, found.staleViews)
    reloads = found.reloads.map { Reload($0, kind: scenario.kinds[diary.instances[$0.slot].kind].name) }
  }
}

/// A reload of a widget: one call of its timeline provider, including its requests.
///
/// ```swift
/// let late = day.device(7).reloads.map { $0.start - $0.due }
/// ```
public struct Reload: Hashable, Sendable {
  /// The number of the widget on the phone.
  public let widget: Int
  /// The name of the widget's kind.
  public let kind: String
  /// The cause.
  public let cause: Cause
  /// The date for which the reload was scheduled; the start time for unscheduled reloads.
  public let due: Instant
  /// The start.
  public let start: Instant
  /// The end; `nil` if the reload is running at the end of the measured period.
  public let end: Instant?
  /// The number of requests that the phone sent.
  public let requests: Int
  /// Whether the reload produced no new timeline because a request failed or the extension crashed.
  public let hasFailed: Bool

  init(_ reload: DiaryReload, kind: String) {
    (widget, self.kind, cause) = (reload.slot, kind, reload.cause)
    (due, start, end) = (reload.due ?? reload.at, reload.at, reload.ended)
    requests = reload.requests
    hasFailed = reload.isCrashed || reload.outcome == .failed
  }
}
