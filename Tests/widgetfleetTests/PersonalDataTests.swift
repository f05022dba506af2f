import Foundation
import Testing

/// Personal data in single requests appears in no output: not in that of `logs`, nor in what `calibrate` and `backtest`
/// write.
struct PersonalDataTests {
  /// The kinds of data, with the texts that must not be found.
  private static let kinds: [(kind: String, data: [String])] = [
    ("name", ["Ottilie Wackernagel", "Wackernagel"]), ("user name", ["wackernagel_o"]),
    ("mail", ["o.quast@posteo.example", "o.quast"]), ("phone", ["+49-151-55512"]), ("street", ["Gartenweg 17b"]),
    ("postcode", ["D-10999"]), ("city", ["Quakenbrueck"]), ("coordinates", ["52.49871,13.41802"]),
    ("birthday", ["1974-03-19"]), ("tax number", ["DE811907980"]), ("social security", ["078-05-1120"]),
    ("passport", ["C01X00T47"]), ("driving licence", ["B072RRE2I55"]), ("account", ["DE89370400440532013000"]),
    ("card", ["4111-1111-1111-1111"]), ("IPv4", ["198.51.100.77"]), ("IPv6", ["2001:db8::8a2e:370:7334"]),
    ("MAC", ["00:1B:44:11:3A:B7"]), ("advertising id", ["6D92078A-8246-4BA4-AE5B-76104861E7DC"]),
    ("session", ["sess_Zm9vYmFyYmF6"]), ("token", ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIi.QxYz"]),
    ("API key", ["sk-live-PqRsTuVw"]), ("device name", ["Ottilies-iPhone"]), ("network", ["FritzBox-Wacker"]),
    ("number plate", ["B-OW-1974"]), ("patient", ["PAT-7781-K"]), ("diagnosis", ["J45.0-asthma"]),
    ("order", ["ORD-99-ZX"]), ("file", ["lebenslauf-ow.pdf"]), ("belief", ["quaker-meeting"]),
    ("employer", ["ministerium-x"]), ("search", ["scheidung anwalt"]),
  ]

  private static let scenario = """
    schema: widgetfleet/v1
    name: truth
    clock: {start: 2027-01-18T00:00:00Z, duration: 1d}
    kinds:
      weather:
        reload: {after: 30min}
        requests: [{endpoint: forecast}]
    fleet:
      devices: 40
      cohorts: [{name: all, zones: {Europe/Berlin: 100%}, widgets: [{kind: weather}]}]
    backend:
      endpoints:
        forecast: {}

    """

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
  }

  /// Returns a line of JSON: an ordinary one, or one with a datum in each of its parts.
  private static func line(_ time: Int, _ phone: Int, _ datum: String?) -> String {
    let part = datum ?? "common"
    let path = datum.map { "/\($0)/v2/\($0)/forecast" } ?? "/v2/forecast"
    let agent = (datum.map { $0 + " " } ?? "") + "WeatherWidget/12 CFNetwork/1568 Darwin/24.1"
    let fields = [
      ("remote_addr", "192.0.2.\(phone + 1)"),
      ("request", "GET \(path)?install=0123456789ab\(10 + phone)&w=\(part)&\(part)=1 HTTP/2"),
      ("http_user_agent", agent), ("http_referer", "https://\(part)/\(part)"), ("http_cookie", "sid=\(part)"),
      ("hostname", part), ("remote_user", part), (part, part), ("request_id", "\(time) \(phone) \(part)"),
    ]
    let texts = fields.map { name, value in "\"\(name)\":\"\(value)\"" }
    return "{\"ts\":\(time),\"status\":200,\(texts.joined(separator: ","))}"
  }

  /// Returns three days of 40 phones, including three lines with each kind of datum, as is and encoded.
  private static func log() -> String {
    let start = 1_800_230_400
    var common: [String] = []
    for slot in 0..<144 { common += (0..<40).map { line(start + slot * 1_800 + $0 * 7, $0, nil) } }
    var single: [String] = []
    for (number, kind) in kinds.enumerated() {
      for (time, datum) in [kind.data[0], encoded(kind.data[0]), kind.data[0]].enumerated() {
        single.append(line(start + number * 3_600 + time * 60, number % 40, datum))
      }
    }
    return (common[..<80] + single + common[80...]).joined(separator: "\n") + "\n"
  }

  private static func found(in text: String) -> [String] {
    let lowered = text.lowercased()
    return kinds.filter { _, data in
      data.contains { lowered.contains($0.lowercased()) || lowered.contains(encoded($0).lowercased()) }
    }.map(\.kind)
  }

  private static let read = ["--id", "query.install", "--map", "kind=query.w"]

  @Test func outputsContainNoPersonalData() throws {
    #expect(Self.kinds.count >= 30)
    let child = try Child()
    defer { child.remove() }
    try child.write(Self.log(), to: "log")
    try child.write(Self.scenario, to: "truth.yaml")
    try child.write(Self.scenario.replacing("forecast", with: "images"), to: "other.yaml")
    let commands = [
      (["logs", "log"], Int32(0)), (["logs", "log"] + Self.read, 0),
      (["logs", "log", "--format", "json"] + Self.read, 0),
      (["calibrate", "other.yaml", "--log", "log"] + Self.read, 2),
      (["calibrate", "truth.yaml", "--log", "log", "-o", "calibrated"] + Self.read, 0),
      (["backtest", "truth.yaml", "--log", "log", "--train", "1-2", "-o", "tested"] + Self.read, 0),
    ]
    for (command, status) in commands {
      let outcome = try child.run(command)
      #expect(status == outcome.status || outcome.status == 1, "\(command): \(outcome.error)")
      #expect(Self.found(in: outcome.output + outcome.error).isEmpty, "\(command)")
    }
    for folder in ["calibrated", "tested"] {
      let names = child.names(in: folder)
      #expect(names.contains("report.html"))
      for name in names { #expect(Self.found(in: child.read("\(folder)/\(name)")).isEmpty, "\(folder)/\(name)") }
    }
  }

  /// Names shared by many are shown, and --show-rare shows the rest.
  @Test func namesSharedByCrowdsAreShown() throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Self.log(), to: "log")
    let shown = try child.run(["logs", "log", "--format", "json"] + Self.read).output
    for name in ["\"/v2/forecast\"", "\"WeatherWidget CFNetwork Darwin/24\"", "\"common\"", "{text}", "{id}"] {
      #expect(shown.contains(name), "\(name)")
    }
    let all = try child.run(["logs", "log", "--format", "json", "--show-rare"] + Self.read).output
    #expect(Set(Self.found(in: all)).isSuperset(of: ["city", "name", "coordinates", "device name"]))
  }
}
