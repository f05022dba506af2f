import FleetReports
import PageServer
import Platform
import Scenario
import ScenarioFiles

/// The `widgetfleet serve` command, which serves a local page with a scenario's levers and its answer.
struct ServeCommand {
  let settings: Settings
  let console: Console

  private static let standardPort: UInt16 = 8_080

  func run() throws(Failure) -> ExitCode {
    let session = try LiveSession(settings, console)
    let server = HTTPServer(token: Self.token) { session.answer($0) }
    let wanted = settings.port ?? Self.standardPort
    let port: UInt16
    do { port = try server.start(port: wanted) } catch { throw .cannotListen(port: wanted, errno: error.errno) }
    defer {
      session.stop()
      server.stop()
    }
    let address = "http://127.0.0.1:\(port)/\(server.token)/"
    try console.output(address + "\n")
    console.note("widgetfleet: serving \(settings.operands[0].printable) on this machine; press Control-C to stop\n")
    if settings.opensBrowser, !Browser.open(address) { console.note("warning: no browser could be started\n") }
    let bell = Bell()
    while !Interruption.isRequested { bell.wait(milliseconds: Monitor.pauseMilliseconds) }
    return .success
  }

  /// A 128-bit secret in hexadecimal, which is never written to a file.
  private static var token: String {
    var generator = SystemRandomNumberGenerator()
    let words = (0..<2).map { _ in String(generator.next(), radix: 16) }
    return words.map { String(repeating: "0", count: 16 - $0.count) + $0 }.joined()
  }
}
