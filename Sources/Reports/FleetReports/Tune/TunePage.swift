import Scenario
import Studies

/// Returns the report.html of a tuning: the result and how to use it, the settings that hold, and the progress of the
/// search.
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

/// Returns the task, in one line.
private func facts(of report: TuneReport) -> String {
  let problem = report.study.problem
  let goals = problem.goals.isEmpty ? "no goals" : "goals " + problem.goals.map(\.id).joined(separator: ", ")
  return [
    "least " + report.objective, goals,
    problem.judging == .nominal ? "judged by the scenario alone" : "judged by the scenario, prompt and lazy",
    "seed \(problem.seed)",
  ].joined(separator: " · ")
}

/// Returns the section on the result.
private func foundSection(of report: TuneReport) -> ReportSection {
  let study = report.study
  let checks = study.final.map { final in
    "The figures are those of a check with draws that had no part in the choice (seed \(final.seed), "
      + (final.replications == 1 ? "1 replication" : "\(final.replications) replications") + ")."
  }
  return ReportSection(
    "tune/found",
    answer: checks ?? "Nothing was checked.",
    figures: report.keyTable.markup + (study.final.map { report.goalTable($0).markup } ?? []),
    note: study.problem.judging == .nominal
      ? "Judged by the scenario alone: under prompt or lazy a goal may be missed."
      : "prompt and lazy: the extremes of what Apple does not document, one replication each. Room: what "
        + "is left to the limit, as a share of it, where it is least; below 0 the goal is missed."
        + sentence(ofLines: report.places)
  ).asking(study.isFeasible ? nil : "What comes nearest?")
}

/// Returns the section on how to use the result; `nil` if nothing was found.
private func takeSection(of report: TuneReport) -> ReportSection? {
  guard report.study.isFeasible else { return nil }
  let options = report.settings.map { "--set " + $0.shellQuoted }.joined(separator: " ")
  let patch = String(decoding: report.patch, as: UTF8.self)
  let files: [Markup] =
    report.tunedText == nil
    ? [.tag("p", ["class": "note"], "The file does not take the values where they belong, so there is no tuned.yaml.")]
    : report.patch.isEmpty
      ? [.tag("p", ["class": "note"], "The scenario has these values already.")]
      : [
        .tag("p", ["class": "note"], "As a patch of the scenario file, for patch -p0 or git apply (tuned.patch):"),
        .code("Patch of the scenario file", patch),
      ]
  return ReportSection(
    "tune/take",
    answer: "Paste the options behind any command that takes the scenario"
      + (report.tunedText == nil ? "." : ", or take tuned.yaml, the file with the values in it."),
    figures: [.code("Options of the command line", options)] + files)
}

/// Returns the section on settings that hold; `nil` without goals.
private func regionSection(of report: TuneReport) -> ReportSection? {
  let figures = TuneFigures(report: report).regions
  guard !figures.isEmpty else { return nil }
  let tried = report.study.trials.filter { $0.stage == .search }
  let holding = tried.count { $0.passes }
  return ReportSection(
    "tune/region",
    answer: holding == 0
      ? "None of \(tried.count) settings that were tried passes every goal."
      : "Of \(tried.count) settings that were tried \(holding) \(holding == 1 ? "passes" : "pass") every goal.",
    figures: figures,
    note: report.study.trials.count { $0.stage == .check } > 1
      ? "An earlier winner failed its check with fresh draws, so the search went on with more headroom." : "")
}

/// Returns the section on the progress of the search.
private func pathSection(of report: TuneReport) -> ReportSection {
  let study = report.study
  let checks = study.trials.count { $0.stage == .check }
  return ReportSection(
    "tune/path",
    answer: "The search simulated \(study.settingCount) settings with seed \(study.problem.seed), and "
      + "\(checks == 1 ? "one winner was" : "\(checks) winners were") checked with fresh draws: \(study.runs) of at most "
      + "\(study.problem.mostRuns) runs.",
    figures: [TuneFigures(report: report).path].compactMap { $0 })
}

/// Returns the section on all settings tried.
private func trialSection(of report: TuneReport) -> ReportSection {
  ReportSection(
    "tune/trials",
    answer: "Every setting of the search and every check, in their order; runs.csv has each of their runs.",
    figures: report.trialTable.markup)
}
