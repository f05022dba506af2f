import Foundation
import Testing

/// The commands `export`, `run --timestamps` and `report --figure`.
struct ExportCommandTests {
  private static let quick = ["--no-bracket", "--no-trials", "-q"]

  /// Returns folders of one run, with and without timestamps.
  private static func child() throws -> Child {
    let child = try Child()
    #expect(try child.run(["run", "small.yaml", "-o", "out"] + quick).status == 0)
    return child
  }

  @Test(arguments: ["k6", "locust", "openmetrics", "grafana"])
  func fileAndStandardOutputAreEqual(_ target: String) throws {
    let child = try Self.child()
    defer { child.remove() }
    let shown = try child.run(["export", "out", "--to", target])
    #expect(shown.status == 0 && shown.error.isEmpty && !shown.output.isEmpty)
    let written = try child.run(["export", "out/", "--to", target, "-o", "new/file"])
    #expect(written.status == 0 && written.output.isEmpty)
    #expect(child.read("new/file") == shown.output)
    let full = try child.run(["export", "out", "--to", target], output: "/dev/full")
    #expect(full.status == 4)
    #expect(full.error == "error: cannot write 'standard output': No space left on device\n")
  }

  /// Servers without a CDN, limits or base load receive exactly the phones' requests.
  @Test func serversWithoutACDNGetWhatPhonesSend() throws {
    let child = try Self.child()
    defer { child.remove() }
    let (phones, servers) = (
      try child.run(["export", "out", "--to", "k6"]), try child.run(["export", "out", "--to", "k6", "--at", "servers"])
    )
    #expect(servers.status == 0 && !servers.output.isEmpty && servers.output == phones.output)
  }

  /// Figures and exports are the same with an additional column in the tables; the manifest and page mention it.
  @Test func timestampsChangeNothingElse() throws {
    let child = try Self.child()
    defer { child.remove() }
    #expect(try child.run(["run", "small.yaml", "-o", "timed", "--timestamps"] + Self.quick).status == 0)
    #expect(child.names(in: "timed") == child.names(in: "out"))
    for name in child.names(in: "out") {
      let isSame = try child.bytes("timed/" + name) == child.bytes("out/" + name)
      let others = ["load.csv", "causes.csv", "manifest.json", "report.html", "run.bin"]
      #expect(isSame != others.contains(name), "\(name)")
    }
    #expect(try child.run(["report", "timed", "-o", "page.html"]).status == 0)
    let isSame = child.read("page.html") == child.read("timed/report.html")
    #expect(isSame)
    for target in ["k6", "openmetrics"] {
      let exports = try ["out", "timed"].map { try child.run(["export", $0, "--to", target]).output }
      #expect(exports[0] == exports[1] && !exports[0].isEmpty)
    }
    #expect(try child.run(["compare", "out", "timed"]).status == 0)
  }

  @Test(arguments: [
    ([], "--to is missing", "write --to k6"),
    (["--to", "k6", "--factor", "0"], "--factor must be a number from", "write --factor 0.1"),
    (["--to", "k6", "--url", "localhost:8080"], "--url must be a base", "write --url http://localhost:8080"),
    (["--to", "k6", "--url", "http://x/$(rm)"], "--url must be a base", "write --url http://localhost:8080"),
    (["--to", "grafana", "--factor", "2"], "--factor is for load tests", "write --to k6"),
    (["--to", "k6", "--part", "1h..2h"], "is outside the measured period", "write --part 2027-01-18T00:00:00Z.."),
    (["--to", "k6", "--part", "00:30"], "--part '00:30' is not a range", "a range is low..high"),
    (["--to", "k6", "--step", "1500ms"], "must be a multiple of clock.step, 1s", "write --step 1s"),
  ]) func refusalsSuggestAValidPart(_ options: [String], _ sentence: String, _ help: String) throws {
    let child = try Self.child()
    defer { child.remove() }
    let outcome = try child.run(["export", "out"] + options)
    #expect(outcome.status == 2 && outcome.output.isEmpty)
    #expect(outcome.error.contains(sentence) && outcome.error.contains("= help: " + help), "\(outcome.error)")
    // The suggestion is valid together with the other options.
    guard let words = outcome.error.firstMatch(of: /write (--\w+ \S+)/)?.1.split(separator: " ").map(String.init)
    else { return }
    let rest = words[0] == "--to" ? ["--to", words[1].replacing(",", with: "")] : ["--to", "k6"] + words
    #expect(try child.run(["export", "out"] + rest).status == 0)
  }

  @Test func emptyExportIsReported() throws {
    let child = try Self.child()
    defer { child.remove() }
    let outcome = try child.run(["export", "out", "--to", "k6", "--factor", "0.000001"])
    #expect(outcome.status == 2 && outcome.error.contains("has no requests to send"))
  }

  // MARK: Figures

  @Test func figureIsDrawnAloneAsSVGAndPNG() throws {
    let child = try Self.child()
    defer { child.remove() }
    let svg = try child.run(["report", "out", "--figure", "load"])
    #expect(svg.status == 0 && svg.output.hasPrefix("<?xml") && svg.output.contains("Requests per second"))
    #expect(try child.run(["report", "out", "--figure", "load", "-o", "load.svg"]).status == 0)
    #expect(child.read("load.svg") == svg.output)
    let png = try child.run(["report", "out", "--figure", "load", "--as", "png", "-o", "load.png"])
    #expect(png.status == 0, "\(png.error)")
    let bytes = [UInt8](try child.bytes("load.png"))
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    // Width and height from the first chunk, with two pixels per unit of the drawing.
    let sizes = [16, 20].map { start in bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    let drawn = try #require(svg.output.firstMatch(of: /viewBox="0 0 ([0-9.]+) ([0-9.]+)"/))
    #expect(sizes == [drawn.1, drawn.2].map { Int(2 * (Double($0) ?? 0)) })
    #expect(try child.run(["report", "out", "--figure", "load", "--as", "png", "-o", "again.png"]).status == 0)
    #expect(try child.bytes("again.png") == child.bytes("load.png"))
    // The page in the folder is unchanged.
    #expect(child.read("out/report.html").hasPrefix("<!DOCTYPE html>"))
  }

  @Test func withoutTheLibraryThePackageIsNamed() throws {
    let child = try Self.child()
    defer { child.remove() }
    try child.write("no library", to: "librsvg-2.so.2")
    let outcome = try child.run(
      ["report", "out", "--figure", "load", "--as", "png", "-o", "load.png"],
      environment: ["LD_LIBRARY_PATH": child.folder.path])
    #expect(outcome.status == 4 && outcome.error.contains("install the Debian package librsvg2-2"), "\(outcome.error)")
    #expect(!child.names().contains("load.png"))
  }

  @Test func wrongFigureNameGetsSuggestions() throws {
    let child = try Self.child()
    defer { child.remove() }
    let unknown = try child.run(["report", "out", "--figure", "nothing"])
    #expect(unknown.status == 2 && unknown.error.contains("figures are load, load-all"), "\(unknown.error)")
    let near = try child.run(["report", "out", "--figure", "lood"])
    #expect(near.status == 2 && near.error.contains("load"))
    #expect(try child.run(["report", "out", "--as", "svg"]).error.contains("--as needs --figure NAME"))
    let pixels = try child.run(["report", "out", "--figure", "load", "--as", "png"])
    #expect(pixels.status == 2 && pixels.output.isEmpty && pixels.error.contains("--as png needs -o FILE"))
  }
}
