package import Scenario

/// One of the two runs in a comparison, with its figures and their source.
package struct ComparedRun: Sendable {
  /// The name given by the user: a results directory or a scenario file.
  package var name: String
  /// The version of the program that simulated the run.
  package var version: String
  /// The scenario with all defaults filled in, and the same scenario as text.
  package var scenario: Scenario
  package var resolvedScenario: String
  package var devicesSimulated: Int
  package var summary: Summary
  package var distributions: Distributions
  /// The run's load series; `nil` for a simulated run without a report page.
  package var load: StoredRun?

  package init(
    name: String, version: String, scenario: Scenario, resolvedScenario: String, devicesSimulated: Int,
    summary: Summary, distributions: Distributions, load: StoredRun? = nil
  ) {
    self.name = name
    self.version = version
    self.scenario = scenario
    self.resolvedScenario = resolvedScenario
    self.devicesSimulated = devicesSimulated
    self.summary = summary
    self.distributions = distributions
    self.load = load
  }

  /// Returns whether different numbers of devices are the only reason why the runs cannot be paired.
  package func differsOnlyInSample(from base: ComparedRun) -> Bool {
    var same = self
    same.devicesSimulated = base.devicesSimulated
    return devicesSimulated != base.devicesSimulated && same.obstacles(to: base).isEmpty
  }

  /// Returns the reasons why this run's replications cannot be paired with those of a base, each as a phrase; empty if
  /// they can be paired.
  ///
  /// Paired replications simulate the same phones with the same random draws over the same days. Therefore, only
  /// differences between the scenarios affect the results. Habits, networks, widgets and policies may differ.
  package func obstacles(to base: ComparedRun) -> [String] {
    let (old, new) = (base.scenario, scenario)
    let phones = { (scenario: Scenario) in scenario.fleet.cohorts.map { [$0.zones, $0.phones] } }
    let cohorts = { (scenario: Scenario) in scenario.fleet.cohorts.map { Weighted($0.name, weight: $0.share.fraction) }
    }
    let checks: [(Bool, String)] = [
      (version == base.version, "version \(version) of widgetfleet instead of \(base.version)"),
      (new.run.seed == old.run.seed, "seed \(new.run.seed) instead of \(old.run.seed)"),
      (
        new.run.replications == old.run.replications,
        "\(new.run.replications) replication\(new.run.replications == 1 ? "" : "s") instead of \(old.run.replications)"
      ),
      (new.clock == old.clock, "another clock (start, settle, warmup, duration or step)"),
      (
        new.fleet.devices == old.fleet.devices,
        "a fleet of \(new.fleet.devices) devices instead of \(old.fleet.devices)"
      ),
      (
        devicesSimulated == base.devicesSimulated || new.fleet.devices != old.fleet.devices,
        "\(devicesSimulated) devices simulated instead of \(base.devicesSimulated)"
      ),
      (cohorts(new) == cohorts(old), "other cohorts or cohort shares"),
      (cohorts(new) != cohorts(old) || phones(new) == phones(old), "other zones or phones in its cohorts"),
    ]
    return checks.filter { !$0.0 }.map(\.1)
  }
}
