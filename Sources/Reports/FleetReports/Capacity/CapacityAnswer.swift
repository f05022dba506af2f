import Scenario
package import Studies

/// The answer to a search for the limit of one lever, which is the number of phones or a capacity.
struct CapacityAnswer {
  let study: CapacityStudy
  let found: CapacityStudy.Answer

  private var limit: CapacityLimit { found.deciding }
  private var isOfPhones: Bool { found.lever == .devices }

  /// The endpoint whose capacity is varied; `nil` if the lever is the number of phones.
  private var endpoint: Endpoint? {
    guard case .capacity(let index) = found.lever else { return nil }
    return study.scenario.endpoints[index]
  }

  /// The subject of the plan, such as `phones` or `'api'`.
  private var subject: String { endpoint.map { "'\($0.name)'" } ?? "phones" }

  var answer: Answer {
    let holds = found.ends.isEmpty ? "" : " " + Preset.condition(found.decidingPreset)
    let tried = number((isOfPhones ? limit.points.last : limit.points.first)?.load)
    switch limit.outcome {
    case .found:
      let plan =
        "Plan for \(isOfPhones ? "at most" : "at least") \(number(found.plan ?? limit.value))"
        + (isOfPhones ? " phones" : " at \(subject)")
      let range =
        "The limit is \(number(limit.value))" + (interval.isEmpty ? "" : " (95 % interval \(interval))")
        + (isOfPhones ? ": with more, " : ": with less, ") + study.failing(limit.goal) + holds
      return Answer(word: "FOUND", tone: .good, reasons: [plan, range, others], caveats: [queue, own])
    case .holdsThroughout:
      let reason =
        isOfPhones
        ? "every goal holds with up to \(tried) phones, the maximum tried"
        : "every goal holds even with \(tried) at \(subject), the minimum tried"
      return Answer(word: "HOLDS", tone: .good, reasons: [reason], caveats: [own])
    case .missedThroughout:
      let reason =
        (isOfPhones
          ? "no number of phones is small enough: with \(number(limit.points.first?.load)), "
          : "no capacity of \(subject) is enough: ") + study.failing(limit.goal) + holds
      return Answer(word: "DOES NOT HOLD", tone: .bad, reasons: [reason, fixed, others], caveats: [own])
    }
  }

  /// The hint for a load goal whose limit does not scale with the varied capacity; empty for other goals.
  private var fixed: String {
    guard case .capacity(let endpoint) = found.lever, let index = limit.goal,
      let share = study.problem.percentage(index, of: endpoint)
    else { return "" }
    let goal = study.goals[index]
    return "Its limit '\(goal.text)' does not follow the capacity: write it as a share, such as "
      + "'\(goal.figure.text) \(goal.comparison.rawValue) \(NumberText.fixed(share, decimals: 0))% of capacity'"
  }

  /// The limits that are not decisive, both for the scenario's own settings and for the presets of the bracket.
  private var others: String {
    let others = found.presets.filter { $0 != found.decidingPreset }
    return others.isEmpty
      ? "" : "Other limits: " + others.map { "\(value(found[$0])) \(Preset.condition($0))" }.joined(separator: ", ")
  }

  private var own: String {
    let own = endpoint.map { $0.capacity.map { number($0) } } ?? number(Double(study.scenario.fleet.devices))
    return own.map { "The scenario has \($0)" } ?? ""
  }

  /// The queue length that the planned capacity requires. It is `nil` if the queue in the file is long enough (WF314).
  var queueNeeded: Int? {
    guard case .capacity(let endpoint) = found.lever, let plan = found.plan else { return nil }
    return study.problem.queueNeeded(endpoint, with: plan)
  }

  private var queue: String {
    queueNeeded.map { "Its queue must hold the \(NumberText.whole(Double($0))) requests served per step (WF314)" }
      ?? ""
  }

  /// The interval of the decisive limit; empty if there is none.
  var interval: String {
    guard let interval = limit.interval, number(interval.low) != number(interval.high) else { return "" }
    return interval.words { number($0) }
  }

