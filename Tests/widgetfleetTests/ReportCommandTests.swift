import FleetReports
import Foundation
import Testing

/// The `report` command: the page from run.bin alone.
struct ReportCommandTests {
  @Test(arguments: PageScenario.all.map(\.name))
  func pageIsTheSameByteForByte(_ name: String) throws {
    let child = try Child()
    defer { child.remove() }
    let text = try #require(PageScenario.all.first { $0.name == name }?.text)
    try child.write(text, to: "s.yaml")
    #expect(
      try child.run(["run", "s.yaml", "-o", "out", "--exit-zero"] + (name == "everything" ? [] : ["--no-bracket"]))
        .status == 0)
    let outcome = try child.run(["report", "out", "-o", "again.html"])
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(outcome.output.isEmpty)
    let isSame = child.read("again.html") == child.read("out/report.html")
    #expect(isSame && !child.read("again.html").isEmpty)
  }

  @Test func reportWithoutFileReplacesThePage() throws {
    let child = try Child()
    defer { child.remove() }
    #expect(try child.run(["run", "small.yaml", "-o", "out", "--no-bracket"]).status == 0)
    let page = child.read("out/report.html")
    try child.write("gone", to: "out/report.html")
    #expect(try child.run(["report", "out/"], environment: ["WIDGETFLEET_OUT": "elsewhere"]).status == 0)
    let isSame = child.read("out/report.html") == page
    #expect(isSame)
    #expect(!child.names().contains("elsewhere"))
    #expect(!child.names(in: "out").contains { $0.hasSuffix(".partial") })
  }

  @Test func aLinkIsReplacedNotFollowed() throws {
    let child = try Child()
    defer { child.remove() }
    #expect(try child.run(["run", "small.yaml", "-o", "out", "--no-bracket"]).status == 0)
    try child.write("precious", to: "target")
    try FileManager.default.createSymbolicLink(atPath: child.path("page.html"), withDestinationPath: "target")
    #expect(try child.run(["report", "out", "-o", "page.html"]).status == 0)
    #expect(child.read("target") == "precious")
    #expect(child.read("page.html").hasPrefix("<!DOCTYPE html>"))
    let folder = try child.run(["report", "out", "-o", "out"])
    #expect(folder.status == 4 && folder.error.contains("it is not a file"))
    #expect(try child.run(["report", "out", "-o", "new/page.html"]).status == 0)
    #expect(child.read("new/page.html") == child.read("page.html"))
  }

  /// A kind of damage to the results, with its message.
  struct Damage: Sendable, CustomTestStringConvertible {
    var says: String
    /// Returns modified bytes; `nil` to remove the file.
    var corrupt: @Sendable (Data) -> Data?

    var testDescription: String { says }
  }

  @Test(arguments: [
    Damage(says: "'out' has no run.bin, which a run of") { _ in nil },
    Damage(says: "'out/run.bin' is not a run file") { _ in Data() },
    Damage(says: "'out/run.bin' is not a run file") { _ in Data("PK".utf8) },
    Damage(says: "has format 'widgetfleet.run/v9', which this version cannot read: run the scenario again") {
      $0.replacing("run/v2", with: "run/v9")
    },
    Damage(says: "'out/run.bin' was written by widgetfleet 99.0, but this is ") { Data(Self.resealed($0, "99.0")) },
    Damage(says: "'out/run.bin' is damaged: its contents have changed since it was written; run the scenario again") {
      $0.dropLast(1)
    },
    Damage(says: "'out/run.bin' is damaged: its contents have changed") { $0 + [0] },
    Damage(says: "'out/run.bin' is damaged: its contents have changed") { $0.replacing("small", with: "smell") },
  ])
  func badResults(_ damage: Damage) throws {
    let child = try Child()
    defer { child.remove() }
    #expect(try child.run(["run", "small.yaml", "-o", "out", "--no-bracket"]).status == 0)
    let file = URL(fileURLWithPath: child.path("out/run.bin"))
    if let spoiled = damage.corrupt(try Data(contentsOf: file)) {
      try spoiled.write(to: file)
    } else {
      try FileManager.default.removeItem(at: file)
    }
    for command in [
      ["report", "out", "-o", "page.html"], ["compare", "out", "out"], ["explain", "out", "peak"],
      ["export", "out", "--to", "k6"],
    ] {
      let outcome = try child.run(command)
      #expect(outcome.status == 2, "\(outcome.error)")
      #expect(outcome.error.contains(damage.says), "\(outcome.error)")
      #expect(outcome.output.isEmpty)
    }
    #expect(!child.names().contains("page.html"))
  }

  /// Returns the fields of some results with another version's header, under a valid checksum.
  private static func resealed(_ bytes: Data, _ version: String) -> [UInt8] {
    let head = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 2).prefix(2).reduce(0) { $0 + $1.count + 1 }
    return RunFile.sealed(Array(bytes.dropFirst(head).dropLast(32)), version: version)
  }

  /// The files meant for people are never read: the page is the same however they are changed.
  @Test func humanReadableFilesAreNeverRead() throws {
    let child = try Child()
    defer { child.remove() }
    #expect(try child.run(["run", "small.yaml", "-o", "out", "--no-bracket"]).status == 0)
    let page = child.read("out/report.html")
    for name in child.names(in: "out") where name != "run.bin" && name != "manifest.json" {
      try child.write("gone", to: "out/" + name)
    }
    #expect(try child.run(["report", "out", "-o", "again.html"]).status == 0)
    #expect(child.read("again.html") == page && !page.isEmpty)
  }

  @Test(arguments: [
    (["report"], 2, "DIR is missing"), (["report", "nowhere"], 4, "No such file"),
    (["report", "small.yaml"], 2, "is not a results folder"), (["report", "."], 2, "has no run.bin"),
    (["report", ".", "-o", ""], 2, "a file name"), (["report", "--help"], 0, "DIR/report.html"),
  ])
  func usage(_ arguments: [String], _ status: Int32, _ says: String) throws {
    let child = try Child()
    defer { child.remove() }
    let outcome = try child.run(arguments)
    #expect(outcome.status == status)
    #expect((outcome.output + outcome.error).contains(says), "\(outcome.error)")
  }

  /// Damage anywhere is refused.
  @Test func randomDamageIsRefused() throws {
    let child = try Child()
    defer { child.remove() }
    #expect(try child.run(["run", "small.yaml", "-o", "out", "--no-bracket"]).status == 0)
    let seed = UInt64.random(in: 0...UInt64.max)
    var state = seed
    let random = { (limit: Int) -> Int in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(max(limit, 1)))
    }
    let path = child.path("out/run.bin")
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    for _ in 0..<12 {
      var spoiled = whole
      let place = random(spoiled.count)
      if random(3) == 0 { spoiled.removeSubrange(place...) } else { spoiled[place] ^= UInt8(1 + random(255)) }
      try spoiled.write(to: URL(fileURLWithPath: path))
      #expect(try child.run(["report", "out", "-o", "page.html"]).status == 2, "seed \(seed)")
    }
  }
}

extension Data {
  fileprivate func replacing(_ old: String, with new: String) -> Data {
    guard let place = range(of: Data(old.utf8)) else { return self }
    return self[..<place.lowerBound] + Data(new.utf8) + self[place.upperBound...]
  }
}
