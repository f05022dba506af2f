import Testing

@testable import ScenarioFiles

/// The tuned file: the same text with other values, and the patch between the two.
struct TunedTextTests {
  /// Returns a scenario with comments, in both flow and block style.
  private static func text(kind: String, tune: String) -> String {
    """
    schema: widgetfleet/v1  # first
    name: tuned
    # A comment with kinds.weather.jitter in it.
    clock: {start: 2027-01-18T00:00:00Z}

    kinds:
      weather:   # the kind

    \(kind)
    fleet:
      devices: 1k
      cohorts:
        - name: all
          zones: {Europe/Berlin: 100%}
          network: wifi
          widgets: [{kind: weather}]
    tune: {minimize: requests, search: {\(tune)}}
    """
  }

  private func tuned(kind: String, tune: String, ending: String = "\n") throws -> String {
    let file = Array(Self.text(kind: kind, tune: tune).replacing("\n", with: ending).utf8)
    let outcome = TuneReader.read(text: file, fileName: "a.yaml", settings: [])
    let plan = try #require(outcome.plan, "\(outcome.diagnostics.humanText)")
    // The last level is the high end, or the last word.
    let levels = plan.keys.map { $0.levels - 1 }
    let tuned = plan.tunedText(of: file, at: levels)
    let text = try #require(tuned, "\(tune)")
    let isMeant = ScenarioReader.read(text: text, fileName: "b.yaml").scenario == plan.scenario(at: levels).scenario
    #expect(isMeant)
    return String(decoding: text, as: UTF8.self)
  }

  /// The text before, the searched key, and the text after.
  @Test(arguments: [
    ("    reload: {after: 2h}   # why", "kinds.weather.reload.after: 1h..8h", "    reload: {after: 8h}   # why"),
    ("    reload:\n      after: '2h'\n", "kinds.weather.reload.after: 1h..8h", "    reload:\n      after: 8h\n"),
    // A missing key is added in brackets or on its own line.
    (
      "    reload: {after: 2h}", "kinds.weather.jitter.up_to: 0s..5min",
      "    reload: {after: 2h}\n    jitter: {up_to: 5min}"
    ),
    (
      "    reload: {after: 2h}  # a\n    jitter: {up_to: 1s, per: run}",
      "kinds.weather.jitter.up_to: 0s..5min", "    reload: {after: 2h}  # a\n    jitter: {up_to: 5min, per: run}"
    ),
    (
      "    reload: {after: 2h}\n    jitter:\n      up_to: 1s  # b\n\n      # c",
      "kinds.weather.jitter.per: [run, device]",
      "    reload: {after: 2h}\n    jitter:\n      up_to: 1s  # b\n      per: device\n\n      # c"
    ),
    (
      "    reload: {after: 2h}\n    jitter: none", "kinds.weather.jitter.up_to: 0s..5min",
      "    reload: {after: 2h}\n    jitter: {up_to: 5min}"
    ),
    // A block becomes a word.
    (
      "    reload:\n      # gone with it\n      after: 2h\n    cpu: 1s", "kinds.weather.reload: [never, at-end]",
      "    reload: at-end\n    cpu: 1s"
    ),
    (
      "    reload: {after: {exponential: 2h}}", "kinds.weather.reload.after: [1h, {uniform: 1h..2h}]",
      "    reload: {after: {uniform: 1h..2h}}"
    ),
    (
      "    reload: {after: 2h}\n    requests:\n      - {endpoint: a, down: 1kB}\n      - endpoint: b",
      "kinds.weather.requests.1.down: 1kB..9kB",
      "    reload: {after: 2h}\n    requests:\n      - {endpoint: a, down: 1kB}\n      - endpoint: b\n        down: 9kB"
    ),
  ])
  func tunedTextChangesOnlyValues(_ kind: String, _ tune: String, _ result: String) throws {
    let expected = Self.text(kind: result, tune: tune)
    #expect(try tuned(kind: kind, tune: tune) == expected)
    let windows = try tuned(kind: kind, tune: tune, ending: "\r\n")
    #expect(windows == expected.replacing("\n", with: "\r\n"))
  }

  /// A top-level key is added at the end of a file whose last line has no line break.
  @Test func keysOfTheTopLevelAreAppended() throws {
    let kind = "    reload: {after: 2h}"
    let tune = "os.min_spacing: 5min..9min"
    #expect(try tuned(kind: kind, tune: tune) == Self.text(kind: kind, tune: tune) + "\nos: {min_spacing: 9min}")
  }

  /// A byte order mark is kept.
  @Test func byteOrderMarkIsKept() throws {
    let text = Self.text(kind: "    reload: {after: 2h}", tune: "kinds.weather.reload.after: 1h..8h")
    let file = [0xEF, 0xBB, 0xBF] + Array(text.utf8)
    let tuned = TuneReader.read(text: file, fileName: "a.yaml", settings: []).plan?.tunedText(of: file, at: [0])
    let isSame = tuned == [0xEF, 0xBB, 0xBF] + Array(text.replacing("after: 2h}", with: "after: 1h}").utf8)
    #expect(isSame)
  }

  private func diff(_ old: String, _ new: String, name: String = "a.yaml") -> String {
    String(decoding: UnifiedDiff.text(from: Array(old.utf8), to: Array(new.utf8), name: name), as: UTF8.self)
  }

  @Test func patchesAreUnified() {
    #expect(diff("a\n", "a\n") == "")
    let old = (1...12).map { "\($0)\n" }.joined()
    #expect(
      diff(old, old.replacing("2\n3\n", with: "2\nx\n").replacing("\n10\n", with: "\n10\ny\n")) == """
        --- a.yaml
        +++ a.yaml
        @@ -1,6 +1,6 @@
         1
         2
        -3
        +x
         4
         5
         6
        @@ -8,5 +8,6 @@
         8
         9
         10
        +y
         11
         12

        """)
    #expect(
      diff("a", "b", name: "a b.yaml") == """
        --- a b.yaml\t
        +++ a b.yaml\t
        @@ -1 +1 @@
        -a
        \\ No newline at end of file
        +b
        \\ No newline at end of file

        """)
  }
}
