package import Scenario

/// The results of additional runs with the same draws, as stored in a run's file.
package struct StoredTrials: Equatable, Sendable {
  /// The counts of each endpoint with outages, simulated without the outages. Empty if there are no outages or if this
  /// simulation was omitted.
  package var withoutOutages: [EndpointTries] = []
  /// The outcomes of the remedies, starting with the most severe finding.
  package var outcomes: [TrialOutcome] = []

  package init(withoutOutages: [EndpointTries] = [], outcomes: [TrialOutcome] = []) {
    self.withoutOutages = withoutOutages
    self.outcomes = outcomes
  }

  /// Returns the outcome of a finding's remedy; `nil` if the remedy was not tried.
  package func outcome(of finding: RunFinding, in scenario: Scenario) -> TrialOutcome? {
    guard let settings = finding.remedy?.text(in: scenario) else { return nil }
    return outcomes.first { $0.topic == finding.topic && $0.settings == settings }
  }
}

extension StoredTrials {
  /// The maximum count per minute, which ensures that the sum over a year fits into 64 bits.
  private static let maxInAMinute: Int64 = 100_000_000_000

  /// Writes or reads the trials.
  ///
  /// - Parameter run: the run stored in the same file.
  package mutating func visit(_ file: inout StoredFields, of run: StoredRun) {
    file.field(&withoutOutages)
    file.check(
      withoutOutages.isEmpty
        || withoutOutages.map(\.endpoint) == run.scenario.endpointsWithOutages(run.eventSpans)
          && withoutOutages.allSatisfy { $0.minutes.count == run.scenario.clock.minutes },
      "outages from another run")
    file.check(
      withoutOutages.lazy.flatMap(\.minutes).flatMap { [$0.first, $0.reloads, $0.retries] }
        .allSatisfy((0..<Self.maxInAMinute).contains), "an impossible count")
    file.field(&outcomes)
  }
}

extension EndpointTries: Stored {
  package static var blank: EndpointTries { EndpointTries(endpoint: 0, minutes: []) }

  package mutating func visit(_ file: inout StoredFields) {
    file.fields(of: &self, \.endpoint, \.minutes)
  }
}

extension TryCounts: Stored {
  package static var blank: TryCounts { TryCounts() }

  package mutating func visit(_ file: inout StoredFields) {
    file.fields(of: &self, \.first, \.reloads, \.retries)
  }
}

extension RunFinding.Topic: Stored {}
extension TrialFigure: Stored {}

extension TrialOutcome: Stored {
  package static var blank: TrialOutcome { TrialOutcome(topic: .blank, settings: "", changes: []) }

  package mutating func visit(_ file: inout StoredFields) {
    file.fields(of: &self, \.topic, \.settings, \.changes)
  }
}

extension TrialOutcome.Change: Stored {
  package static var blank: TrialOutcome.Change { TrialOutcome.Change(figure: .blank, before: nil, after: nil) }

  package mutating func visit(_ file: inout StoredFields) {
    file.fields(of: &self, \.figure, \.before, \.after)
  }
}
