import Scenario
import SimulationKernel
import Studies

/// The refreshes of some phones over a day, one line of strokes for each phone, in the colour of their cause.
struct PhoneDaysFigure: Drawing {
  var phones: [TypicalPhone]
  var clock: Clock
  var zone: FleetZone?

  var height: Double? { Double(phones.count) * Self.row + 58 }

  private static let row = 56.0

  var readings: Readings? {
    let time = TimeAxis(clock: clock)
    return Readings(
      columns: ["time", "refresh"],
      rows: phones.flatMap { phone in phone.refreshes.map { (phone, $0) } }.sorted { $0.1.at < $1.1.at }.map {
        phone, refresh in
        (
          time.fraction(refresh.at),
          [
            Readings.time(refresh.at, startingAt: clock.startUnixMilliseconds),
            .text("\(phone.name): \(refresh.cause.name)"),
          ]
        )
      })
  }

  func draw(_ canvas: Canvas) -> [Markup] {
    let time = TimeAxis(clock: clock, zone: zone)
    return phones.enumerated().flatMap { index, phone -> [Markup] in
      let top = Double(index) * Self.row + 8
      let line = top + 40
      return [
        .label("label", canvas.left, top + 8, phone.words),
        .line("base", from: (canvas.left, line), to: (canvas.width - canvas.right, line)),
      ]
        + phone.refreshes.map { refresh in
          .rectangle(
            refresh.cause.style, x: canvas.x(time.fraction(refresh.at)) - 1, y: line - 22, width: 2, height: 22)
        }
    } + time.columns(canvas)
  }
}

extension TypicalPhone {
  /// `median phone`.
  var name: String { place == .p50 ? "median phone" : place == .p95 ? "p95 phone" : "busiest phone" }

  /// `median phone, number 812: 43 refreshes`.
  var words: String { "\(name), number \(device): \(refreshes.count) refreshes" }
}
