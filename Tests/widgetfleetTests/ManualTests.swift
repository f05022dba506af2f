import FleetReports
import Foundation
import Testing

@testable import WidgetFleetCommand

/// The manual page: Docs/widgetfleet.1, written by `make manual`.
struct ManualTests {
  private static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Docs/widgetfleet.1").path

  @Test func thePageIsUpToDate() throws {
    if ProcessInfo.processInfo.environment["WIDGETFLEET_RENEW_MANUAL"] != nil {
      try Data(ManualPage.text.utf8).write(to: URL(fileURLWithPath: Self.path))
    }
    #expect(try String(contentsOfFile: Self.path, encoding: .utf8) == ManualPage.text, "run make manual")
  }

  /// The first version in CHANGELOG.md is the one being built.
  @Test func changelogStartsWithThisVersion() throws {
    let changes = URL(fileURLWithPath: Self.path).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("CHANGELOG.md")
    let text = try String(contentsOf: changes, encoding: .utf8)
    let heading = try #require(text.split(separator: "\n").first { $0.hasPrefix("## ") })
    #expect(heading.hasPrefix("## \(Version.current) ("), "\(heading)")
  }

  @Test func mandocReportsNoProblems() throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(ManualPage.text, to: "widgetfleet.1")
    let process = try child.start(
      ["mandoc", "-Tlint", "widgetfleet.1"], executable: URL(fileURLWithPath: "/usr/bin/env"))
    process.waitUntilExit()
    let outcome = child.outcome(of: process)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.error)")
    #expect(outcome.output.isEmpty, "\(outcome.output)")
  }

  @Test func manualNamesEveryOptionFileAndExitCode() {
    let plain = ManualPage.text.replacing("\\-", with: "-")
    for command in Command.all {
      #expect(plain.contains(".Ss \(command.name)\n"))
      for option in command.options { #expect(plain.contains("Fl -\(option.name)"), "\(option.name)") }
    }
    for code in ExitCode.allCases { #expect(plain.contains("\n.It \(code.rawValue)\n")) }
    #expect(Set(ManualPage.resultFiles.map(\.name)) == Set(ResultsLayout.fileNames))
  }

  /// The guide, the `--help` of the program and of every command, and the manual list the same exit codes.
  @Test func exitCodesAreTheSameEverywhere() throws {
    let readme = URL(fileURLWithPath: Self.path).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Docs/GUIDE.md")
    let rows = ExitCode.allCases.map { "| \($0.rawValue) | \($0.meaning) |" }
    #expect(
      try String(contentsOf: readme, encoding: .utf8).contains("|---|---|\n" + rows.joined(separator: "\n") + "\n\n"))
    for text in [HelpText.text(of: nil)] + Command.all.map({ HelpText.text(of: $0) }) {
      let words = text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
      for code in ExitCode.allCases { #expect(words.contains(" \(code.rawValue) \(code.meaning)"), "\(text)") }
    }
  }
}
