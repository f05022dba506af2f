import Scenario
package import Studies

/// The files in the results folder of a sweep. The manifest is written last, so a folder with a manifest is complete.
package enum SweepFile: String, CaseIterable, Sendable {
  case runs = "runs.csv"
  case settings = "settings.csv"
  case effects = "effects.csv"
  case page = "report.html"
  /// The database of runs, which the run store writes.
  case store = "runs.sqlite"
  case manifest = "manifest.json"

  package var name: String { rawValue }

  /// Returns the content of the file; `nil` for the store, which is written separately.
  package func bytes(of study: SweepStudy, _ effects: SweepEffects, _ manifest: SweepManifest) -> [UInt8]? {
    switch self {
    case .runs: study.runsCSV
    case .settings: study.settingsCSV
    case .effects: study.csv(of: effects)
    case .store: nil
    case .page: sweepPage(of: study, effects, manifest)
    case .manifest: manifest.bytes(of: study)
    }
  }
}

/// The files in the folder of a partial sweep; the manifest is written last. They are the input to a merge and do not
/// include result files.
package enum SweepPartFile: String, CaseIterable, Sendable {
  case store = "runs.sqlite"
  case manifest = "manifest.json"

  package var name: String { rawValue }
}

/// Information about how a sweep was performed, for its manifest.
package struct SweepManifest: Sendable {
  package var provenance: Provenance
  /// The method that combines the values of different keys.
  package var method: String
  package var scenario: String
  package var seed: UInt64

  package init(provenance: Provenance, method: String, scenario: String, seed: UInt64) {
    (self.provenance, self.method, self.scenario, self.seed) = (provenance, method, scenario, seed)
  }

  func bytes(of study: SweepStudy) -> [UInt8] {
    bytes("sweep-v1", study.judging, study.keys, ["settings": study.runs.count], SweepFile.allCases.map(\.name))
  }

  /// Returns the manifest of a partial sweep.
  ///
  /// - Parameters:
  ///   - settings: the number of settings in this part.
  ///   - storeHash: the SHA-256 hash of the store, in hexadecimal.
  package func bytes(
    of part: SweepPart, settings: Int, judging: Judging, keys: [String], storeHash: String
  ) -> [UInt8] {
    bytes(
      "sweep-part-v1", judging, keys,
      ["settings": settings, "part": part.number, "parts": part.count, "runs_sha256": storeHash],
      SweepPartFile.allCases.map(\.name))
  }

  private func bytes(
    _ schema: String, _ judging: Judging, _ keys: [String], _ own: JSONValue, _ files: [String]
  ) -> [UInt8] {
    let identity: JSONValue = ["method": method, "judged_by": judging.rawValue, "keys": keys]
    return manifest(schema, provenance, scenario: scenario, seed: seed, identity.with(own), files: files)
  }
}

/// Returns the name of a figure's column, including the unit.
func column(_ figure: FigureName) -> String { "\(figure.text) [\(figure.unit.rawValue)]" }

extension SweepStudy {
  /// The content of runs.csv. For each setting, there is one row per replication, followed by one row per preset of the
  /// bracket. The values of the keys come first.
  fileprivate var runsCSV: [UInt8] {
    var csv = CSVWriter(header: ["setting"] + keys + ["replication", "preset"] + figures.map(column))
    for (number, run) in runs.enumerated() {
      let rows = figures.map { run.summary.figure($0) }
      for replication in 0..<run.replications {
        csv.row(
          number + 1, run.values.map(\.text), replication + 1, String?.none,
          rows.map { row in row.flatMap { $0.replications[replication] } })
      }
      for preset in Bracket.ends {
        guard let summary = run.bracket.summaries[preset] else { continue }
        csv.row(number + 1, run.values.map(\.text), 1, preset.rawValue, figures.map { summary.figure($0)?.value })
      }
    }
    return csv.bytes
  }

