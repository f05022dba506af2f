import Foundation
import Testing

/// Outputs that would replace what the command reads are refused, and every file stays as it is.
struct OwnInputTests {
  /// Returns a child with folders and files as users have them: results, parts of a sweep, a tuned scenario, links of
  /// all kinds.
  private func child() throws -> Child {
    let child = try Child()
    let sweep = ["sweep", "small.yaml", "--vary", "fleet.devices=5,6", "--part"]
    for arguments in [
      ["run", "small.yaml", "-o", "d", "--no-bracket", "--no-trials"],
      ["tune", "small.yaml", "-o", "t", "--minimize", "requests", "--search", "fleet.devices=5..10"],
      sweep + ["1/2", "-o", "p1"], sweep + ["2/2", "-o", "p2"],
    ] { #expect(try child.run(arguments).status == 0) }
    try child.write(ProfileTests.profile, to: "mine.yaml")
    try child.write(Child.scenario().replacing("os: {", with: "os: {profile: mine.yaml, "), to: "profiled.yaml")
    let files = FileManager.default
    try files.linkItem(atPath: child.path("small.yaml"), toPath: child.path("hard.yaml"))
    try files.createSymbolicLink(atPath: child.path("soft.yaml"), withDestinationPath: "small.yaml")
    try files.createSymbolicLink(atPath: child.path("e"), withDestinationPath: "d")
    return child
  }

  /// Returns all files, following links.
  private func content(_ child: Child) throws -> [String: Data] {
    var content: [String: Data] = [:]
    for name in child.names() where !name.hasPrefix("std") {
      for file in child.names(in: name) { content["\(name)/\(file)"] = try? child.bytes("\(name)/\(file)") }
      content[name] = try? child.bytes(name)
    }
    return content
  }

  @Test func inputsAreNotReplaced() throws {
    let child = try child()
    defer { child.remove() }
    let before = try content(child)
    let quick = ["--no-bracket", "--no-trials", "-o", "n"]
    let inputs = ["small.yaml", "./d/../small.yaml", "hard.yaml", "soft.yaml", child.path("small.yaml")]
    let run = inputs.flatMap { [["run", "small.yaml", "--requests", $0], ["run", "small.yaml", "--junit", $0]] }
    let merge = ["sweep", "small.yaml", "--vary", "fleet.devices=5,6", "--merge", "p1", "p2", "-o"]
    for arguments in run.map({ $0 + quick }) + [
      ["run", "soft.yaml", "--junit", "soft.yaml"] + quick, ["run", "soft.yaml", "--junit", "small.yaml"] + quick,
      ["compare", "small.yaml", "--with", "os.idle=none", "--html", "small.yaml"],
      ["run", "t/tuned.yaml", "-o", "t"], merge + ["p1"], merge + ["p2"],
      ["run", "small.yaml", "--junit", "both", "--requests", "./both"] + quick,
      ["report", "d", "-o", "d/load.csv"], ["report", "d", "-o", "e/load.csv"], ["report", "e", "-o", "d/run.bin"],
      ["report", "d", "-o", "d/new.html"], ["report", "d", "--figure", "load", "-o", "d/new/load.svg"],
      ["export", "d", "--to", "k6", "-o", "d/causes.csv"], ["compare", "d", "d", "--html", "d/manifest.json"],
      ["compare", "small.yaml", "d", "--html", "d/new.html"],
    ] {
      let outcome = try child.run(arguments)
      let isRefused = outcome.status == 4 && outcome.error.contains("was not replaced: ")
      #expect(isRefused, "\(arguments): \(outcome)")
      let isAsBefore = try content(child) == before
      #expect(isAsBefore, "\(arguments)")
    }
  }

  @Test func profilesAndStandardInputAreInputsToo() throws {
    let child = try child()
    defer { child.remove() }
    for (file, arguments) in [("mine.yaml", ["profiled.yaml"]), ("stdin.txt", ["-"])] {
      let input = child.read("small.yaml")
      let outcome = try child.run(["run"] + arguments + ["--junit", file, "--no-bracket"], input: input)
      #expect(outcome.status == 4 && outcome.error.contains("this command reads it"), "\(outcome)")
    }
    #expect(child.read("mine.yaml").contains("name: lab") && child.read("stdin.txt") == child.read("small.yaml"))
  }

  @Test func reportReplacesThePageOfItsFolder() throws {
    let child = try child()
    defer { child.remove() }
    let before = try content(child)
    for folder in ["d", "e"] { #expect(try child.run(["report", folder]).status == 0) }
    let isAsBefore = try content(child) == before
    #expect(isAsBefore)
  }
}
