package import Studies

/// The result of `explain DIR FIGURE`: the parts of a figure, its levers, and whether the goals pass with each lever.
package struct ExplainedFigure: Sendable {
  package var explanation: FigureExplanation
  /// The content of the run that is being explained.
  package var content: ReportContent
  /// A trial run for each lever, with the same verdict as the `run` command would give.
  package var judged: [ReportContent]

  /// The values of the figure at both ends of each assumption's range; empty if no assumption has a noticeable effect.
  package var effects: [AssumedEffect] = []

  package init(explanation: FigureExplanation, content: ReportContent, judged: [ReportContent]) {
    (self.explanation, self.content, self.judged) = (explanation, content, judged)
  }

  /// The assumptions that affect the figure, largest effect first.
  var assumed: [AssumedSpan] {
    let own = explanation.subject.screened.flatMap { explanation.subject.figures.figure($0)?.value?.approximate }
    return Array(effects.spans(around: own).filter { $0.high > $0.low }.prefix(AssumedText.maxBars))
  }
}

extension ReportContent {
  /// Returns this report with the results of a trial that simulates the first replication with a changed setting.
  ///
  /// - Parameter summary: the figures of the trial, including those under the presets of the bracket.
  package func changed(_ trial: FigureTrial, _ summary: Summary, _ goals: [GoalResult]) -> ReportContent {
    var content = self
    (content.run, content.summary, content.goals) = (trial.run, summary, goals)
    (content.precision, content.trials) = (nil, StoredTrials())
    return content
  }
}
