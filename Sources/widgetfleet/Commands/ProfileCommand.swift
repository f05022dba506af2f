import Calibration
import FleetReports
import Scenario
import ScenarioFiles

/// `widgetfleet profile`: measured constants of several labs as one profile.
struct ProfileCommand {
  let settings: Settings
  let console: Console

  func run() throws(Failure) -> ExitCode {
    let profiles = try profiles()
    let output = try settings.out.map { path throws(Failure) in try OutputFile(path) }
    let merge = try merge(profiles)
    let text = Array(merge.profile.fileText(remark: merge.remark, remarks: merge.remarks).utf8)
    let table = mergedProfileTable(of: merge)
    guard let output else {
      console.note(String(decoding: table, as: UTF8.self))
      try console.output(text)
      return .success
    }
    try output.write(text)
    console.note("profile: \(output.path.printable)\n")
    try console.output(table)
    return .success
  }

  /// The profiles of all operands; the problems of all of them at once.
  private func profiles() throws(Failure) -> [SystemProfile] {
    var profiles: [SystemProfile] = []
    var problems: [Diagnostic] = []
    for path in settings.operands {
      let bytes = try InputFile.read(path, limit: InputFile.profileLimit, kind: "profile")
      let outcome = ProfileFileReader.read(text: bytes, fileName: path == "-" ? "<stdin>" : path)
      problems += outcome.diagnostics
      if let profile = outcome.profile { profiles.append(profile) }
    }
    guard problems.isEmpty else { throw .invalidScenario(problems: problems.humanText) }
    try refuseCopies(profiles)
    return profiles
  }

  /// A lab that counted twice would look surer than it is.
  private func refuseCopies(_ profiles: [SystemProfile]) throws(Failure) {
    for (place, profile) in profiles.enumerated() {
      guard let first = profiles.firstIndex(of: profile), first < place else { continue }
      throw .unsuitableInput(
        path: settings.operands[place],
        reason: "holds what '\(settings.operands[first].printable)' holds: a lab counts once")
    }
  }

  private func merge(_ profiles: [SystemProfile]) throws(Failure) -> ProfileMerge {
    do {
      return try ProfileMerge(
        profiles, program: "widgetfleet \(Version.current)", limits: { ProfileFileReader.limits(of: $0) })
    } catch { throw .bug("\(error)") }
  }
}
