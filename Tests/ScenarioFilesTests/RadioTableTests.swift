import Scenario
import SimulationKernel
import Testing

@testable import ScenarioFiles

/// The tables `radios` and `phones` of a file.
@Suite struct RadioTableTests {
  private static let radio =
    "{promotion: {length: 260ms, power: 1.21W}, active: 1.29W, down: 51.97mW/Mbps, up: 438.39nJ/bit, "
    + "tails: [{length: 10s, power: 1.09W}], round_trip: 70ms}"

  private func read(_ settings: String...) -> ScenarioReader.Outcome {
    ScenarioReader.read(
      text: Array(Samples.minimal.utf8), fileName: "a.yaml", settings: settings.map { SetArgument($0) })
  }

  @Test func radioProfileIsRead() throws {
    let outcome = read("radios={lab: \(Self.radio)}", "fleet.cohorts.all.network=lab")
    let scenario = try #require(outcome.scenario, "\(outcome.diagnostics.humanText)")
    let radio = try #require(scenario.radios.first)
    #expect(radio.rawValue == "lab")
    #expect(radio.promotion == RadioSpell(.milliseconds(260), Power(microwatts: 1_210_000)))
    #expect(radio.active == Power(microwatts: 1_290_000))
    #expect(radio.down == EnergyPerBit(picojoules: 51_970))
    #expect(radio.up == EnergyPerBit(picojoules: 438_390))
    #expect(radio.tails == [RadioSpell(.seconds(10), Power(microwatts: 1_090_000))])
    #expect(radio.roundTrip == .milliseconds(70))
    #expect(radio.evidence == .scenario(tails: 1))
    #expect(scenario.fleet.cohorts[0].network == .fixed(radio))
  }

  @Test func radioProfileAlsoAppliesToCellular() throws {
    let outcome = read("radios={lab: \(Self.radio)}", "fleet.cohorts.all.network={cellular: lab}")
    let scenario = try #require(outcome.scenario, "\(outcome.diagnostics.humanText)")
    guard case .roaming(let roaming) = scenario.fleet.cohorts[0].network else {
      Issue.record("not roaming")
      return
    }
    #expect(roaming.cellular == scenario.radios[0])
  }

  @Test func phoneBatteryIsRead() throws {
    let outcome = read("phones={lab: 13.5Wh}", "fleet.cohorts.all.phones={lab: 40%, iphone-15: 60%}")
    let scenario = try #require(outcome.scenario, "\(outcome.diagnostics.humanText)")
    #expect(scenario.phones == [Phone(name: "lab", centiwattHours: 1_350, evidence: .scenario)])
    #expect(scenario.phone(named: "lab")?.centiwattHours == 1_350)
    #expect(scenario.phone(named: "iphone-15")?.centiwattHours == 1_298)
    #expect(scenario.phone(named: "lap") == nil)
  }

  /// Invalid values and their codes.
  @Test(arguments: [
    ("active: 1.29W", "active: -1W", Code.outOfRange), ("active: 1.29W", "active: 1.29", .unitMissing),
    ("active: 1.29W", "active: 21W", .outOfRange), ("active: 1.29W", "active: 1.29kW", .unitUnknown),
    ("active: 1.29W", "active: 1.2345678W", .notExact), ("active: 1.29W", "active: {uniform: 1W..2W}", .wrongShape),
    ("active: 1.29W, ", "", .missingKey), ("active: 1.29W", "actve: 1.29W, active: 1.29W", .unknownKey),
    ("down: 51.97mW/Mbps", "down: 51.97W", .unitUnknown), ("down: 51.97mW/Mbps", "down: 1001nJ/bit", .outOfRange),
    ("down: 51.97mW/Mbps", "down: 0.0001nJ/bit", .notExact), ("length: 260ms", "length: 61s", .outOfRange),
    ("length: 10s", "length: 61min", .outOfRange), ("round_trip: 70ms", "round_trip: 70", .unitMissing),
    ("{length: 10s, power: 1.09W}", "{length: 10s}", .missingKey),
    ("[{length: 10s, power: 1.09W}]", "{length: 10s, power: 1.09W}", .wrongShape),
    ("[{", "[\(String(repeating: "{length: 1s, power: 1W}, ", count: 4)){", .tooBig),
  ]) func errorsOfRadios(part: String, replacement: String, code: Code) {
    let text = Self.radio.replacing(part, with: replacement)
    #expect(text != Self.radio)
    #expect(read("radios={lab: \(text)}").diagnostics.map(\.code) == [code])
  }

  @Test(arguments: [
    ("phones={lab: 0Wh}", Code.outOfRange), ("phones={lab: 12.345Wh}", .notExact), ("phones={lab: 12}", .unitMissing),
    ("phones={lab: 12mAh}", .unitUnknown), ("phones={iphone-15: 12Wh}", .duplicateName),
    ("phones={lab: {}}", .wrongShape), ("phones=[1]", .wrongShape), ("radios={wifi: \(radio)}", .duplicateName),
    ("radios={lte-2012: \(radio)}", .duplicateName), ("radios={\"\": \(radio)}", .badName),
    ("fleet.cohorts.all.network=lab", .unknownName), ("fleet.cohorts.all.network={cellular: lab}", .unknownName),
    ("fleet.cohorts.all.network={cellular: wifi}", .unknownWord),
    ("fleet.cohorts.all.phones={lab: 100%}", .unknownName),
  ]) func errorsOfNames(setting: String, code: Code) { #expect(read(setting).diagnostics.map(\.code) == [code]) }

  /// Hints include the file's own radios and phones.
  @Test func hints() {
    let network = read("radios={lab-lte: \(Self.radio)}", "fleet.cohorts.all.network=lab-tle")
    #expect(network.diagnostics.map(\.help) == ["did you mean 'lab-lte'?"])
    let phone = read("phones={lab-phone: 9Wh}", "fleet.cohorts.all.phones={lab-fone: 100%}")
    #expect(phone.diagnostics.map(\.help) == ["did you mean 'lab-phone'?"])
  }

  @Test(arguments: ["radios=none", "phones=none", "radios={}", "phones={}"])
  func radiosAndPhonesAreOptional(setting: String) throws {
    let scenario = try #require(read(setting).scenario)
    #expect(scenario.radios.isEmpty && scenario.phones.isEmpty)
    #expect(!scenario.resolvedText.contains("radios"))
  }

  @Test(arguments: [
    (0, "0W"), (1, "0.000001W"), (124_000, "0.124W"), (1_210_700, "1.2107W"), (20_000_000, "20W"),
  ]) func powersReadBack(microwatts: Int64, text: String) throws {
    #expect(QuantityText.power(Power(microwatts: microwatts)) == text)
    #expect(try Quantities.power(text) == Power(microwatts: microwatts))
  }
}
