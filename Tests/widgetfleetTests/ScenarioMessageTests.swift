import Foundation
import Scenario
import ScenarioFiles
import Testing

@testable import WidgetFleetCommand

/// Scenarios as sent by rank 0: each is read as the same scenario, after any change by a bracket or trial.
struct ScenarioMessageTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Scenarios").standardized

  private static let files =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0.hasSuffix(".yaml") }
    .sorted()

  @Test(arguments: files) func everyScenarioIsTransmittedExactly(file: String) throws {
    let text = Array(try Data(contentsOf: Self.folder.appendingPathComponent(file)))
    let scenario = try #require(ScenarioReader.read(text: text, fileName: file, settings: []).scenario)
    let variants =
      [scenario] + Preset.allCases.map { scenario.under($0) }
      + BracketConstant.undocumented.map { scenario.under(.lazy, changing: [$0]) }
    var screened = scenario
    (screened.run.phonesOfDemand, screened.run.settledDevices) = (16, 8_000)
    for variant in variants + [screened] { #expect(ScenarioMessage(variant).isRead(as: variant)) }
  }

  @Test func transmittedScenariosDiffer() { #expect(Self.files.count > 40) }

  /// A truncated or modified letter is either not a scenario or a different letter.
  @Test func damagedLettersAreRefused() throws {
    let text = Array(try Data(contentsOf: Self.folder.appendingPathComponent("mixed-ios.yaml")))
    let scenario = try #require(ScenarioReader.read(text: text, fileName: "mixed", settings: []).scenario)
    let bytes = ScenarioMessage(scenario).bytes
    for length in stride(from: 0, to: bytes.count, by: 97) {
      #expect(ScenarioMessage.scenario(Array(bytes[..<length])) == nil, "\(length) bytes")
    }
    var other = bytes
    other[0] = other[0] == UInt8(ascii: "a") ? UInt8(ascii: "b") : UInt8(ascii: "a")
    let read = try #require(ScenarioMessage.scenario(other))
    #expect(ScenarioMessage(read).bytes != other)
  }
}
