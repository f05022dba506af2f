import Foundation
import Testing

/// How a log's defect affects the results of `calibrate`: by at most a standard error, or it is reported.
struct DefectTests {
  /// A defect, the code of its finding, and the keys whose estimates it may change.
  enum Defect: String, CaseIterable {
    case copies, lostHour, lostServer, skewedClock, pollers, sharedID, dailyIDs, tornEnd, together

    var codes: [String] {
      switch self {
      case .copies: ["WF611"]
      case .lostHour, .lostServer: ["WF612"]
      case .skewedClock: ["WF613"]
      case .pollers: ["WF614"]
      case .sharedID, .dailyIDs: ["WF615"]
      case .tornEnd: []
      case .together: ["WF611", "WF612", "WF614", "WF615"]
      }
    }

    /// The keys that can no longer be estimated.
    var untold: [String] { self == .dailyIDs ? ["fleet.cohorts.all.zones.Europe/Berlin"] : [] }
  }

  /// A line of the original log.
  struct Line {
    var text: String
    let id: String
    /// The minutes since the start of the log.
    let minute: Int
    let number: Int

    /// Returns which of several equal parts a line belongs to, by number, using SplitMix64's last steps.
    func part(of parts: UInt64, _ salt: UInt64) -> UInt64 {
      var word = (UInt64(number) &+ salt) &* 0x9E37_79B9_7F4A_7C15
      word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
      return (word ^ word >> 27) % parts
    }
  }

  /// 300 phones over six days, from the truth used for calibrations.
  private static let base: [Line] = {
    guard let child = try? CalibrateTests.child("jsonl") else { return [] }
    defer { child.remove() }
    return child.read("log").split(separator: "\n").enumerated().map { number, text in
      let digits = text.dropFirst(12)
      let (day, hour) = (Int(digits.dropFirst(8).prefix(2)) ?? 0, Int(digits.dropFirst(11).prefix(2)) ?? 0)
      let minute = Int(digits.dropFirst(14).prefix(2)) ?? 0
      let id = text.split(separator: "\"id\":\"")[1].prefix(16)
      return Line(
        text: String(text), id: String(id), minute: (day - 18) * 1_440 + hour * 60 + minute, number: number)
    }
  }()

  /// Returns the lines with a defect.
  private static func lines(with defect: Defect) -> [String] {
    switch defect {
    case .copies: return (base + base.filter { $0.part(of: 20, 1) == 0 }).map(\.text)
    case .lostHour: return base.filter { !(3_000..<3_060).contains($0.minute) }.map(\.text)
    case .lostServer:
      return base.filter { !(3_000..<3_600).contains($0.minute) || $0.part(of: 2, 2) == 0 }.map(\.text)
    case .skewedClock: return base.map(skewed)
    case .pollers: return base.map(\.text) + pollers
    case .sharedID: return (base + shared).map(\.text)
    case .dailyIDs:
      return base.map { $0.text.replacing("\"id\":\"", with: "\"id\":\"\($0.minute / 1_440)") }
    case .tornEnd: return base.dropLast().map(\.text) + [String(base[base.count - 1].text.prefix(60))]
    case .together:
      let whole = base + base.filter { $0.part(of: 20, 1) == 0 } + shared
      return whole.filter { !(3_000..<3_060).contains($0.minute) }.map(\.text) + pollers
    }
  }

  /// Returns the line after a change that puts half of the lines on a server whose clock is a minute slow.
  private static func skewed(_ line: Line) -> String {
    let isSlow = line.part(of: 2, 3) == 0
    let minute = line.minute - (isSlow ? 1 : 0)
    let stamp = String(
      format: "2027-01-%02dT%02d:%02d", 18 + (minute + 1_440) / 1_440 - 1, (minute + 1_440) / 60 % 24,
      (minute + 1_440) % 60)
    let text = "{\"host\":\"\(isSlow ? "b" : "a")\"," + line.text.dropFirst()
    return text.replacing(line.text.dropFirst(12).prefix(16), with: stamp)
  }

  /// Three programs that send a request every three minutes, day and night, like the app.
  private static let pollers: [String] = (0..<3 * 2_880).map { index in
    let (program, minute) = (index % 3, index / 3 * 3)
    let stamp = String(
      format: "2027-01-%02dT%02d:%02d:%02d.500Z", 18 + minute / 1_440, minute / 60 % 24, minute % 60, program)
    return "{\"arrival\":\"\(stamp)\",\"id\":\"poller\(program)\",\"method\":\"GET\",\"path\":\"/forecast\","
      + "\"status\":200,\"bytes\":8000,\"duration\":0.060,\"user_agent\":\"WeatherWidgetExtension/231 "
      + "CFNetwork/3860.100.1 Darwin/25.0.0\",\"request_id\":\"poll\(index)\"}"
  }

  /// A tenth of the phones again, with zeros for their ID.
  private static let shared: [Line] = {
    let ids = Set(Set(base.map(\.id)).sorted().prefix(30))
    return base.filter { ids.contains($0.id) }.map { line in
      var line = line
      line.text = line.text.replacing(line.id, with: "0000000000000000").replacing(
        "request_id\":\"", with: "request_id\":\"zero")
      return line
    }
  }()

  @Test(arguments: Defect.allCases)
  func defectsDoNotChangeEstimates(_ defect: Defect) throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(CalibrateTests.truth, to: "truth.yaml")
    try child.write(String(repeating: "5eed", count: 8), to: "key")
    try child.write(Self.base.map(\.text).joined(separator: "\n") + "\n", to: "plain")
    try child.write(Self.lines(with: defect).joined(separator: "\n") + "\n", to: "spoiled")
    func output(_ name: String) throws -> String {
      let calibrate = ["calibrate", "truth.yaml", "--id", "id", "--key-file", "key", "--no-simulation", "--log", name]
      return try child.run(calibrate + ["--map", "node=host", "-o", "Reports/\(name)"]).output
    }
    let plainOutput = try output("plain")
    let spoiledOutput = try output("spoiled")
    for code in defect.codes {
      #expect(!plainOutput.contains(code) && spoiledOutput.contains(code), "\(code): \(spoiledOutput)")
    }
    let (plain, spoiled) = (
      CalibrateTests.parameters(child, "plain"), CalibrateTests.parameters(child, "spoiled")
    )
    let keys = [
      "kinds.weather.reload.after", "os.start_delay.policy", "os.idle.give_up", "fleet.devices",
      "fleet.cohorts.all.zones.Europe/Berlin",
    ]
    for key in defect.untold { #expect(spoiled[key]?.verdict == "notFromThisLog") }
    for key in keys where !defect.untold.contains(key) {
      let (own, other) = (try #require(plain[key]), try #require(spoiled[key]))
      let (value, low, high) = (try #require(own.value), try #require(own.low), try #require(own.high))
      let moved = try #require(other.value) - value
      // A 95 % interval is 3.92 standard errors wide; the number of phones is counted, not estimated.
      #expect(abs(moved) <= max((high - low) / 3.92, 1e-9), "\(key): \(value) [\(low), \(high)], \(moved)")
    }
  }
}
