import Scenario
import Testing

@testable import ScenarioFiles

/// Every key in the table is read and written with a plain value, and has its default when left out.
///
/// Keys come from the table and values from their types, so that new keys are tested without changes here.
@Suite struct KeyCoverageTests {
  private static let samples = [
    Samples.reference, Samples.rich.replacing("{kind: \"=c <b>\"}", with: "{stack: [{kind: a}, {kind: b}]}"), plain,
  ]
  /// Only the required keys, with one thing of each kind.
  private static let plain =
    Samples.minimal.replacing("      person: {unlocks_per_day: 0}\n", with: "")
    .replacing("      network: wifi\n", with: "").replacing(
      "{after: 15min}", with: "1h\n    requests: [{endpoint: api}]")
      + """
      app: {reloads: [{when: open, kinds: all}]}
      backend: {endpoints: {api: {}}}
      events:
        - {name: a, at: "00:00", zone: UTC, outage: {endpoint: api, for: 1h}}
        - {name: b, at: "00:00", zone: UTC, push: {type: silent, kinds: all}}
        - {name: c, at: "00:00", zone: UTC, gallery: {}}

      """

  /// The keys that no single value can change.
  ///
  /// One decides how the file is read, one adds up with its siblings, and one decides which keys may accompany it. A
  /// profile is a file or has parts. A provider is code of the program (`ProviderKeyTests`).
  private static let exceptions: Set = [
    "schema", "os.profile", "os.profile.schema", "fleet.cohorts.*.share", "events.*.push.type",
    "kinds.*.reload.provider", "kinds.*.reload.version",
  ]

  private static let entries = KeyTable.standard.entries.filter { entry in
    let isStudy = ["sweep", "tune", "calibrate"].contains { entry.path == $0 || entry.path.hasPrefix($0 + ".") }
    return !isStudy && !exceptions.contains(entry.path) && !candidates(entry).isEmpty
  }

  @Test func plainKeysAreMany() { #expect(Self.entries.count > 150 && KeyTable.standard.plainCount > 80) }

  /// Some value of each key gives a different scenario, whose resolved text reads back as that scenario.
  @Test func everyKeyIsReadAndWritten() {
    for entry in Self.entries {
      let isBoth = Self.samples.contains { sample in
        Self.places(of: entry.path, in: sample).contains { place in isReadAndWritten(sample, entry, at: place) }
      }
      #expect(isBoth, "\(entry.path)")
    }
  }

  private func isReadAndWritten(_ sample: String, _ entry: KeyEntry, at place: String) -> Bool {
    let settings = [[]] + Self.candidates(entry).map { [place + "=" + $0] }
    for others in [[], Self.companions(of: entry, at: place)] {
      let scenarios = settings.lazy.compactMap { Self.read(sample, others + $0) }
      guard let first = scenarios.first,
        let other = scenarios.first(where: { $0.resolvedText != first.resolvedText })
      else { continue }
      return Self.read(other.resolvedText, []) == other
    }
    return false
  }

  /// Writing out the table's default changes nothing.
  @Test func everyDefaultIsThatOfTheTable() {
    var count = 0
    for entry in Self.entries {
      guard case .value(let text) = entry.default else { continue }
      for place in Self.places(of: entry.path, in: Self.plain) {
        let others = Self.companions(of: entry, at: place)
        guard let left = Self.read(Self.plain, others),
          var written = Self.read(Self.plain, others + [place + "=" + text])
        else { continue }
        written.givenConstants = left.givenConstants
        #expect(written == left, "\(place): \(text)")
        count += 1
      }
    }
    #expect(count > 80, "\(count)")
  }
}

extension KeyCoverageTests {
  private static func read(_ text: String, _ settings: [String]) -> Scenario? {
    ScenarioReader.read(text: Array(text.utf8), fileName: "a.yaml", settings: settings.map { SetArgument($0) }).scenario
  }

  /// Returns the paths in a text that match a pattern of the table, whether or not the key is written there.
  private static func places(of pattern: String, in text: String) -> [String] {
    var problems = ProblemList(file: SourceText(name: "a.yaml", bytes: Array(text.utf8)))
    guard let root = TreeReader.read(source: 0, problems: &problems) else { return [] }
    var places: [(path: String, node: Node?)] = [("", root)]
    for step in pattern.split(separator: ".") {
      places = places.flatMap { place -> [(path: String, node: Node?)] in
        let head = place.path.isEmpty ? "" : place.path + "."
        guard step == "*" else { return [(head + step, place.node?[String(step)])] }
        let named = (place.node?.pairs ?? []).map { (head + $0.key, $0.value as Node?) }
        return named + (place.node?.items ?? []).enumerated().map { (head + String($0), $1) }
      }
    }
    return places.map(\.path)
  }

  /// Returns the keys that must accompany a key if a text does not have its mapping.
  private static func companions(of entry: KeyEntry, at place: String) -> [String] {
    let parent = entry.path.split(separator: ".").dropLast().joined(separator: ".")
    let head = place.split(separator: ".").dropLast().joined(separator: ".")
    let needed = KeyTable.standard.children(of: parent).filter {
      $0.default == .required && $0.path != entry.path || $0.path == parent + ".at" && parent.hasSuffix(".after")
    }
    return needed.flatMap { other in candidates(other).prefix(1).map { "\(head).\(other.name)=\($0)" } }
  }

  /// Returns values to try, some of which will be valid.
  private static func candidates(_ entry: KeyEntry) -> [String] {
    entry.type.alternatives.flatMap { type -> [String] in
      switch type {
      case .words(let words): words
      case .flag: ["true", "false"]
      case .integer, .count: ["2", "3", "300k"]
      case .number, .distribution(of: .number): ["2", "0.5"]
      case .share: ["40%", "60%"]
      case .rate, .distribution(of: .rate): ["5/s", "4k/s", "30k/s"]
      case .duration, .distribution: ["2h", "2s", "7s", "2d", "40ms"]
      case .size: ["3kB"]
      case .power: ["0.5W"]
      case .energyPerBit: ["7mW/Mbps"]
      case .battery: ["9Wh"]
      case .instant: ["2027-01-18T01:00:00Z"]
      case .timeOfDay: ["\"05:30\"", "\"22:00\""]
      case .weekdays: ["mon"]
      case .zone: ["Asia/Tokyo", "UTC"]
      case .zipf: ["zipf 0.5"]
      case .radio: ["wifi", "5g-sa"]
      case .kind: ["a", "b"]
      case .endpoint: ["api", "images"]
      case .label, .text, .folderName: ["abc", "abcd", "evening", "requests > 0", "requests > 1"]
      default: []
      }
    }
  }
}

extension KeyTable {
  fileprivate var plainCount: Int { entries.filter(\.isPlain).count }
}
