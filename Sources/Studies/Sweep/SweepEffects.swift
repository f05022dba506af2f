import Scenario

/// What each key of a sweep does to the figures, as a surface that is linear in the keys says it (least squares).
package struct SweepEffects: Sendable {
  /// Why there are none, in a sentence; empty: there are.
  package var note: String
  /// One for each figure of the study that every run of it knows, in their order.
  package var figures: [FigureEffects]

  package init(of study: SweepStudy) {
    let settings = study.runs.map(\.values)
    let model = EffectModel(study.axes, settings)
    let names = study.figures.filter { name in study.runs.allSatisfy { $0.knows(name) } }
    if let fitted = EffectFit(names, model, study)?.effects {
      (note, figures) = ("", fitted)
    } else {
      figures = []
      note =
        "no effects: "
        + (settings.count < model.width
          ? "they take \(model.width) settings, and there are \(settings.count)"
          : "some keys only ever change together with others")
    }
  }
}

extension SweepRun {
  fileprivate func knows(_ name: FigureName) -> Bool {
    guard let row = summary.figure(name) else { return false }
    return row.value != nil && !row.replications.contains(nil)
  }
}