  /// The content of settings.csv, which has one row per setting. It includes the verdicts on the goals and the
  /// intervals of the figures.
  fileprivate var settingsCSV: [UInt8] {
    let verdicts = goals.flatMap { goal in ["", " margin", " worst"].map { "goal " + goal.id + $0 } }
    var csv = CSVWriter(
      header: ["setting"] + keys + (goals.isEmpty ? [] : ["passes"] + verdicts) + ["pareto"]
        + figures.flatMap { figure in ["", " low", " high"].map { column(figure) + $0 } })
    for (number, run) in runs.enumerated() {
      csv.fields(number + 1, run.values.map(\.text))
      if !goals.isEmpty { csv.field(run.passes ? "yes" : "no") }
      for goal in goals {
        let index = run.goals.firstIndex { $0.goal.id == goal.id }
        csv.fields(
          index.map { run.goals[$0].verdict.rawValue } ?? "", index.flatMap { run.margins[$0].miss }.map { 0 - $0 },
          index.map { run.margins[$0].preset?.rawValue ?? "scenario" } ?? "")
      }
      csv.field(run.isOnFront ? "yes" : "no")
      csv.row(
        figures.flatMap { figure -> [Quantity?] in
          let row = run.summary.figure(figure)
          return [row?.value] + [row?.interval?.low, row?.interval?.high].map { end in end.map { .real($0) } }
        })
    }
    return csv.bytes
  }

  /// Returns the content of effects.csv, which has one row per figure and term.
  fileprivate func csv(of effects: SweepEffects) -> [UInt8] {
    var csv = CSVWriter(header: ["figure", "term", "effect", "low", "high", "unit"])
    for figure in effects.figures {
      for effect in figure.effects {
        let term = axes[effect.axis].path + (effect.level.map { "=" + $0 } ?? "")
        csv.row(
          figure.figure.text, term, effect.value, effect.interval?.low, effect.interval?.high,
          figure.figure.unit.rawValue)
      }
    }
    return csv.bytes
  }

  /// Returns the terminal text: one line per setting, followed by the answer. Unbeaten settings are marked.
  ///
  /// - Parameter isAlone: whether to omit the table, for use in scripts.
  package func text(answerOnly isAlone: Bool = false) -> [UInt8] {
    let answer = SweepAnswer(self).answer.line
    if isAlone { return answerOnly([answer]) }
    let ofGoals = figures.filter { figure in
      goals.contains { $0.figure == figure || offered($0.figure) == figure }
    }
    let shown = ofGoals.isEmpty ? Array(figures.prefix(max(4, objectives.count))) : ofGoals
    let compared = objectives.map { ($0.direction == .minimum ? "" : "high ") + $0.figure.text }
    let judged = presets.map(\.rawValue).asList
    let remarks =
      placeLines(of: shown) + (compared.isEmpty ? [] : ["* not beaten in " + listed(compared)])
      + GoalText.markLines(self, shown) + (judged.isEmpty ? [] : ["Judged by the scenario and under \(judged)."])
    return terminalText([
      SettingTable(study: self, figures: shown).lines + remarks.flatMap { folded($0) }, folded(answer),
    ])
  }

  /// Returns the sweep as one JSON document.
  package func document(version: String) -> [UInt8] {
    let settings = runs.map { run -> JSONValue in
      [
        "values": JSONValue.object(zip(keys, run.values).map { (key: $0, value: .string($1.text)) }),
        "passes": goals.isEmpty ? nil : run.passes, "pareto": run.isOnFront,
        "goals": JSONValue.object(run.goals.map { (key: $0.goal.id, value: .string($0.verdict.rawValue)) }),
        "margins": JSONValue.object(
          zip(run.goals, run.margins).map { goal, margin in
            let worst = margin.preset?.rawValue ?? "scenario"
            return (key: goal.goal.id, value: ["share": margin.miss.map { 0 - $0 }, "worst": worst])
          }),
        "figures": figures.map { figure -> JSONValue in
          let row = run.summary.figure(figure)
          return [
            "figure": figure.text, "unit": figure.unit.rawValue, "value": row?.value, "low": row?.interval?.low,
            "high": row?.interval?.high, "per_replication": row?.replications ?? [],
          ]
        },
      ]
    }
    let objectives = objectives.map { objective -> JSONValue in
      [
        "figure": objective.figure.text, "unit": objective.figure.unit.rawValue, "better": objective.direction.rawValue,
      ]
    }
    let value: JSONValue = [
      "schema": "widgetfleet.sweep/v1", "version": version, "judged_by": judging.rawValue,
      "answer": SweepAnswer(self).answer.json, "objectives": objectives, "settings": settings,
    ]
    return value.bytes(lines: 4)
  }
}
