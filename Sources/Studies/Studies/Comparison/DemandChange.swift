import Scenario

extension Metric {
  /// Whether retried requests increase it.
  var countsTries: Bool { self == .requests || measure == .requestsPerSecond && self != .offeredPeakRPS }
}

extension Summary {
  /// Returns whether limits or outages make the load of one or all endpoints differ from the offered load.
  fileprivate func isLimited(_ figure: FigureName) -> Bool {
    let (endpoint, window) = (figure.labels.endpoint, figure.labels.window)
    return rows.contains { row in
      row.metric == .offeredPeakRPS && row.labels.endpoint == endpoint
        && (window.isEmpty || row.labels.window == window)
        && (row.value == nil || row.value != self.figure(FigureName(.serverPeakRPS, .max, row.labels))?.value)
    }
  }

  /// Returns the offered load for a peak at the servers; `nil` for other figures.
  fileprivate func offered(_ figure: FigureName) -> FigureName? {
    let isPeak = figure.metric == .serverPeakRPS
    // With a CDN or a base load, the phones' peak differs from the servers' peak.
    let isPhones = figure.metric == .peakRPS && row(.serverPeakRPS, .max, figure.labels) == nil
    return isPeak || isPhones ? FigureName(.offeredPeakRPS, .max, figure.labels) : nil
  }
}

extension RunComparison {
  /// Returns the change of the offered load, where a load is compared and one side's figure counts tries
  /// (Docs/STUDIES.md).
  ///
  /// - Returns: `nil` where the figure itself shows the change of demand.
  func demand(of figure: FigureName) -> FigureChange? {
    let (old, new) = (base.summary, new.summary)
    guard old.isLimited(figure) || new.isLimited(figure), let offered = old.offered(figure) else { return nil }
    return FigureChange(offered, old.figure(offered), new.figure(offered))
  }
}

extension ChangeCondition {
  /// Returns the finding of two runs with the same draws, where the figure counts tries that the change does not cause.
  ///
  /// A change of the tries is a change. Without one the offered load decides; where it is unknown, the finding is open.
  package func finding(_ base: Summary, _ new: Summary) -> Finding {
    let own = tried(base, new)
    guard figure.metric.countsTries, base.isLimited(figure) || new.isLimited(figure), own != .holds else { return own }
    guard let offered = base.offered(figure) else {
      guard own == .misses else { return own }
      return .open("requests fail in one of the runs, so the figure includes retries; use offered_peak_rps")
    }
    var condition = self
    condition.figure = offered
    return condition.tried(base, new)
  }
}
