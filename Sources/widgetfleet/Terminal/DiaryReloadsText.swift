import DeviceModel
import FleetEngine
import Scenario
import SimulationKernel

/// A device's day in short: what there was of everything, then one line for each reload.
struct DiaryReloadsText {
  private let text: DiaryText
  private let told: DiaryReloads

  init(diary: DeviceDiary, engine: Engine) {
    text = DiaryText(diary: diary, engine: engine)
    told = DiaryReloads(diary, engine: engine)
  }

  func lines(device: Int) -> String {
    var lines = text.heading(device: device) + totals.map { $0 + "\n" }.joined()
    var date = LocalDay(number: .min)
    let names = told.reloads.map { text.name(of: $0.slot) }
    let width = names.map(\.count).max() ?? 0
    for (reload, name) in zip(told.reloads, names) {
      let local = text.engine.localTime(at: reload.at, in: text.diary)
      if local.day != date { lines += "\n\(local.day.text)\n" }
      date = local.day
      let blanks = String(repeating: " ", count: width - name.count + 2)
      lines += DiaryText.time(local) + "  " + name + blanks + sentence(reload) + "\n"
    }
    return lines.printableLines
  }

  // MARK: Totals

  private var totals: [String] {
    let causes = Cause.allCases.map { ($0.name, told.count(of: $0)) }
    let reasons = FailureReason.allCases.map { reason in
      (reason.name, told.reloads.reduce(0) { $0 + $1.failures.count { $0 == reason } })
    }
    let waits = WaitReason.allCases.map { ($0.name, told.waits[$0] ?? 0) }
    return [
      "reloads: \(told.reloads.count)" + Self.parts(causes) + (told.failed > 0 ? "; \(told.failed) failed" : ""),
      "requests: \(told.requests)" + (told.failedRequests > 0 ? ", \(told.failedRequests) failed" : "")
        + Self.parts(reasons),
      "withheld: \(Self.times(waits.reduce(0) { $0 + $1.1 }))" + Self.parts(waits),
      "looks: \(told.views)" + (told.hasLimit ? ", \(told.staleViews) stale" : ""),
    ]
  }

  /// ` (policy 4, tap 2)`; empty without any.
  private static func parts(_ counts: [(name: String, count: Int)]) -> String {
    let known = counts.filter { $0.count > 0 }.map { "\($0.name) \($0.count)" }
    return known.isEmpty ? "" : " (" + known.joined(separator: ", ") + ")"
  }

  private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

  // MARK: A line

  private func sentence(_ reload: DiaryReload) -> String {
    let balance = reload.balance.map { reload.cause.isCharged ? "balance \(DiaryText.runs($0))" : "free" }
    return [reload.cause.name, lateness(reload), requests(reload), end(reload), balance, looks(reload)]
      .compactMap { $0 }.joined(separator: ", ")
  }

  private func lateness(_ reload: DiaryReload) -> String? {
    reload.due.map { due in
      let reasons = reload.withheld.map(\.name).joined(separator: ", ")
      return "\(DiaryText.span(reload.at - due)) late" + (reasons.isEmpty ? "" : " (\(reasons))")
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
    guard let outcome = reload.outcome, let ended = reload.ended else { return "not yet ended" }
    return text.end(outcome, ended)
  }

  private func looks(_ reload: DiaryReload) -> String? {
    guard reload.views > 0 else { return nil }
    return "seen \(Self.times(reload.views))" + (reload.staleViews > 0 ? ", \(reload.staleViews) stale" : "")
  }
}
