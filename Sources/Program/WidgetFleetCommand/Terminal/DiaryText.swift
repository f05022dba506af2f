import DeviceModel
import FleetEngine
import Scenario
import SimulationKernel

/// A summary of a device's day: the totals, followed by one line per reload.
struct DiaryText {
  private let diary: DeviceDiary
  private let engine: Engine
  private let summary: DiaryReloads

  init(diary: DeviceDiary, engine: Engine) {
    (self.diary, self.engine) = (diary, engine)
    summary = DiaryReloads(diary, in: engine.scenario)
  }

  func lines(device: Int) -> String {
    var lines = heading(device: device) + totals.map { $0 + "\n" }.joined()
    var date = LocalDay(number: .min)
    let names = summary.reloads.map { name(of: $0.slot) }
    let width = names.map(\.count).max() ?? 0
    for (reload, name) in zip(summary.reloads, names) {
      let local = engine.localTime(at: reload.at, in: diary)
      if local.day != date { lines += "\n\(local.day.text)\n" }
      date = local.day
      let blanks = String(repeating: " ", count: width - name.count + 2)
      lines += Self.time(local) + "  " + name + blanks + sentence(reload) + "\n"
    }
    return lines.printableLines
  }

  /// Returns the heading of the summary, which identifies the device.
  private func heading(device: Int) -> String {
    let widgets = diary.instances.indices.map { name(of: $0) + " (\(diary.instances[$0].family))" }
    return "device \(device) in \(engine.zoneName(of: diary)), local time\n"
      + (widgets.isEmpty ? "no widgets\n" : "widgets: " + widgets.joined(separator: ", ") + "\n")
  }

  // MARK: Totals

  private var totals: [String] {
    let causes = Cause.allCases.map { ($0.name, summary.count(of: $0)) }
    let reasons = FailureReason.allCases.map { reason in
      (reason.name, summary.reloads.reduce(0) { $0 + $1.failures.count { $0 == reason } })
    }
    let waits = WaitReason.allCases.map { ($0.name, summary.waits[$0] ?? 0) }
    return [
      "reloads: \(summary.reloads.count)" + Self.parts(causes)
        + (summary.failed > 0 ? "; \(summary.failed) failed" : ""),
      "requests: \(summary.requests)" + (summary.failedRequests > 0 ? ", \(summary.failedRequests) failed" : "")
        + Self.parts(reasons),
      "withheld: \(Self.times(waits.reduce(0) { $0 + $1.1 }))" + Self.parts(waits),
      "views: \(summary.views)" + (summary.hasLimit ? ", \(summary.staleViews) stale" : ""),
    ]
  }

  /// Formats a list of counts, such as ` (policy 4, tap 2)`; empty if there are none.
  private static func parts(_ counts: [(name: String, count: Int)]) -> String {
    let known = counts.filter { $0.count > 0 }.map { "\($0.name) \($0.count)" }
    return known.isEmpty ? "" : " (" + known.joined(separator: ", ") + ")"
  }

  private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

  // MARK: A line

  private func sentence(_ reload: DiaryReload) -> String {
    let balance = reload.balance.map { reload.cause.isCharged ? "balance \(Self.runs($0))" : "free" }
    return [reload.cause.name, lateness(reload), requests(reload), end(reload), balance, looks(reload)]
      .compactMap { $0 }.joined(separator: ", ")
  }

  private func lateness(_ reload: DiaryReload) -> String? {
    reload.due.map { due in
      let reasons = reload.withheld.map(\.name).joined(separator: ", ")
      let call = reload.cause == .background ? "called at \(clock(due)), " : ""
      return call + "\(Self.span(reload.at - due)) late" + (reasons.isEmpty ? "" : " (\(reasons))")
    }
  }

  private func requests(_ reload: DiaryReload) -> String {
    let failed = reload.failures.filter { $0 != .offline }
    let reasons = FailureReason.allCases.filter(failed.contains).map(\.name).joined(separator: ", ")
    let unsent = reload.failures.count - failed.count
    let words =
      switch (reload.requests, unsent) {
      case (0, 0): "no request"
      case (0, _): "no network"
      case (1, _): "1 request"
      default: "\(reload.requests) requests"
      }
    return words + (failed.isEmpty ? "" : ", \(failed.count) failed (\(reasons))")
      + (reload.requests > 0 && unsent > 0 ? ", \(unsent) not sent (offline)" : "")
  }

  private func end(_ reload: DiaryReload) -> String {
    if reload.isCrashed { return "the provider crashes" }
    guard let outcome = reload.outcome, let ended = reload.ended else { return "not finished" }
    return end(outcome, ended)
  }

  private func looks(_ reload: DiaryReload) -> String? {
    guard reload.views > 0 else { return nil }
    return "seen \(Self.times(reload.views))" + (reload.staleViews > 0 ? ", \(reload.staleViews) stale" : "")
  }

  private func end(_ outcome: DiaryOutcome, _ now: Instant) -> String {
    switch outcome {
    case .failed: "failed"
    case .nothing: "nothing to show yet"
    case .data(let since): since == now ? "data from now" : "data from \(clock(since))"
    }
  }

  // MARK: Words

  private func name(of slot: Int) -> String {
    engine.scenario.kinds[diary.instances[slot].kind].name + "#\(slot)"
  }

  private static func runs(_ balance: RunMillionths) -> String {
    let hundredths = balance.count.magnitude / 10_000
    return (balance.count < 0 ? "-" : "") + "\(hundredths / 100).\(two(Int(hundredths % 100)))"
  }

  private static func span(_ span: TimeAmount) -> String {
    let (hours, rest) = span.milliseconds.quotientAndRemainder(dividingBy: 3_600_000)
    let (minutes, milliseconds) = rest.quotientAndRemainder(dividingBy: 60_000)
    if hours > 0 { return "\(hours) h \(minutes) min" }
    if minutes > 0 { return "\(minutes) min \(milliseconds / 1_000) s" }
    if milliseconds < 1_000 { return "\(milliseconds) ms" }
    let tenths = milliseconds / 100
    return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
  }

  private func clock(_ instant: Instant) -> String {
    let local = engine.localTime(at: instant, in: diary)
    return Self.time(local)
  }

  /// Formats a local time with milliseconds, such as `09:30:05.123`.
  static func time(_ local: LocalTime) -> String {
    let milliseconds = Int(local.sinceMidnight.milliseconds)
    let seconds = milliseconds / 1_000
    let fraction = String(1_000 + milliseconds % 1_000).dropFirst()
    return "\(two(seconds / 3_600)):\(two(seconds / 60 % 60)):\(two(seconds % 60)).\(fraction)"
  }

  private static func two(_ value: Int) -> String { (value < 10 ? "0" : "") + String(value) }
}

extension String {
  /// The lines without terminal control sequences.
  var printableLines: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }.joined(separator: "\n")
  }
}
