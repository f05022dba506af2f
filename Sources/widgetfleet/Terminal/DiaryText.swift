import DeviceModel
import FleetEngine
import Scenario
import SimulationKernel

/// A device's diary as lines: local time, what happened, and why.
struct DiaryText {
  let diary: DeviceDiary
  let engine: Engine

  /// Whose diary it is.
  func heading(device: Int) -> String {
    let widgets = diary.instances.indices.map { name(of: $0) + " (\(diary.instances[$0].family))" }
    return "device \(device) in \(engine.zoneName(of: diary)), local time\n"
      + (widgets.isEmpty ? "no widgets\n" : "widgets: " + widgets.joined(separator: ", ") + "\n")
  }

  /// The whole diary; equal requests of one instant share a line.
  func lines(device: Int) -> String {
    var text = heading(device: device)
    var index = 0
    var date = LocalDay(number: .min)
    while index < diary.entries.count {
      let entry = diary.entries[index]
      let same = diary.entries[index...].prefix { $0 == entry }.count
      let local = engine.localTime(at: entry.at, in: diary)
      if local.day != date { text += "\n\(local.day.text)\n" }
      date = local.day
      text += Self.time(local) + "  " + sentence(entry) + (same > 1 ? " (\(same) times)" : "") + "\n"
      index += same
    }
    return text.printableLines
  }

  // MARK: Sentences

  private func sentence(_ entry: DiaryEntry) -> String {
    switch entry.note {
    case .unlock(let until): "unlocked for \(Self.span(until - entry.at))"
    case .lock: "locked"
    case .network(let isOnWifi, let isOffline): isOffline ? "offline" : isOnWifi ? "on wifi" : "on cellular"
    case .charger(let isPlugged): isPlugged ? "on the charger" : "off the charger"
    case .lowPowerMode(let isOn): "Low Power Mode " + (isOn ? "on" : "off")
    case .placed(let slot): name(of: slot) + ": placed"
    case .view(let slot, let age):
      name(of: slot) + ": looked at, " + (age.map { "data \(Self.span($0)) old" } ?? "nothing to see yet")
    case .request(let slot, let endpoint, let failure, let isRetry):
      (slot.map { name(of: $0) + ": " } ?? "") + request(endpoint, failure, isRetry)
    case .run, .crash, .end, .ticket, .wait: reload(entry)
    }
  }

  private func request(_ endpoint: Int, _ failure: FailureReason?, _ isRetry: Bool) -> String {
    let verb = isRetry ? "retry" : "request"
    let end = failure.map { "fails: \($0.name)" } ?? "is answered"
    return "\(verb) to \(engine.scenario.endpoints[endpoint].name) \(end)"
  }

  private func reload(_ entry: DiaryEntry) -> String {
    switch entry.note {
    case .run(let slot, let cause, let due, let balance):
      let lateness = due.map { ", \(Self.span(entry.at - $0)) after it was due" } ?? ""
      let charge = balance.map { cause.isCharged ? ", balance then \(Self.runs($0))" : ", free" } ?? ""
      return name(of: slot) + ": reload starts (\(cause.name)\(lateness)\(charge))"
    case .crash(let slot): return name(of: slot) + ": the provider crashes"
    case .end(let slot, let outcome): return name(of: slot) + ": reload ends, " + end(outcome, entry.at)
    case .ticket(let slot, let cause, let due, let eligible, let planned):
      return name(of: slot) + ": next reload (\(cause.name)) " + plan(due, eligible, planned, after: entry.at)
    case .wait(let slot, let reason, let until):
      return name(of: slot) + ": withheld, \(Self.words(reason)) " + (until.map { "until \(clock($0))" } ?? "")
    default: return ""
    }
  }

  func end(_ outcome: DiaryOutcome, _ now: Instant) -> String {
    switch outcome {
    case .failed: "failed"
    case .nothing: "nothing to show yet"
    case .data(let since): since == now ? "data of now" : "data of \(clock(since))"
    }
  }

  private func plan(_ due: Instant, _ eligible: Instant, _ planned: Instant?, after now: Instant) -> String {
    let spacing = eligible > due ? ", not before \(clock(eligible)) for the spacing" : ""
    let start = planned.map { $0 > eligible ? ", planned for \(clock($0))" : "" } ?? ", start not yet planned"
    return "due \(clock(due))" + spacing + start
  }

  static func words(_ reason: WaitReason) -> String {
    switch reason {
    case .locked: "locked, until the next unlock"
    case .idle: "the phone lies unused"
    case .lowPower: "Low Power Mode"
    case .budget: "the budget is used up"
    }
  }

  // MARK: Words

  func name(of slot: Int) -> String {
    engine.scenario.kinds[diary.instances[slot].kind].name + "#\(slot)"
  }

  static func runs(_ balance: RunMillionths) -> String {
    let hundredths = balance.count.magnitude / 10_000
    return (balance.count < 0 ? "-" : "") + "\(hundredths / 100).\(two(Int(hundredths % 100)))"
  }

  static func span(_ span: TimeAmount) -> String {
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

  /// `09:30:05.123`.
  static func time(_ local: LocalTime) -> String {
    let milliseconds = Int(local.sinceMidnight.milliseconds)
    let seconds = milliseconds / 1_000
    let fraction = String(1_000 + milliseconds % 1_000).dropFirst()
    return "\(two(seconds / 3_600)):\(two(seconds / 60 % 60)):\(two(seconds % 60)).\(fraction)"
  }

  private static func two(_ value: Int) -> String { (value < 10 ? "0" : "") + String(value) }
}

extension String {
  /// The lines without anything that a terminal would obey.
  var printableLines: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }.joined(separator: "\n")
  }
}
