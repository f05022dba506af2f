import Foundation
import Testing

/// `report`: the page again, from the files alone.
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

  @Test func withoutAFileItReplacesThePageInTheFolder() throws {
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

  /// A way to spoil a folder, and what is then said.
  struct Damage: Sendable, CustomTestStringConvertible {
    var file: String
    var old: String
    /// nil: the file goes.
    var new: String?
    var status: Int32 = 2
    var says: String

    var testDescription: String { "\(file): \(says)" }
  }

  @Test(arguments: [
    Damage(file: "manifest.json", old: "", new: nil, says: "has no manifest.json"),
    Damage(file: "manifest.json", old: "\"complete\": true", new: "\"complete\": false", says: "not complete"),
    Damage(file: "manifest.json", old: "manifest/v1", new: "manifest/v9", says: "has schema 'widgetfleet.manifest/v9'"),
    Damage(
      file: "manifest.json", old: "\"version\": \"", new: "\"version\": \"99.", says: "was written by widgetfleet 99."),
    Damage(
      file: "manifest.json", old: "\"seed\": 1,", new: "\"seed\": -,", says: "is damaged at line 6: '-' is no value"),
    Damage(
      file: "manifest.json", old: "\\\"small\\\"", new: "\\\"smell\\\"", says: "not the one of its scenario_sha256"),
    Damage(file: "summary.json", old: "", new: nil, status: 4, says: "out/summary.json': No such file"),
    Damage(file: "summary.json", old: "summary/v1", new: "summary/v2", says: "has schema"),
    Damage(
      file: "summary.json", old: "\"metric\": \"lateness\"", new: "\"metric\": \"luck\"", says: "'luck' is no metric"),
    Damage(file: "load.csv", old: "1,7,api,", new: "1,7,apu,", says: "is damaged at line 9: another replication, time"),
    Damage(
      file: "load.csv", old: "1,7,api,0", new: "1,7,api,x",
      says: "is damaged at line 9, column arrivals: 'x' is not a number"),
    Damage(file: "load.csv", old: "\n1,3599,", new: "", says: "is damaged at line 3600"),
    Damage(file: "load.csv", old: "arrivals,", new: "arrival,", says: "is damaged at line 1: its columns"),
    Damage(file: "causes.csv", old: ",policy,", new: ",luck,", says: "an endpoint, cohort or cause that"),
    Damage(file: "causes.csv", old: "\n1,", new: "\n7,", says: "there is no replication 7"),
    Damage(file: "distribution.csv", old: ",weather,", new: ",whether,", says: "a cohort or kind that"),
    Damage(file: "distribution.csv", old: "\n1,", new: "\n1", says: "fields instead of"),
  ])
  func badFolders(_ damage: Damage) throws {
    let child = try Child()
    defer { child.remove() }
    #expect(try child.run(["run", "small.yaml", "-o", "out", "--no-bracket"]).status == 0)
    let name = "out/" + damage.file
    if let new = damage.new {
      let text = child.read(name)
      let place = try #require(text.range(of: damage.old), "the file does not hold what is to be spoiled")
      try child.write(text.replacingCharacters(in: place, with: new), to: name)
    } else {
      try FileManager.default.removeItem(atPath: child.path(name))
    }
    let outcome = try child.run(["report", "out", "-o", "page.html"])
    #expect(outcome.status == damage.status, "\(outcome.error)")
    #expect(outcome.error.contains(damage.says), "\(outcome.error)")
    #expect(outcome.output.isEmpty)
    #expect(!child.names().contains("page.html"))
  }

  @Test(arguments: [
    (["report"], 2, "DIR is missing"), (["report", "nowhere"], 4, "No such file"),
    (["report", "small.yaml"], 2, "is not a results folder"), (["report", "."], 2, "has no manifest.json"),
    (["report", ".", "-o", ""], 2, "name of a file"), (["report", "--help"], 0, "DIR/report.html"),
  ])
  func usage(_ arguments: [String], _ status: Int32, _ says: String) throws {
    let child = try Child()
    defer { child.remove() }
    let outcome = try child.run(arguments)
    #expect(outcome.status == status)
    #expect((outcome.output + outcome.error).contains(says), "\(outcome.error)")
  }

  /// Damage anywhere is told, or changes nothing that is not shown: never a crash.
  @Test func randomDamageNeverCrashes() throws {
    let child = try Child()
    defer { child.remove() }
    #expect(try child.run(["run", "small.yaml", "-o", "out", "--no-bracket"]).status == 0)
    let seed = UInt64.random(in: 0...UInt64.max)
    var state = seed
    let random = { (limit: Int) -> Int in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(max(limit, 1)))
    }
    for name in ["manifest.json", "summary.json", "load.csv", "causes.csv", "distribution.csv"] {
      let path = child.path("out/" + name)
      let whole = try Data(contentsOf: URL(fileURLWithPath: path))
      for _ in 0..<3 {
        var spoiled = whole
        let place = random(spoiled.count)
        if random(3) == 0 { spoiled.removeSubrange(place...) } else { spoiled[place] = UInt8(random(256)) }
        try spoiled.write(to: URL(fileURLWithPath: path))
        let status = try child.run(["report", "out", "-o", "page.html"]).status
        #expect([0, 2].contains(status), "\(name), seed \(seed)")
      }
      try whole.write(to: URL(fileURLWithPath: path))
    }
  }
}