  func value(_ limit: CapacityLimit) -> String {
    switch limit.outcome {
    case .found: number(limit.value)
    case .holdsThroughout: "any"
    case .missedThroughout: "none"
    }
  }

  /// Returns a number that still meets the goals: a number of phones is rounded down, and a capacity is rounded up.
  func number(_ value: Double?) -> String {
    guard let value else { return NumberText.unknown }
    return isOfPhones
      ? NumberText.whole(CapacityStudy.roundedDown(value))
      : NumberText.trimmed(NumberText.text(CapacityStudy.roundedUp(value))) + "/s"
  }
}

extension CapacityStudy {
  var found: [CapacityAnswer] { answers.map { CapacityAnswer(study: self, found: $0) } }

  /// Returns a phrase such as `'api-peak' fails`. If no goal covers the capacity, the phrase describes the overload.
  func failing(_ goal: Int?) -> String {
    guard let goal else { return "a goal fails" }
    guard goal >= problem.ownGoals else { return "'\(goals[goal].id)' fails" }
    let name = goals[goal].figure.labels.endpoint
    return problem.capacityGoals[goal] == nil
      ? "'\(name)' exceeds its capacity in some step" : "the peak at '\(name)' is above its capacity"
  }

  func outcome(of trial: Trial) -> String {
    let missed = goals.indices.filter { trial.misses[$0] > 0 }.map(failing)
    let again = problem.capacityGoals.filter { goal, endpoint in
      !problem.isShare(goal) && goal < problem.ownGoals && trial.plans[.capacity(endpoint: endpoint)] != nil
    }.keys.sorted().map { "'\(goals[$0].id)'" }
    return "Tried with \(settings(of: trial).map { "--set " + $0 }.joined(separator: " ")): "
      + (missed.isEmpty ? "every goal holds" : missed.joined(separator: ", "))
      + (again.isEmpty ? "" : "; \(again.asList) \(again.count == 1 ? "was" : "were") adjusted to match") + "."
  }

  /// Returns a plan as `--set` arguments.
  func settings(of trial: Trial) -> [String] {
    answers.map(\.lever).flatMap { lever -> [String] in
      guard let value = trial.plans[lever] else { return [] }
      guard case .capacity(let endpoint) = lever else { return ["fleet.devices=\(Int(value))"] }
      let path = "backend.endpoints.\(scenario.endpoints[endpoint].name)"
      let queue = problem.queueNeeded(endpoint, with: value).map { ["\(path).queue=\($0)"] } ?? []
      return ["\(path).capacity=\(SettingNumber.text(value))/s"] + queue
    }
  }

  /// Advice on how to narrow the range of the limit, given if the sample is too small for a decisive figure.
  fileprivate var doubt: String? {
    let goals = Set(answers.map(\.deciding).filter { !$0.isResolved }.compactMap(\.goal)).sorted()
    guard !goals.isEmpty, let devices = answers.map(\.deciding.effort.devices).max() else { return nil }
    let more = min(4 * devices, scenario.fleet.devices)
    return "\(NumberText.whole(Double(devices))) simulated phones are too few to estimate "
      + "\(goals.map { "'\(self.goals[$0].id)'" }.asList) to within 5 %. "
      + (more == scenario.fleet.devices ? "--full simulates all." : "--set run.simulate=\(more) halves the interval.")
  }

  /// Advice on how to reduce the load; `nil` if the servers can serve the phones, or if no capacity is known.
  var instead: String? {
    let phones = answers.first { $0.lever == .devices }
    let fits =
      phones?.deciding.outcome == .holdsThroughout
      || phones?.plan.map { $0 >= Double(scenario.fleet.devices) } ?? false
    guard !fits, answers.contains(where: { $0.lever != .devices }) else { return nil }
    return "To lower the load instead, use 'widgetfleet run', then 'widgetfleet explain Reports/\(scenario.name) peak'."
  }

