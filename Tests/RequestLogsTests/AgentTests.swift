import RequestStatistics
import Testing

@testable import RequestLogs

/// What User-Agents reveal.
struct AgentTests {
  @Test(
    arguments: [
      ("WidgetExtension/231 CFNetwork/1390 Darwin/22.0.0", .widget, 16, "WidgetExtension CFNetwork Darwin/22"),
      (
        "NotificationServiceExtension/5 CFNetwork/3860.600.12 Darwin/25.5.0", .otherExtension, 26,
        "NotificationServiceExtension CFNetwork Darwin/25"
      ),
      (
        "Pod2Watch%20WatchKit%20Extension/14 CFNetwork/1492.0.1 Darwin/23.3.0", .otherExtension, 17,
        "Pod2Watch WatchKit Extension CFNetwork Darwin/23"
      ),
      (
        "Pod2Watch%252520WatchKit%252520Extension/14%2520CFNetwork/1492.0.1%2520Darwin/23.3.0", .otherExtension, 17,
        "Pod2Watch WatchKit Extension CFNetwork Darwin/23"
      ),
      (
        "Wetter\\xC3\\xBCbersicht/7 CFNetwork/1568.100.1 Darwin/24.1.0", .app, 18,
        "Wetter\u{FC}bersicht CFNetwork Darwin/24"
      ),
      ("App/3 CFNetwork/1240 Darwin/20.6.0 (x86_64)", .app, 0, "App CFNetwork Darwin/20"),
      ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15", .browser, 17, "Mozilla"),
      ("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", .bot, 0, "Mozilla"),
      ("curl/8.5.0", .bot, 0, "curl"), ("okhttp/4.12.0", .other, 0, "okhttp"),
      ("Weather/1.0 (com.example.weather; build:1; iOS 17.1.0) Alamofire/5.8.1", .app, 17, "Weather"),
      (
        "Weather/1.0 (com.example.weather.WidgetExtension; build:1; iOS 26.1.0) Alamofire/5.8.1", .widget, 26, "Weather"
      ),
    ] as [(String, RequestClass, UInt8, String)])
  func userAgentsAreParsed(text: String, requestClass: RequestClass, system: UInt8, name: String) {
    let reader = Array(text.utf8).withText { AgentReader($0) }
    #expect(reader.requestClass == requestClass)
    #expect(reader.system == system)
    #expect(String(decoding: reader.name, as: UTF8.self) == name)
  }

  @Test func userRulesTakePrecedence() throws {
    var reader = Reader()
    try reader.options.map("app=path ~ ^/app/")
    try reader.options.map("widget=ua ~ ^Weather/")
    try reader.options.map("bot=query.probe ~ ^yes$")
    let agents = [
      "/app/x": "Weather/1", "/x": "Weather/1", "/y?probe=yes": "Mozilla/5.0", "/z?probe=no": "Mozilla/5.0",
    ]
    let lines = agents.sorted { $0.key < $1.key }.enumerated().map { index, pair in
      #"192.0.2.1 - - [18/Jan/2027:00:00:0\#(index) +0000] "GET \#(pair.key) HTTP/1.1" 200 1 "-" "\#(pair.value)""#
    }
    let read = try reader.read(lines.joined(separator: "\n"))
    #expect(read.requests.map(\.requestClass) == [.app, .widget, .bot, .browser])
  }
}
