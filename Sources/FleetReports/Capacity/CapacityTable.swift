import Scenario
package import Studies

/// The answers of `capacity` as text for a terminal: a sentence for each, then what was found, and what was tried.
///
/// - Parameter answerAlone: for scripts: the sentences alone, a line each.
package func capacityTable(of study: CapacityStudy, answerAlone isAlone: Bool = false) -> [UInt8] {
  let text = CapacityText(study: study)
  if isAlone { return answerAlone(study.answers.map(text.sentence)) }
  let sentences = study.answers.flatMap { folded(text.sentence(of: $0)) }
  let rest = (study.trials.map(text.outcome) + [text.doubt, text.instead].compactMap { $0 }).flatMap { folded($0) }
  let lines = folded(study.scenario.name) + [""] + sentences + rest + [""] + text.lines + [""] + text.goalLines
  return Array((lines.joined(separator: "\n") + "\n").utf8)
}

extension CapacityText {
  /// What became of a plan.
  func outcome(of trial: CapacityStudy.Trial) -> String {
    let missed = study.goals.indices.filter { trial.misses[$0] > 0 }.map(failing)
    let again = study.problem.capacityGoals.filter { goal, endpoint in
      goal < study.problem.ownGoals && trial.plans[.capacity(endpoint: endpoint)] != nil
    }.keys.sorted().map { "'\(study.goals[$0].id)'" }
    return "Tried with \(settings(of: trial).map { "--set " + $0 }.joined(separator: " ")): "
      + (missed.isEmpty ? "every goal holds" : missed.joined(separator: ", "))
      + (again.isEmpty ? "" : ", \(again.joined(separator: " and ")) changed with it") + "."
  }

  /// A plan as `--set` takes it.
  func settings(of trial: CapacityStudy.Trial) -> [String] {
    study.answers.map(\.lever).flatMap { lever -> [String] in
      guard let value = trial.plans[lever] else { return [] }
      guard case .capacity(let endpoint) = lever else { return ["fleet.devices=\(Int(value))"] }
      let path = "backend.endpoints.\(study.scenario.endpoints[endpoint].name)"
      let queue = study.problem.queueNeeded(endpoint, with: value).map { ["\(path).queue=\($0)"] } ?? []
      return ["\(path).capacity=\(SettingNumber.text(value))/s"] + queue
    }
  }

  /// How to know it better, where a sample hardly knows a figure that decides.
  var doubt: String? {
    let goals = Set(study.answers.map(\.deciding).filter { !$0.isResolved }.compactMap(\.goal)).sorted()
    let efforts = study.answers.map(\.deciding.effort.devices)
    guard !goals.isEmpty, let devices = efforts.max() else { return nil }
    let more = min(4 * devices, study.scenario.fleet.devices)
    let names = goals.map { "'\(study.goals[$0].id)'" }.joined(separator: " and ")
    return "With \(NumberText.whole(Double(devices))) phones simulated the figure of \(names) is not known within 5 %. "
      + (more == study.scenario.fleet.devices
        ? "--full simulates all." : "--set run.simulate=\(more) about halves the interval.")
  }

  /// Where to look for another way than fewer phones or more capacity; nil where the phones fit, or no capacity is known.
  var instead: String? {
    let phones = study.answers.first { $0.lever == .devices }
    let fits =
      phones?.deciding.outcome == .holdsThroughout
      || phones?.plan.map { $0 >= Double(study.scenario.fleet.devices) } ?? false
    guard !fits, study.answers.contains(where: { $0.lever != .devices }) else { return nil }
    let folder = "Reports/\(study.scenario.name)"
    return
      "To lower the load instead: 'widgetfleet run' writes \(folder), and 'widgetfleet explain \(folder) peak' tries "
      + "what would."
  }

  /// A row for each lever; ends of the bracket that make no difference have no column.
  var lines: [String] {
    let presets = Bracket.ends.filter { preset in study.answers.contains { $0.ends[preset] != nil } }
    let rows = study.answers.map { answer in
      [
        name(answer.lever), answer.plan.map { number($0, answer.lever) } ?? "", value(answer.deciding, answer.lever),
        intervalWords(answer),
      ]
        + (presets.isEmpty ? [] : [value(answer.own, answer.lever)])
        + presets.map { preset in answer.ends[preset].map { value($0, answer.lever) } ?? "" }
        + [answer.deciding.goal.map { study.goals[$0].id } ?? ""]
    }
    let columns = presets.isEmpty ? [] : ["as it stands"] + presets.map(\.rawValue)
    return alignedLines(
      [["", "plan for", "limit", "95 % interval"] + columns + ["fails first"]] + rows,
      numberColumns: Set([1, 2] + columns.indices.map { 4 + $0 }))
  }

  private func name(_ lever: CapacityLever) -> String {
    switch lever {
    case .devices: "phones, at most"
    case .capacity(let endpoint): "\(study.scenario.endpoints[endpoint].name), at least"
    }
  }

  /// What has to hold, and who says so.
  var goalLines: [String] {
    let rows = study.goals.indices.map { index in
      let goal = study.goals[index]
      let isCapacity = study.problem.capacityGoals[index] != nil
      return [
        goal.id, isCapacity ? "\(goal.figure.text) <= capacity" : goal.text,
        index < study.problem.ownGoals ? "a goal of the file" : "no goal accepts overload",
      ]
    }
    return alignedLines([["goal", "has to hold", "because"]] + rows, numberColumns: [])
  }
}
