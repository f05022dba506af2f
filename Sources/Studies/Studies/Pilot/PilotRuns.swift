import FleetEngine
import Scenario

/// The pilots of a scenario and its variants. Each pilot is simulated only once.
struct PilotRuns {
  private let zones: (Scenario) -> [String: ZoneTable]
  private var known: [Scenario: Pilot?] = [:]
  /// The zone tables, servers and engine of the first pilot, which later pilots reuse.
  private var shared: (tables: [String: ZoneTable], servers: PilotServers, engine: Engine)?
  /// The number of expected events that remain for all further pilots.
  private var events = PilotTrial.maxEventsOfAll

  /// - Parameter zones: a function that returns the tables of all zones in a scenario.
  init(zones: @escaping (Scenario) -> [String: ZoneTable]) { self.zones = zones }

  /// Returns the pilot of a scenario. Returns `nil` if the phones are too busy, the scenario cannot be simulated, or
  /// the event limit for all pilots has been reached.
  mutating func pilot(of scenario: Scenario) -> Pilot? {
    guard let trial = PilotTrial(of: scenario) else { return nil }
    if let known = known[trial.scenario] { return known }
    guard trial.events <= events else { return nil }
    events -= trial.events
    let pilot = simulated(trial.scenario)
    known[trial.scenario] = pilot
    return pilot
  }

  private mutating func simulated(_ scenario: Scenario) -> Pilot? {
    let tables = shared?.tables ?? zones(scenario)
    var phones = scenario
    for endpoint in phones.endpoints.indices {
      (phones.endpoints[endpoint].cdn, phones.endpoints[endpoint].baseLoad) = (nil, nil)
    }
    do {
      var engine = try Engine(preparing: phones, zones: tables, like: shared?.engine).withoutRows
        .withoutFollowing.withoutEnergy
      engine.phonesOfDemand = PilotTrial.phonesOfDemand
      let servers = shared?.servers ?? PilotServers(scenario, tables)
      if shared == nil { shared = (tables, servers, engine) }
      return try engine.run(threads: 1, control: RunControl(maxEvents: PilotTrial.maxEventsOfOne)).map {
        Pilot($0, servers)
      }
    } catch { return nil }
  }
}
