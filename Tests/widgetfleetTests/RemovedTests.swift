import Testing

@testable import Scenario

/// Commands, options and values of earlier versions: each is refused with what to use instead.
struct RemovedTests {
  private static let commandLines = [
    "export --to vegeta": ["export", "done", "--to", "vegeta"],
    "run --requests-as alb": ["run", "small.yaml", "--requests", "log", "--requests-as", "alb"],
    "run --requests-as cloudfront": ["run", "small.yaml", "--requests", "log", "--requests-as", "cloudfront"],
    "run --only radios.csv": ["run", "small.yaml", "--only", "load.csv,radios.csv"],
  ]

  @Test func everyOneHasACommandLineHere() { #expect(Set(Self.commandLines.keys) == Set(Removed.all.keys)) }

  @Test(arguments: commandLines.keys.sorted()) func adviceIsGiven(_ words: String) throws {
    let child = try Child()
    defer { child.remove() }
    let outcome = try child.run(#require(Self.commandLines[words]))
    let advice = try #require(Removed.all[words])
    #expect(outcome.status == 2)
    #expect(outcome.error.contains(" was removed\n  = help: \(advice)\n"), "\(outcome.error)")
  }
}
