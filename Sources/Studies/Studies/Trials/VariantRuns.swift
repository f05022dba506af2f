package import FleetEngine
package import Scenario

/// Simulates scenarios that differ in little from one that is prepared: one replication each, with its seed, so that
/// they meet the people, networks and draws of its first replication.
package struct VariantRuns: Sendable {
  /// The scenario itself prepared: most tables of the others are the same.
  private let engine: Engine
  private let zones: [String: ZoneTable]
  private let threads: Int
  private let control: RunControl
  /// Called before a run that depends on the results of another.
  let expect: @Sendable () -> Void

  package init(
    of engine: Engine, zones: [String: ZoneTable], threads: Int, control: RunControl,
    expect: @escaping @Sendable () -> Void = {}
  ) {
    self.engine = engine
    self.expect = expect
    self.zones = zones
    self.threads = threads
    self.control = control
  }

  /// The result, without rows of devices.
  ///
  /// - Returns: nil when cancelled.
  package func result(of variant: Scenario) throws(StudyError) -> RunResult? {
    var variant = variant
    variant.run.replications = 1
    // As many as the scenario itself, whatever a word would make of what differs.
    if [.auto, .quick].contains(variant.run.simulate) { variant.run.simulate = .count(engine.devicesSimulated) }
    let other: Engine
    do {
      other = try Engine(preparing: variant, zones: zones, like: engine).withoutRows
    } catch { throw .preparation(error) }
    do { return try other.run(threads: threads, control: control) } catch { throw .simulation(error) }
  }
}
