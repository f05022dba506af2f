import Scenario

extension Metric {
  /// Whether requests that are sent again make it larger.
  var countsTries: Bool { self == .requests || measure == .requestsPerSecond && self != .offeredPeakRPS }
}

extension Summary {
  /// Whether limits or outages make the load of an endpoint, or of all, another than what is offered.
  fileprivate func isLimited(_ figure: FigureName) -> Bool {
    let (endpoint, window) = (figure.labels.endpoint, figure.labels.window)
    return rows.contains { row in
      row.metric == .offeredPeakRPS && row.labels.endpoint == endpoint
        && (window.isEmpty || row.labels.window == window)
        && (row.value == nil || row.value != self.figure(FigureName(.serverPeakRPS, .max, row.labels))?.value)
    }
  }

  /// What is offered in place of a peak at the servers; nil for other figures.
  fileprivate func offered(_ figure: FigureName) -> FigureName? {
    let isPeak = figure.metric == .serverPeakRPS
    // With a CDN or a base load the phones' peak is not the servers'.
    let isPhones = figure.metric == .peakRPS && row(.serverPeakRPS, .max, figure.labels) == nil
    return isPeak || isPhones ? FigureName(.offeredPeakRPS, .max, figure.labels) : nil
  }
}

extension RunComparison {
  /// How the offered load changes, where a load is compared and one side's counts tries (Docs/STUDIES.md).
  ///
  /// - Returns: nil where the figure itself tells what the change asks for.
  func demand(of figure: FigureName) -> FigureChange? {
    let (old, new) = (base.summary, new.summary)
    guard old.isLimited(figure) || new.isLimited(figure), let offered = old.offered(figure) else { return nil }
    return FigureChange(offered, old.figure(offered), new.figure(offered))
  }
}

extension ChangeCondition {
  /// What two runs with the same draws say of it, where the figure counts tries that the change does not ask for.
  ///
  /// A change of the tries is a change. Without one what is offered decides; where that is no figure nobody can tell.
  package func finding(_ base: Summary, _ new: Summary) -> Finding {
    let own = tried(base, new)
    guard figure.metric.countsTries, base.isLimited(figure) || new.isLimited(figure), own != .holds else { return own }
    guard let offered = base.offered(figure) else {
      guard own == .misses else { return own }
      return .open("requests fail in one of the runs, so the figure counts tries; use offered_peak_rps")
    }
    var condition = self
    condition.figure = offered
    return condition.tried(base, new)
  }
}
