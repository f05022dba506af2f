import Foundation
import SimulationKernel
import Testing

@testable import Scenario

/// The numbers that no key can change, compared with Docs/MODEL.md.
@Suite struct FixedAssumptionTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Returns the text of a section, up to the next one, with runs of blanks and line breaks as one blank.
  private static func section(_ number: String) throws -> String {
    let text = try String(contentsOf: root.appending(path: "Docs/MODEL.md"), encoding: .utf8)
    let start = try #require(text.range(of: "\n\(number) "))
    let rest = text[start.upperBound...]
    let end = rest.firstRange(of: try Regex("\n([0-9]+\\.[0-9]+ |## )"))?.lowerBound ?? rest.endIndex
    return joined(rest[..<end])
  }

  private static func joined(_ text: some StringProtocol) -> String {
    text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
  }

  @Test func modelDocumentUsesTheSameWords() throws {
    for fixed in FixedAssumption.all {
      let section = try Self.section(fixed.section)
      #expect(section.contains(Self.joined(fixed.words)), "\(fixed.name): \(fixed.words)")
      for quantity in fixed.quantities {
        let isSaid = spellings(quantity).contains { section.contains($0) }
        #expect(isSaid, "\(fixed.name): \(quantity) in '\(section)'")
      }
      #expect(fixed.form.split(separator: "{}", omittingEmptySubsequences: false).count == fixed.quantities.count + 1)
    }
  }

  /// Returns the spellings that the model may use for a quantity.
  private func spellings(_ quantity: FixedAssumption.Quantity) -> [String] {
    switch quantity {
    case .span(let span):
      let seconds = span.milliseconds / 1_000
      return ["\(seconds) s", "\(seconds / 60) min", "\(seconds / 3_600) h"].filter { !$0.hasPrefix("0 ") }
    case .time(let time):
      let hour = time.milliseconds / 3_600_000
      return [(hour < 10 ? "0" : "") + "\(hour):00"]
    case .microwatts(let count):
      let watts = Double(count) / 1e6
      return ["\(count / 1_000) mW", "\(watts) W", "\(Int(watts)) W"].filter { !$0.hasPrefix("0 ") }
    case .percent(let count): return ["\(count) %", "\(Double(count) / 100)"]
    case .number(let number): return ["\(Int(number))"]
    }
  }

  /// Every number in the list is shown to people, and none is repeated in the rules.
  @Test func everyConstantIsListed() throws {
    let folder = Self.root.appending(path: "Sources/Model/Scenario")
    let constants = try String(contentsOf: folder.appending(path: "ModelConstants.swift"), encoding: .utf8)
    let list = try String(contentsOf: folder.appending(path: "FixedAssumption.swift"), encoding: .utf8)
    let names = constants.matches(of: /static (?:var|let) (\w+)/).map { String($0.1) }
    #expect(names.count >= 20)
    for name in names { #expect(list.contains("Model.\(name)"), "\(name)") }
  }
}
