import BackendModel
import DeviceModel
import FleetEngine

/// `widgetfleet run SCENARIO --device N`: one device's day on stdout, event by event, as lines or JSON.
struct Replay {
  let engine: Engine
  let settings: Settings
  let console: Console

  func run(device: Int) throws(Failure) -> ExitCode {
    if let events = engine.scenario.longLife {
      console.note(
        "widgetfleet: a phone of this scenario has up to about \(events) events, which may take minutes to tell; "
          + "a shorter clock.duration tells less\n")
    }
    let diary = try diary(of: device)
    switch settings.format {
    case .human, .markdown, .github:
      try console.output(Array(DiaryText(diary: diary, engine: engine).lines(device: device).utf8))
    case .json: try console.output(DiaryJSON(diary: diary, engine: engine).bytes(device: device))
    }
    return .success
  }

  private func diary(of device: Int) throws(Failure) -> DeviceDiary {
    let conditions = try settings.conditionsPath.map(conditions)
    do {
      return try engine.diary(ofDevice: device, conditions: conditions)
    } catch {
      switch error {
      case .noDevice(_, let devices):
        throw .usage("--device \(device) is not one of the \(devices) devices, which count from 0", command: "run")
      case .needsConditions:
        throw .usage(
          "the endpoints of this scenario have limits, so a device's day depends on all the others", command: "run",
          hint: "run with --save-conditions first, then add --replay-conditions Reports/.../conditions.csv")
      case .otherConditions:
        throw .unsuitableInput(
          path: settings.conditionsPath ?? "", reason: "does not fit: other endpoints, clock or step than the scenario")
      case .endless(let error): throw .endless(path: settings.operands[0], what: "\(error)")
      }
    }
  }

  private func conditions(at path: String) throws(Failure) -> ConditionsTrajectory {
    let bytes = try InputFile.read(path, limit: Self.largestFile, kind: "file of conditions")
    do { return try ConditionsTrajectory(text: bytes) } catch {
      throw .unsuitableInput(path: path, reason: "line \(error.line): \(error.message)")
    }
  }

  /// Bytes; a step of an endpoint takes some sixty.
  private static let largestFile = 400_000_000
}
