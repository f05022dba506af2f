package import Studies

/// The answer of `explain DIR FIGURE`: the parts of a figure, its levers, and whether the goals hold with these.
package struct ExplainedFigure: Sendable {
  package var explanation: FigureExplanation
  /// The run in question.
  package var content: ReportContent
  /// The runs with each of the explanation's levers, judged as `run` judges.
  package var judged: [ReportContent]

  package init(explanation: FigureExplanation, content: ReportContent, judged: [ReportContent]) {
    (self.explanation, self.content, self.judged) = (explanation, content, judged)
  }
}

extension ReportContent {
  /// Returns the first replication of the scenario with a setting that was tried.
  ///
  /// - Parameter summary: its figures with those of the bracket.
  package func changed(_ trial: FigureTrial, _ summary: Summary, _ goals: [GoalResult]) -> ReportContent {
    var content = self
    (content.run, content.summary, content.goals) = (trial.run, summary, goals)
    (content.precision, content.trials) = (nil, StoredTrials())
    return content
  }
}
