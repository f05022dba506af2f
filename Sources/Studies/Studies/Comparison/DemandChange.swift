import Scenario

extension Metric {
  /// Whether retries increase the metric.
  var countsTries: Bool { self == .requests || measure == .requestsPerSecond && self != .offeredPeakRPS }
}

extension Summary {
  /// Returns whether limits or outages make the load at an endpoint, or at all endpoints, differ from the offered load.
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
  /// Returns the change in offered load if the figure is a load that counts retries in either run (Docs/STUDIES.md).
  ///
  /// - Returns: `nil` if the figure itself shows the change in demand.
  func demand(of figure: FigureName) -> FigureChange? {
    let (old, new) = (base.summary, new.summary)
    guard old.isLimited(figure) || new.isLimited(figure), let offered = old.offered(figure) else { return nil }
    return FigureChange(offered, old.figure(offered), new.figure(offered))
  }
}

extension ChangeCondition {
  /// Returns the finding for two runs with the same random draws, excluding the effect of retries that the figure
  /// counts.
  ///
  /// If the figure itself changed, it determines the finding. Otherwise, the offered load determines the finding. If
  /// the offered load is unknown, the finding is open.
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
