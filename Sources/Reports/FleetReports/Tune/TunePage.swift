import Scenario
import Studies

/// Returns the page of a tuning run (report.html). It shows the result and how to apply it, the settings that meet the
/// goals, and the course of the search.
func tunePage(of report: TuneReport) -> [UInt8] {
  StudyPage(
    kind: "tuning", past: "tuned", name: report.base.name, lead: report.base.description, facts: facts(of: report),
    version: report.provenance.version, basis: report.provenance.basis(seed: report.study.problem.seed),
    strips: [report.answer.strip()],
    sections: [
      foundSection(of: report), takeSection(of: report), regionSection(of: report), pathSection(of: report).folded,
      trialSection(of: report).folded,
    ]
  ).bytes
}

/// Returns the facts on which the result is based, on one line.
private func facts(of report: TuneReport) -> String {
  let problem = report.study.problem
  let goals = problem.goals.isEmpty ? "no goals" : "goals " + problem.goals.map(\.id).joined(separator: ", ")
  return [
    "lowest " + report.objective, goals,
    problem.judging == .nominal ? "judged by the scenario alone" : "judged by the scenario, prompt and lazy",
    "seed \(problem.seed)",
  ].joined(separator: " · ")
}

/// Returns the section on the result.
private func foundSection(of report: TuneReport) -> ReportSection {
  let study = report.study
  let checks = study.final.map { final in
    "The figures are from a check with draws not used in the search (seed \(final.seed), "
      + (final.replications == 1 ? "1 replication" : "\(final.replications) replications") + ")."
  }
  return ReportSection(
    "tune/found",
    answer: checks ?? "Nothing was checked.",
    figures: report.keyTable.markup + (study.final.map { report.goalTable($0).markup } ?? []),
    note: study.problem.judging == .nominal
      ? "Judged by the scenario alone: under prompt or lazy, a goal may be missed."
      : "prompt and lazy use extreme values for what Apple does not document, with one replication each. Margin is "
        + "the smallest distance to the limit, as a share of it; below 0, the goal is missed."
        + sentence(ofLines: report.places)
  ).asking(study.isFeasible ? nil : "What comes closest?")
}

/// Returns the section on how to apply the result; `nil` if nothing was found.
private func takeSection(of report: TuneReport) -> ReportSection? {
  guard report.study.isFeasible else { return nil }
  let options = report.settings.map { "--set " + $0.shellQuoted }.joined(separator: " ")
  let patch = String(decoding: report.patch, as: UTF8.self)
  let files: [Markup] =
    report.tunedText == nil
    ? [.tag("p", ["class": "note"], "The values could not be inserted into the file, so there is no tuned.yaml.")]
    : report.patch.isEmpty
      ? [.tag("p", ["class": "note"], "The scenario already has these values.")]
      : [
        .tag("p", ["class": "note"], "As a patch to the scenario file, for patch -p0 or git apply (tuned.patch):"),
        .code("Patch for the scenario file", patch),
      ]
  return ReportSection(
    "tune/take",
    answer: "Append the options to any command that takes the scenario"
      + (report.tunedText == nil ? "." : ", or use tuned.yaml, which contains the values."),
    figures: [.code("Command-line options", options)] + files)
}

/// Returns the section on settings that meet the goals; `nil` if there are no goals.
private func regionSection(of report: TuneReport) -> ReportSection? {
  let figures = TuneFigures(report: report).regions
  guard !figures.isEmpty else { return nil }
  let tried = report.study.trials.filter { $0.stage == .search }
  let holding = tried.count { $0.passes }
  return ReportSection(
    "tune/region",
    answer: holding == 0
      ? "None of the \(tried.count) settings tried passes every goal."
      : "\(holding) of \(tried.count) settings tried \(holding == 1 ? "passes" : "pass") every goal.",
    figures: figures,
    note: report.study.trials.count { $0.stage == .check } > 1
      ? "An earlier winner failed its check with fresh draws, so the search went on with more headroom." : "")
}

/// Returns the section on the course of the search.
private func pathSection(of report: TuneReport) -> ReportSection {
  let study = report.study
  let checks = study.trials.count { $0.stage == .check }
  return ReportSection(
    "tune/path",
    answer: "The search simulated \(study.settingCount) settings with seed \(study.problem.seed), and "
      + "\(checks == 1 ? "one winner was" : "\(checks) winners were") checked with fresh draws, in \(study.runs) of at "
      + "most \(study.problem.maxRuns) runs.",
    figures: [TuneFigures(report: report).path].compactMap { $0 })
}

/// Returns the section on all settings that were tried.
private func trialSection(of report: TuneReport) -> ReportSection {
  ReportSection(
    "tune/trials",
    answer: "Every search setting and check, in order; runs.csv lists each run.",
    figures: report.trialTable.markup)
}
