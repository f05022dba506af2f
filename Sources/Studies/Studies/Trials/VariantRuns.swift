package import FleetEngine
package import Scenario

/// A simulator of small variations of a prepared scenario, one replication each.
///
/// The variants use the scenario's seed, and therefore the same users, networks and draws as its first replication.
package struct VariantRuns: Sendable {
  /// The engine of the scenario itself, which shares most of its tables with the variants.
  private let engine: Engine
  private let zones: [String: ZoneTable]
  private let threads: Int
  private let control: RunControl
  /// A callback before any run that depends on the results of another run.
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

  /// Returns the result of a variant, without device rows.
  ///
  /// - Returns: `nil` if cancelled.
  package func result(of variant: Scenario) throws(StudyError) -> RunResult? {
    var variant = variant
    variant.run.replications = 1
    // Uses the number from the scenario itself, because the meaning of a word like `auto` depends on the variant.
    if [.auto, .quick].contains(variant.run.simulate) { variant.run.simulate = .count(engine.devicesSimulated) }
    let other: Engine
    do {
      other = try Engine(preparing: variant, zones: zones, like: engine).withoutRows
    } catch { throw .preparation(error) }
    do { return try other.run(threads: threads, control: control) } catch { throw .simulation(error) }
  }
}
