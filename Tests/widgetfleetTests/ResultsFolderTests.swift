import Foundation
import Testing

/// The results folder is either complete or absent, and no user files are lost.
struct ResultsFolderTests {
  private static let files = [
    "asked.csv", "causes.csv", "devices.csv", "distribution.csv", "echo.csv", "goals.csv", "hours.csv", "load.csv",
    "manifest.json", "report.html", "run.bin", "summary.csv", "summary.json", "trials.csv",
  ]

  @Test func resultsFolderContainsEveryFile() throws {
    let child = try Child()
    defer { child.remove() }
    #expect(try child.run(["run", "small.yaml"]).status == 0)
    #expect(child.names(in: "Reports") == ["small"])
    #expect(child.names(in: "Reports/small") == Self.files)
    #expect(child.read("Reports/small/load.csv").split(separator: "\n").count == 3_601)
  }

  @Test func nextRunReplacesResultsButKeepsUserFiles() throws {
    let child = try Child()
    defer { child.remove() }
    #expect(try child.run(["run", "small.yaml"]).status == 0)
    let first = child.read("Reports/small/load.csv")
    try child.write("mine", to: "Reports/small/notes.txt")
    #expect(try child.run(["run", "small.yaml", "--seed=7", "-o", "Reports/small"]).status == 0)
    let isReplaced = child.read("Reports/small/load.csv") != first
    #expect(isReplaced)
    #expect(child.read("Reports/small/notes.txt") == "mine")
    #expect(child.names(in: "Reports") == ["small"])
  }

  @Test(arguments: ["", "{\n  \"schema\": \"somebody/v1\"\n}\n"])
  func foreignFolderIsNotChanged(_ manifest: String) throws {
    let child = try Child()
    defer { child.remove() }
    try FileManager.default.createDirectory(atPath: child.path("photos"), withIntermediateDirectories: true)
    try child.write("precious", to: "photos/summary.csv")
    if !manifest.isEmpty { try child.write(manifest, to: "photos/manifest.json") }
    let before = child.names(in: "photos")
    let outcome = try child.run(["run", "small.yaml", "-o", "photos"])
    #expect(outcome.status == 4)
    #expect(outcome.error.contains("without a widgetfleet manifest"))
    #expect(child.names(in: "photos") == before)
    #expect(child.read("photos/summary.csv") == "precious")
    #expect(!child.names().contains { $0.hasSuffix(".partial") })
  }

  @Test func aLinkIsReplacedNotFollowed() throws {
    let child = try Child()
    defer { child.remove() }
    try FileManager.default.createDirectory(atPath: child.path("target"), withIntermediateDirectories: true)
    try child.write("precious", to: "target/summary.csv")
    for link in ["target", "nowhere"] {
      try FileManager.default.createSymbolicLink(atPath: child.path("out-" + link), withDestinationPath: link)
      #expect(try child.run(["run", "small.yaml", "-o", "out-\(link)/"]).status == 0)
      #expect(child.names(in: "out-" + link) == Self.files)
      let type = try FileManager.default.attributesOfItem(atPath: child.path("out-" + link))[.type]
      #expect(type as? FileAttributeType == .typeDirectory)
    }
    #expect(child.names(in: "target") == ["summary.csv"])
    #expect(child.read("target/summary.csv") == "precious")
    #expect(!child.names().contains { $0.hasPrefix(".") }, "\(child.names())")
  }

