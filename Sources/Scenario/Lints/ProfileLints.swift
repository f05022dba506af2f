/// A profile that was measured on another system than that of the phones (MODEL.md 4.9).
struct ProfileLints {
  let scenario: Scenario

  var ageLints: [Lint] {
    guard let profile = scenario.profile,
      profile.constants.contains(where: { !scenario.givenConstants.contains($0.constant) }),
      let measuredText = profile.measurement.system, let measured = SystemVersion(measuredText),
      let other = systems.first(where: { SystemVersion($0).map(measured.agrees) == false })
    else { return [] }
    return [
      Lint(
        .profileOfOtherSystem, at: ["os", "profile"],
        "the profile \(profile.name.inQuotes) was measured on \(measuredText), and phones run \(other)",
        note: "another system",
        help: "measure again: constants change from version to version, and Apple says nothing of it",
        numbers: [:])
    ]
  }

  /// The systems of the cohorts, each once.
  private var systems: [String] {
    scenario.fleet.cohorts.compactMap { cohort in
      // The version is that of phones with the scenario's own preset.
      cohort.os.map { $0.preset.versionText ?? $0.version } ?? scenario.os.versionText
    }.eachOnce
  }
}