  private var limits: Table {
    var columns: [Column<CapacityAnswer>] = [
      Column("") { answer in
        guard case .capacity(let index) = answer.found.lever else { return .text("phones, at most") }
        return .text("\(scenario.endpoints[index].name), at least")
      },
      Column(number: "plan for") { .text($0.found.plan.map($0.number) ?? "") },
      Column(number: "limit") { .text($0.value($0.found.deciding)) }, Column("95 % interval") { .text($0.interval) },
      Column(number: "as written") { .text($0.found.ends.isEmpty ? "" : $0.value($0.found.own)) },
    ]
    columns += Bracket.ends.map { preset in
      Column(number: preset.rawValue) { answer in .text(answer.found.ends[preset].map(answer.value) ?? "") }
    }
    columns.append(Column("fails first") { .text($0.found.deciding.goal.map { goals[$0].id } ?? "") })
    return Table("Limits", found, columns)
  }

  /// A table of the goals that must pass, with the reason for each.
  private var conditions: Table {
    Table(
      "Goals", Array(goals.indices),
      [
        Column("goal", key: "id") { .text(goals[$0].id) }, Column(nil, key: "assert") { .text(goals[$0].text) },
        Column("must hold") { index in
          .text(
            problem.capacityGoals[index] == nil || problem.isShare(index)
              ? goals[index].text : "\(goals[index].figure.text) <= capacity")
        },
        Column("because") { .text($0 < problem.ownGoals ? "a goal in the file" : "no goal allows overload") },
        Column(nil, key: "of_file") { .yes($0 < problem.ownGoals) },
      ])
  }

  /// Returns the terminal text: a sentence for each lever, the limits, and the trials.
  ///
  /// - Parameter isAlone: whether to print only the sentences, one per line, for use in scripts.
  package func text(answerOnly isAlone: Bool = false) -> [UInt8] {
    let lines = found.map(\.answer.line)
    if isAlone { return answerOnly(lines) }
    let rest = trials.map(outcome) + [doubt, instead].compactMap { $0 }
    return terminalText([
      folded(scenario.name), (lines + rest).flatMap { folded($0) }, limits.lines, conditions.lines,
    ])
  }

  /// The answers as one JSON document.
  package var document: [UInt8] {
    let plans = trials.map { trial -> JSONValue in
      [
        "settings": settings(of: trial),
        "missed": zip(goals, trial.misses).filter { $0.1 > 0 }.map(\.0.id),
      ]
    }
    let value: JSONValue = [
      "schema": "widgetfleet.capacity/v1", "scenario": scenario.name, "feasible": isFeasible, "goals": conditions.json,
      "answers": found.map(\.json), "plans": plans,
    ]
    return value.bytes(lines: 4)
  }
}

extension CapacityAnswer {
  fileprivate var json: JSONValue {
    let word = { (preset: Preset?) in preset?.rawValue ?? "scenario" }
    let head: JSONValue = [
      "question": isOfPhones ? "most_devices" : "least_capacity", "endpoint": endpoint?.name,
      "unit": isOfPhones ? "devices" : MetricUnit.requestsPerSecond.rawValue,
      "decided_by": word(found.decidingPreset), "plan": found.plan,
    ]
    return head.with(json(of: limit))
      .with(.object(found.presets.map { (key: word($0), value: json(of: found[$0])) }))
      .with(["queue_needed": queueNeeded.map(Double.init), "word": answer.word, "sentence": answer.line])
  }

  private func json(of limit: CapacityLimit) -> JSONValue {
    return [
      "outcome": spelled(limit.outcome), "value": limit.value, "low": limit.interval?.low, "high": limit.interval?.high,
      "resolved": limit.isResolved, "fails_first": limit.goal.map { study.goals[$0].id },
      "devices_simulated": Double(limit.effort.devices), "replications": Double(limit.effort.replications),
      "tried": limit.points.map { ["value": significant($0.load), "holds": $0.holds] as JSONValue },
    ]
  }
}
