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
    case .manifest: manifest.bytes(of: study)
    }
  }
}

/// The files of the folder of a sweep's part, the manifest last: what the merge needs, and no results of its own.
package enum SweepPartFile: String, CaseIterable, Sendable {
  case store = "runs.sqlite"
  case manifest = "manifest.json"

  package var name: String { rawValue }
}

/// Where a sweep comes from.
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

  func bytes(of study: SweepStudy) -> [UInt8] {
    bytes(
      schema: "widgetfleet.manifest/sweep-v1", study.judging, keys: study.keys,
      own: [("settings", .integer(Int128(study.runs.count)))], files: SweepFile.allCases.map(\.name))
  }

  /// The manifest of a part's folder.
  ///
  /// - Parameters:
  ///   - settings: that the part has.
  ///   - storeHash: SHA-256 of the store, hexadecimal.
  package func bytes(
    of part: SweepPart, settings: Int, judging: Judging, keys: [String], storeHash: String
  ) -> [UInt8] {
    bytes(
      schema: ManifestLines.partSchema, judging, keys: keys,
      own: [
        ("settings", .integer(Int128(settings))), ("part", .integer(Int128(part.number))),
        ("parts", .integer(Int128(part.count))), ("runs_sha256", .string(storeHash)),
      ], files: SweepPartFile.allCases.map(\.name))
  }

  private func bytes(
    schema: String, _ judging: Judging, keys: [String], own: JSONValue.Members, files: [String]
  ) -> [UInt8] {
    let identity: JSONValue.Members = [
      ("schema", .string(schema)), ("version", .string(provenance.version)),
      ("scenario", .string(scenario)), ("scenario_sha256", .string(provenance.scenarioHash)),
      (ManifestLines.studyHash, provenance.studyHash.map { .string($0) } ?? .null),
      ("seed", .integer(Int128(seed))), ("method", .string(method)), ("judged_by", .string(judging.rawValue)),
      ("keys", .array(keys.map { .string($0) })),
    ]
    let end: JSONValue.Members = [
      ("files", .array(files.map { .string($0) })),
      ("resolved_scenario", .string(provenance.resolvedScenario)), ("complete", .boolean(true)),
    ]
    return JSONValue.object(identity + own + end).bytes(lines: 1)
  }
}
