import Testing

@testable import Scenario

/// Commands, options and values of earlier versions, each refused with its replacement.
struct RemovedTests {
  private static let commandLines = [
    "backtest --rolling": ["backtest", "small.yaml", "--log", "access.log", "--train", "1-7", "--rolling"],
    "bench": ["bench", "--only", "W"],
    "explain --days": ["explain", "lab", "--days", "14"],
    "explain --phones": ["explain", "lab", "--phones=5"],
    "explain lab": ["explain", "lab"],
    "os.profile.os.*.method: pooled": ["validate", "small.yaml", "--set", "os.profile=pooled.yaml"],
    "profile": ["profile", "lab-a.yaml", "lab-b.yaml"],
    "export --to vegeta": ["export", "done", "--to", "vegeta"],
    "run --requests-as alb": ["run", "small.yaml", "--requests", "log", "--requests-as", "alb"],
    "run --requests-as cloudfront": ["run", "small.yaml", "--requests", "log", "--requests-as", "cloudfront"],
    "tradeoff": ["tradeoff", "small.yaml", "--vary", "run.seed=1,2"],
    "sweep --method latin-hypercube": ["sweep", "small.yaml", "--method", "latin-hypercube"],
    "sweep.method: latin-hypercube": ["validate", "small.yaml", "--set", "sweep={method: latin-hypercube, vary: {}}"],
    "run --events": ["run", "small.yaml", "--device", "1", "--events"],
    "run --only radios.csv": ["run", "small.yaml", "--only", "load.csv,radios.csv"],
  ]

  private static let pooled = """
    schema: widgetfleet.os-profile/v1
    name: labs
    os:
      min_spacing: {value: 310s, low: 183s, high: 437s, method: pooled, n: 1220, phones: 10}

    """

  @Test func everyRemovedNameHasATest() { #expect(Set(Self.commandLines.keys) == Set(Removed.all.keys)) }

  @Test(arguments: commandLines.keys.sorted()) func removedNamesGiveAdvice(_ words: String) throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Self.pooled, to: "pooled.yaml")
    let outcome = try child.run(#require(Self.commandLines[words]))
    let advice = try #require(Removed.all[words])
    #expect(outcome.status == 2)
    #expect(outcome.error.contains(words.contains(": ") ? "must be one of " : " was removed\n"), "\(outcome.error)")
    #expect(outcome.error.contains("  = help: \(advice)\n"), "\(outcome.error)")
  }
}
