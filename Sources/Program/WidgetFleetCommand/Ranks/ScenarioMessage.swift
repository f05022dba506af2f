import FleetReports
import Scenario
import ScenarioFiles

/// A scenario in the form that rank 0 sends to the other ranks: as texts from which it can be reconstructed exactly.
///
/// The message also includes the system constants of a preset or trial, and a hash of rank 0's time zones.
struct ScenarioMessage: Equatable {
  /// The hash of the time zone tables, which each machine reads from its own files.
  private let zones: String
  /// The number of phones from which a replication estimates demand; empty for the default number.
  private let learning: String
  /// The number of phones in the wave that determined the verdict; empty if there is none.
  private let settled: String
  /// The scenario with one operating system for all cohorts, followed by one scenario for each cohort with a different
  /// operating system.
  private let texts: [String]

  init(_ scenario: Scenario) {
    let systems = [scenario.os] + scenario.fleet.cohorts.compactMap(\.os)
    // Events and goals are omitted because they may require an operating system that some cohorts do not have.
    var calm = scenario
    (calm.events, calm.goals) = ([], [])
    texts = systems.enumerated().map { (number, system) in
      (number == 0 ? scenario : calm).withOnly(system).resolvedText
    }
    learning = scenario.run.phonesOfDemand.map { String($0) } ?? ""
    settled = scenario.run.settledDevices.map { String($0) } ?? ""
    let cohorts = scenario.fleet.cohorts.map { $0.os == nil ? "0" : "1" }.joined()
    let tables = zoneTables(for: scenario).sorted { $0.key < $1.key }.map { name, table in
      name + table.segments.map { " \($0.from.millisecondsSinceStart) \($0.offset.milliseconds)" }.joined()
    }
    zones = SHA256.hexadecimal(of: Array(tables.joined(separator: "\n").utf8)) + cohorts
  }

  private static let separator = "\0"

  var bytes: [UInt8] { Array(([zones, learning, settled] + texts).joined(separator: Self.separator).utf8) }

  /// Returns the scenario in the bytes of a message; `nil` if they cannot be read.
  static func scenario(_ bytes: [UInt8]) -> Scenario? {
    let texts = bytes.split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
    var read = texts.dropFirst(3).compactMap { text in
      ScenarioReader.read(
        text: text, fileName: "the scenario of rank 0", files: .only(ProgramProviders.table)
      ).scenario
    }[...]
    let marks = texts.first?.dropFirst(64).map { $0 == UInt8(ascii: "1") } ?? []
    guard var scenario = read.popFirst(), read.count == marks.count(where: { $0 }),
      marks.count == scenario.fleet.cohorts.count
    else { return nil }
    scenario.run.phonesOfDemand = Int(String(decoding: texts[1], as: UTF8.self))
    scenario.run.settledDevices = Int(String(decoding: texts[2], as: UTF8.self))
    for (index, hasOwn) in marks.enumerated() where hasOwn { scenario.fleet.cohorts[index].os = read.popFirst()?.os }
    return scenario
  }

  /// Returns whether another rank would read exactly this scenario from the message.
  func isRead(as scenario: Scenario) -> Bool {
    var sent = scenario
    sent.profile = nil
    guard var read = Self.scenario(bytes) else { return false }
    // Without an idle rule, there are no keys for its constants.
    (sent.givenConstants, read.givenConstants) = ([], [])
    return read == sent
  }
}

extension Scenario {
  /// Returns this scenario with one operating system for all cohorts, whose constants are all written explicitly.
  fileprivate func withOnly(_ system: OperatingSystem) -> Scenario {
    var scenario = self
    scenario.os = system
    for index in scenario.fleet.cohorts.indices { scenario.fleet.cohorts[index].os = nil }
    scenario.profile = nil
    scenario.givenConstants = Set(BracketConstant.assumed)
    return scenario
  }
}