  /// Links in old results, both the user's and those in place of the program's files: the former stay, the latter are
  /// replaced, and none is followed.
  @Test func linksInOldResultsAreNotFollowed() throws {
    let child = try Child()
    defer { child.remove() }
    let files = FileManager.default
    let run = ["run", "small.yaml", "--no-bracket", "--no-trials", "-o", "Reports/out"]
    #expect(try child.run(run).status == 0)
    try child.write("precious", to: "mine")
    let users = ["a": "../../mine", "b": "nowhere", "c": "/", "d": "d"]
    for (name, target) in users {
      try files.createSymbolicLink(atPath: child.path("Reports/out/" + name), withDestinationPath: target)
    }
    #expect(mkfifo(child.path("Reports/out/pipe"), 0o600) == 0)
    for ours in ["load.csv", "summary.csv"] {
      try files.removeItem(atPath: child.path("Reports/out/" + ours))
      try files.createSymbolicLink(atPath: child.path("Reports/out/" + ours), withDestinationPath: "../../mine")
    }
    for _ in 0..<3 {
      let outcome = try child.run(run)
      #expect(outcome.status == 0, "\(outcome.error)")
      #expect(child.names(in: "Reports") == ["out"])
      #expect(child.names(in: "Reports/out") == (Self.files + users.keys + ["pipe"]).sorted())
    }
    for (name, target) in users {
      #expect(try files.destinationOfSymbolicLink(atPath: child.path("Reports/out/" + name)) == target)
    }
    #expect(child.read("mine") == "precious" && child.read("Reports/out/load.csv").contains(","))
    // The state left by a process that is killed between the swap and the end.
    try files.createSymbolicLink(
      atPath: child.path("Reports/.widgetfleet-1-0.partial"), withDestinationPath: "../mine")
    #expect(try child.run(run).status == 0)
    #expect(child.names(in: "Reports") == ["out"] && child.read("mine") == "precious")
  }

  /// A link in place of a sweep's store is removed without being followed.
  @Test func linkInPlaceOfAStoreIsNotFollowed() throws {
    let child = try Child()
    defer { child.remove() }
    let sweep = ["sweep", "small.yaml", "--vary", "fleet.devices=5,6", "-o"]
    #expect(try child.run(sweep + ["whole"]).status == 0)
    let before = try child.bytes("whole/runs.sqlite")
    try FileManager.default.createDirectory(atPath: child.path(".out.unfinished"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: child.path(".out.unfinished/runs.sqlite"), withDestinationPath: "../whole/runs.sqlite")
    #expect(try child.run(sweep + ["out", "--resume"]).status == 0)
    #expect(try child.bytes("whole/runs.sqlite") == before)
    #expect(!child.names().contains(".out.unfinished"))
  }

  @Test func leftoversWithForeignFilesAreKept() throws {
    let child = try Child()
    defer { child.remove() }
    for (name, file) in [(".widgetfleet-1-0.partial", "load.csv"), (".widgetfleet-2-0.partial", "mine.txt")] {
      try FileManager.default.createDirectory(atPath: child.path("Reports/" + name), withIntermediateDirectories: true)
      try child.write("x", to: "Reports/\(name)/\(file)")
    }
    #expect(try child.run(["run", "small.yaml"]).status == 0)
    #expect(child.names(in: "Reports") == [".widgetfleet-2-0.partial", "small"])
    #expect(child.read("Reports/.widgetfleet-2-0.partial/mine.txt") == "x")
  }

  @Test func fullDiskKeepsTheOldFolder() throws {
    let child = try Child()
    defer { child.remove() }
    #expect(try child.run(["run", "small.yaml"]).status == 0)
    let before = child.read("Reports/small/load.csv")
    let limited = "ulimit -f 20; exec '\(Child.executable.path)' run small.yaml --seed=9"
    let process = try child.start(["-c", limited], executable: URL(fileURLWithPath: "/bin/bash"))
    process.waitUntilExit()
    #expect(child.outcome(of: process).status == 4)
    #expect(child.read("stderr.txt").contains("cannot write"))
    let isKept = child.read("Reports/small/load.csv") == before
    #expect(isKept)
    #expect(child.names(in: "Reports") == ["small"])
  }

  @Test func concurrentRunsDoNotRemoveEachOther() throws {
    let child = try Child()
    defer { child.remove() }
    let other = try Child()
    defer { other.remove() }
    try child.write(Child.scenario(name: "other", devices: 2_000), to: "other.yaml")
    let first = try child.start(["run", child.path("other.yaml"), "-o", other.path("a")])
    let second = try other.start(["run", "small.yaml", "-o", "b"])
    first.waitUntilExit()
    second.waitUntilExit()
    #expect([first.terminationStatus, second.terminationStatus] == [0, 0])
    #expect(other.names(in: "a") == Self.files)
    #expect(other.names(in: "b") == Self.files)
  }
}
