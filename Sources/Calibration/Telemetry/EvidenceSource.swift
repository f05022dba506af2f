/// Where what is known of a key comes from.
package enum EvidenceSource: String, CaseIterable, Sendable {
  /// Access logs of the backend.
  case log
  /// Records of WidgetFleetProbe on testers' phones.
  case telemetry
}

extension TelemetryEvidence {
  /// A log's findings and these: of a key that both tell of, the one that tells more, and of equals the telemetry,
  /// which sees runs and not only the requests of some.
  package func joined(with log: [KeyFinding]) -> [KeyFinding] {
    let own = Dictionary(findings.map { ($0.path, $0) }) { first, _ in first }
    let better = log.map { finding in
      own[finding.path].flatMap { $0.estimate.rank >= finding.estimate.rank ? $0 : nil } ?? finding
    }
    let known = Set(log.map(\.path))
    return better + findings.filter { !known.contains($0.path) }
  }
}

extension Estimate {
  /// How much it tells.
  fileprivate var rank: Int {
    switch verdict {
    case .identified: 3
    case .weakly: 2
    case .oneSided: 1
    case .notFromThisLog: 0
    }
  }
}
