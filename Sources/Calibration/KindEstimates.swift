package import RequestStatistics

/// What a log says about one kind of widget.
package struct KindEstimates: Sendable {
  /// The interval of `after`, in seconds, without the time a run takes.
  package let interval: Estimate
  /// The interval and the time a run takes: what the gaps show.
  package let cycle: Estimate
  package let edge: HazardEdge?
  package let startDelay: StartDelayEvidence?
  package let hazard: HazardCurve

  package init(_ history: WakeHistory, known: KnownPolicy, resolution: StampResolution) {
    let gaps = Gaps(of: history)
    hazard = HazardCurve(gaps)
    let ages = max(Int(known.minSpacing * Self.earliest), 5)..<HazardCurve.seconds
    edge = EdgeSearch(gaps: gaps, curve: hazard, ages: ages).edge()
    guard let edge else {
      interval = .unknown(.noEdge, count: gaps.all.count)
      cycle = interval
      startDelay = nil
      return
    }
    let freeRate = hazard.rate(Int(edge.place / 2)..<Int(edge.place) - 2)
    let law = ExcessLaw(gaps: gaps, history: history, edge: edge, freeRate: freeRate, known: known)
    guard known.jitter > 0 else {
      let reading = CycleReading(edge: edge, known: known, resolution: resolution)
      (cycle, interval, startDelay) = (reading.cycle, reading.interval, law.evidence())
      return
    }
    let reading = JitteredReading(gaps: gaps, history: history, edge: edge, freeRate: freeRate, known: known)
    (cycle, startDelay) = reading.estimates(law)
    interval = CycleReading(cycle, known: known, resolution: resolution).interval
  }

  /// Scheduled runs keep the least spacing; what is known of it may be a little too long.
  private static let earliest = 0.8
}
