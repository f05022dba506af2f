import BackendModel
import DeviceModel
import FleetEngine
import Studies

/// The `widgetfleet run SCENARIO --device N` command, which prints the day of one device, either as one line per reload
/// or as JSON.
struct Replay: StudyCommand {
  let engine: Engine
  let settings: Settings
  let console: Console

  func run(_ choice: DeviceChoice, _ simulation: Simulation) throws(Failure) -> ExitCode {
    guard case .number(let device) = choice else { return try run(chosen: choice, simulation) }
    return try printOut(device, try settings.conditionsPath.map(conditions), simulation)
  }

  /// Simulates the fleet to select the device and to determine the backend conditions.
  private func run(chosen choice: DeviceChoice, _ simulation: Simulation) throws(Failure) -> ExitCode {
    var scenario = simulation.scenario
    (scenario.run.deviceRows, scenario.run.replications) = (nil, 1)
    let fleet = Simulation(scenario, path: simulation.path, settings, console)
    let rows = try fleet.prepared(withRows: true)
    _ = try fleet.checkMemory(rows, others: false)
    let result = try simulate(devices: rows.devicesTotal) { control, _ throws(Failure) in
      try fleet.result(of: rows, control)
    }
    let order = result.replications.first.map { DeviceOrder($0.devices) }
    guard let replication = result.replications.first, let order,
      let device = choice == .worst ? order.worst : order.median
    else { throw .unsuitableInput(path: simulation.path, reason: "has no phone with a widget") }
    return try printOut(device, engine.conditions(of: replication), simulation)
  }

  private func printOut(
    _ device: Int, _ conditions: ConditionsTrajectory?, _ simulation: Simulation
  ) throws(Failure) -> ExitCode {
    if let events = engine.scenario.longLife {
      console.note(
        "widgetfleet: a phone in this scenario has up to about \(events) events, which may take minutes to print; "
          + "a shorter clock.duration prints less\n")
    }
    let diary = try diary(of: device, conditions, simulation)
    switch settings.format {
    case .human, .markdown, .github:
      try console.output(Array(DiaryText(diary: diary, engine: engine).lines(device: device).utf8))
    case .json: try console.output(DiaryJSON(diary: diary, engine: engine).bytes(device: device))
    }
    return .success
  }

  private func diary(
    of device: Int, _ conditions: ConditionsTrajectory?, _ simulation: Simulation
  ) throws(Failure) -> DeviceDiary {
    do {
      return try engine.diary(ofDevice: device, conditions: conditions)
    } catch {
      switch error {
      case .noDevice(_, let devices):
        throw .usage("--device \(device) is not one of the \(devices) devices, numbered from 0", command: "run")
      case .needsConditions:
        throw .usage(
          "the endpoints in this scenario have limits, so a device's day depends on all other devices", command: "run",
          hint: "run with --save-conditions first, then add --replay-conditions Reports/.../conditions.csv")
      case .otherConditions:
        throw .unsuitableInput(
          path: settings.conditionsPath ?? "", reason: "does not match the scenario's endpoints, clock or step")
      case .failed(let error): throw simulation.failure(error)
      }
    }
  }

  private func conditions(at path: String) throws(Failure) -> ConditionsTrajectory {
    let bytes = try InputFile.read(
      path, limit: Self.largestFile, kind: "conditions file", head: ConditionsText.header)
    do { return try ConditionsTrajectory(text: bytes) } catch {
      throw .unsuitableInput(path: path, reason: "line \(error.line): \(error.message)")
    }
  }

  /// The maximum size of a conditions file in bytes. Each step of each endpoint takes about 60 bytes.
  private static let largestFile = 400_000_000
}
