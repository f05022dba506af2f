import FleetReports
import Scenario
import ScenarioFiles
import Studies
import StudyStore

/// The simulations of a sweep or of one of its parts, including all replications and presets of each setting.
struct SweepTask {
  let plan: SweepReader.Outcome
  let base: Scenario
  /// The SHA-256 hash of each setting's resolved scenario, in hexadecimal.
  let hashes: [String]
  /// The bracket presets under which each setting is simulated.
  let presets: [[Preset]]
  let identity: StudyIdentity

  init(_ plan: SweepReader.Outcome, _ base: Scenario, _ command: SweepCommand) {
    self.plan = plan
    self.base = base
    hashes = plan.settings.map { SHA256.hexadecimal(of: Array($0.scenario.resolvedText.utf8)) }
    presets = plan.settings.map { command.presets(judging: $0.scenario, $0.scenario.goals) }
    var identity = Self.identity(of: plan, base, hashes, command.settings.study.judging)
    identity.runs += presets.reduce(0) { $0 + $1.count }
    identity.part = command.settings.study.part
    self.identity = identity
  }

  private static func identity(
    of plan: SweepReader.Outcome, _ base: Scenario, _ hashes: [String], _ judging: Judging
  ) -> StudyIdentity {
    let rows = zip(plan.settings, hashes).map { setting, hash in
      (setting.values.map(\.text) + [hash]).joined(separator: "\n")
    }
    let text = (plan.axes.map(\.path) + rows).joined(separator: "\n\n")
    let resolved = base.resolvedText
    return StudyIdentity(
      version: Version.current, scenario: base.name, scenarioHash: SHA256.hexadecimal(of: Array(resolved.utf8)),
      seed: base.run.seed, method: plan.method.rawValue, settingsHash: SHA256.hexadecimal(of: Array(text.utf8)),
      runs: plan.settings.reduce(0) { $0 + $1.scenario.run.replications }, judging: judging, resolvedScenario: resolved)
  }

  /// The SHA-256 hash of the study design in hexadecimal, which is the same for all parts.
  var studyHash: String {
    SHA256.hexadecimal(
      of: Array([identity.settingsHash, identity.method, identity.judging.rawValue].joined(separator: "\n").utf8))
  }

  /// The indices of the settings in simulation order, starting at 0.
  var settings: [Int] { plan.settings.indices.filter { identity.part?.holds($0) ?? true } }

  /// Returns the runs of a setting in simulation order.
  func runs(of setting: Int) -> [StoredRunKey] {
    (0..<plan.settings[setting].scenario.run.replications).map { StoredRunKey(setting: setting, replication: $0) }
      + presets[setting].map { StoredRunKey(setting: setting, preset: $0, replication: 0) }
  }

  /// All runs in simulation order.
  var runs: [StoredRunKey] { settings.flatMap(runs) }
}
