import Scenario
import Studies

/// What is said of a study of capacity.
struct CapacityText {
  let study: CapacityStudy

  /// `Plan for 51 000 phones: every goal holds up to 52 300 (95 % interval ...); with more, 'api-peak' fails if ..., and
  /// with more than 61 000 under the scenario's own settings. The scenario has 50 000.`
  func sentence(of answer: CapacityStudy.Answer) -> String {
    let sentence = answer.lever == .devices ? devicesSentence(answer) : capacitySentence(answer)
    return sentence + queue(answer) + own(answer)
  }

  private func devicesSentence(_ answer: CapacityStudy.Answer) -> String {
    let limit = answer.deciding
    switch limit.outcome {
    case .holdsThroughout:
      let most = number(limit.points.last?.load, .devices)
      return "Every goal holds with any number of phones up to \(most), the most that was tried."
    case .missedThroughout:
      let least = limit.points.first.map { number($0.load, .devices) } ?? ""
      return "No number of phones is small enough: with \(least), \(failing(limit.goal))\(missing(answer))."
    case .found:
      return planned(answer, " phones", "Every goal holds")
        + " up to \(number(limit.value, .devices)) phones\(interval(answer)); with more, "
        + "\(failing(limit.goal))\(condition(answer))\(others(answer))."
    }
  }

  private func capacitySentence(_ answer: CapacityStudy.Answer) -> String {
    guard case .capacity(let index) = answer.lever else { return "" }
    let (name, limit) = ("'\(study.scenario.endpoints[index].name)'", answer.deciding)
    switch limit.outcome {
    case .holdsThroughout:
      return
        "\(name) meets every goal down to \(number(limit.points.first?.load, answer.lever)), the least that was tried."
    case .missedThroughout:
      return "No capacity of \(name) is enough: whatever the servers can do, "
        + "\(failing(limit.goal))\(missing(answer))."
    case .found:
      return planned(answer, "", name) + " needs \(number(limit.value, answer.lever))\(interval(answer)); with less, "
        + "\(failing(limit.goal))\(condition(answer))\(others(answer))."
    }
  }

  /// `Plan for 51 000 phones: every goal holds`.
  private func planned(_ answer: CapacityStudy.Answer, _ unit: String, _ subject: String) -> String {
    guard let plan = answer.plan else { return subject }
    return "Plan for \(number(plan, answer.lever))\(unit): " + subject.prefix(1).lowercased() + subject.dropFirst()
  }

  /// `'api-peak' fails`, or what a capacity that nobody accepts to be exceeded says.
  func failing(_ goal: Int?) -> String {
    guard let goal else { return "a goal fails" }
    guard goal >= study.problem.ownGoals else { return "'\(study.goals[goal].id)' fails" }
    let name = study.goals[goal].figure.labels.endpoint
    return study.problem.capacityGoals[goal] == nil
      ? "'\(name)' gets more than its capacity in some step" : "the peak at '\(name)' is above its capacity"
  }

  /// ` if the system is prompt`; nothing where no end of the bracket was simulated.
  private func condition(_ answer: CapacityStudy.Answer) -> String {
    answer.ends.isEmpty ? "" : " " + Self.condition(answer.decidingPreset)
  }

  private static func condition(_ preset: Preset?) -> String {
    preset.map { "if the system is \($0.rawValue)" } ?? "under the scenario's own settings"
  }

  /// `, with more than 61 000 as the scenario has it, and never if the system is lazy`.
  private func others(_ answer: CapacityStudy.Answer) -> String {
    let others = answer.presets.filter { $0 != answer.decidingPreset }
    let isOfPhones = answer.lever == .devices
    let parts = others.map { preset -> String in
      let (limit, condition) = (answer[preset], Self.condition(preset))
      let number = number(limit.value, answer.lever)
      switch limit.outcome {
      case .found: return "with \(isOfPhones ? "more" : "less") than \(number) \(condition)"
      case .holdsThroughout, .missedThroughout: return "never \(condition)"
      }
    }
    return parts.isEmpty ? "" : ", " + parts.joined(separator: parts.count > 1 ? ", and " : "")
  }

  /// ` if the system is prompt; up to 61 000 phones hold as the scenario has it`, of what nothing meets; nothing where that
  /// is so under all that was simulated.
  private func missing(_ answer: CapacityStudy.Answer) -> String {
    let (missed, others) = (
      answer.presets.filter { answer[$0].outcome == .missedThroughout },
      answer.presets.filter { answer[$0].outcome != .missedThroughout }
    )
    guard !others.isEmpty else { return "" }
    let held = others.map { preset -> String in
      let (limit, condition) = (answer[preset], Self.condition(preset))
      guard limit.outcome == .found else { return "any holds \(condition)" }
      let number = number(limit.value, answer.lever)
      return (answer.lever == .devices ? "up to \(number) phones hold " : "\(number) holds ") + condition
    }
    return " " + missed.map(Self.condition).joined(separator: " and ") + "; " + held.joined(separator: ", ")
  }

  private func own(_ answer: CapacityStudy.Answer) -> String {
    guard case .capacity(let index) = answer.lever else {
      return " The scenario has \(NumberText.whole(Double(study.scenario.fleet.devices)))."
    }
    return study.scenario.endpoints[index].capacity.map { " The scenario has \(rate($0))." } ?? ""
  }

  /// How long the queue has to be with the capacity that is planned for, where the file's is too short (WF314).
  func queueNeeded(_ answer: CapacityStudy.Answer) -> Int? {
    guard case .capacity(let endpoint) = answer.lever, let plan = answer.plan else { return nil }
    return study.problem.queueNeeded(endpoint, with: plan)
  }

  private func queue(_ answer: CapacityStudy.Answer) -> String {
    queueNeeded(answer).map { queue in
      " With that its queue has to hold \(NumberText.whole(Double(queue))) requests, what one step serves (WF314); it "
        + "grew with the capacity here."
    } ?? ""
  }

  private func interval(_ answer: CapacityStudy.Answer) -> String {
    let words = intervalWords(answer)
    return words.isEmpty ? "" : " (95 % interval \(words))"
  }

  /// The interval of the limit that decides, in words; empty where there is none.
  func intervalWords(_ answer: CapacityStudy.Answer) -> String {
    guard let interval = answer.deciding.interval else { return "" }
    let (low, high) = (number(interval.low, answer.lever), number(interval.high, answer.lever))
    return low == high ? "" : low + " to " + high
  }

  func value(_ limit: CapacityLimit, _ lever: CapacityLever) -> String {
    switch limit.outcome {
    case .found: number(limit.value, lever)
    case .holdsThroughout: "any"
    case .missedThroughout: "none"
    }
  }

  /// Devices rounded down and capacities rounded up: what is told still holds.
  func number(_ value: Double?, _ lever: CapacityLever) -> String {
    guard let value else { return NumberText.unknown }
    return lever == .devices ? NumberText.whole(CapacityStudy.roundedDown(value)) : rate(CapacityStudy.roundedUp(value))
  }

  func rate(_ value: Double) -> String { NumberText.trimmed(NumberText.text(value)) + "/s" }
}
