import Scenario

/// What each key of a sweep does to the figures, as a surface that is linear in the keys says it (least squares).
package struct SweepEffects: Sendable {
  /// Which terms the settings let tell apart.
  package enum Model: String, Sendable {
    /// The keys and their products by two.
    case interactions
    /// The keys alone.
    case main
    /// Nothing: some key only ever changes together with others.
    case none
  }

  package var model: Model
  /// Why terms were left out, in a sentence; empty: none were.
  package var note: String
  /// One for each figure of the study that every run of it knows, in their order.
  package var figures: [FigureEffects]

  package init(of study: SweepStudy) {
    let settings = study.runs.map(\.values)
    let main = EffectModel(study.axes, settings, hasInteractions: false)
    let full = EffectModel(study.axes, settings, hasInteractions: true)
    let names = study.figures.filter { name in study.runs.allSatisfy { $0.knows(name) } }
    if let fitted = EffectFit(names, full, study)?.effects {
      (model, note, figures) = (full.terms.count > main.terms.count ? .interactions : .main, "", fitted)
    } else if let fitted = EffectFit(names, main, study)?.effects {
      (model, figures) = (.main, fitted)
      let reason = Self.lack(settings.count, full.width) ?? "the settings cannot tell them apart"
      note = "interactions are left out: " + reason
    } else {
      (model, figures) = (.none, [])
      let reason = Self.lack(settings.count, main.width) ?? "some keys only ever change together with others"
      note = "no effects: " + reason
    }
  }

  /// nil: there are as many settings as a model takes.
  private static func lack(_ count: Int, _ width: Int) -> String? {
    count < width ? "they take \(width) settings, and there are \(count)" : nil
  }
}

extension SweepRun {
  fileprivate func knows(_ name: FigureName) -> Bool {
    guard let row = summary.figure(name) else { return false }
    return row.value != nil && !row.replications.contains(nil)
  }
}
