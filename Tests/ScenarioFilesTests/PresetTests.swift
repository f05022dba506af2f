import Scenario
import SimulationKernel
import Testing

@testable import ScenarioFiles

@Suite struct PresetTests {
  private func system(_ preset: String) throws -> OperatingSystem {
    try #require(Samples.read(Samples.minimal, set: "os.preset=\(preset)").scenario).os
  }

  @Test func tableDefaultsAreThoseOfIOS26() throws {
    var text = Samples.minimal + "os:\n"
    for entry in KeyTable.standard.entries where entry.path.hasPrefix("os.") {
      if entry.path.hasPrefix("os.profile") || entry.path == "os.version" { continue }
      let depth = entry.path.split(separator: ".").count
      guard case .value(let value) = entry.default else {
        text += "  \(entry.name):\n"
        continue
      }
      if entry.path.hasPrefix("os.idle.") { continue }
      text += String(repeating: "  ", count: depth - 1) + "\(entry.name): \(value)\n"
    }
    let outcome = Samples.read(text)
    #expect(outcome.diagnostics.humanText == "")
    #expect(outcome.scenario?.os == OperatingSystem())
  }

  @Test func presets() throws {
    #expect(try system("ios-26") == OperatingSystem())
    #expect(try system("prompt").startDelay.policy == .uniform(from: .zero, to: .minutes(1)))
    #expect(try system("lazy").budget.cap == 40)
    #expect(try system("lazy").staleViewReloadFrequent == .none)
    #expect(try system("watch-face").budget.capacity == .perDay(RunMillionths(count: 75_000_000)))
    #expect(try system("developer-mode").budget.model == .off)
  }

  @Test func keysOverrideThePreset() throws {
    let outcome = Samples.read(Samples.minimal, set: "os.preset=lazy", "os.budget.cap=50", "os.idle.after=1h")
    #expect(outcome.scenario?.os.budget.cap == 50)
    #expect(outcome.scenario?.os.idle == Idle(after: .hours(1), giveUp: .hours(4)))
  }
}
