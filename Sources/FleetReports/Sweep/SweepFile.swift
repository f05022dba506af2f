package import Studies

/// The files of a sweep's folder, the manifest last: a folder that has one is whole.
package enum SweepFile: String, CaseIterable, Sendable {
  case runs = "runs.csv"
  case settings = "settings.csv"
  case effects = "effects.csv"
  case page = "report.html"
  /// Written by the store itself.
  case store = "runs.sqlite"
  case manifest = "manifest.json"

  package var name: String { rawValue }

  /// nil: of the store.
  package func bytes(of study: SweepStudy, _ effects: SweepEffects, _ manifest: SweepManifest) -> [UInt8]? {
    switch self {
    case .runs: runsCSV(of: study)
    case .settings: settingsCSV(of: study)
    case .effects: effectsCSV(of: study, effects)
    case .store: nil
    case .page: sweepPage(of: study, effects, manifest)
    case .manifest:
      manifest.bytes(of: study, schema: "widgetfleet.manifest/sweep-v1", files: Self.allCases.map(\.name))
    }
  }
}

/// Where a sweep or a trade-off comes from.
package struct SweepManifest: Sendable {
  package var provenance: Provenance
  /// How values were combined.
  package var method: String
  package var scenario: String
  package var seed: UInt64

  package init(provenance: Provenance, method: String, scenario: String, seed: UInt64) {
    self.provenance = provenance
    self.method = method
    self.scenario = scenario
    self.seed = seed
  }

  func bytes(of study: SweepStudy, schema: String, files: [String]) -> [UInt8] {
    JSONValue.object([
      ("schema", .string(schema)), ("version", .string(provenance.version)),
      ("scenario", .string(scenario)), ("scenario_sha256", .string(provenance.scenarioHash)),
      ("seed", .integer(Int128(seed))), ("method", .string(method)),
      ("judged_by", .string(study.judging.rawValue)),
      ("keys", .array(study.keys.map { .string($0) })), ("settings", .integer(Int128(study.runs.count))),
      ("files", .array(files.map { .string($0) })),
      ("resolved_scenario", .string(provenance.resolvedScenario)), ("complete", .boolean(true)),
    ]).bytes(lines: 1)
  }
}
