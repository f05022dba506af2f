import Platform

/// How far a run is, on stderr: a bar on a terminal, otherwise a line now and then.
struct Progress {
  enum Style {
    case bar, lines, none
  }

  private let style: Style
  private var total: Int
  /// What is counted.
  private let unit: String
  private let began = Progress.now()
  private var lastShown = Progress.now()

  /// Seconds between two lines.
  private static let lineGap = 10.0

  init(_ settings: Settings, _ environment: Environment, total: Int, unit: String = "devices") {
    style = Progress.style(settings, environment)
    self.unit = unit
    self.total = max(total, 1)
  }

  /// Shows nothing.
  static let none = Progress(.none, total: 1)

  private init(_ style: Style, total: Int) {
    self.style = style
    unit = "devices"
    self.total = total
  }

  private static func style(_ settings: Settings, _ environment: Environment) -> Style {
    let mayDraw = isatty(STDERR_FILENO) == 1 && !environment.isCI && !environment.isDumbTerminal
    if settings.isQuiet { return .none }
    return switch settings.progress {
    case .none: .none
    case .plain: .lines
    case .auto, .bar: mayDraw ? .bar : .lines
    }
  }

  /// More devices will be simulated than was known.
  mutating func expect(more devices: Int) { total += devices }

  /// Shows how many devices are done, when it is time to.
  mutating func show(_ done: Int) {
    let now = Progress.now()
    switch style {
    case .none: return
    case .lines where now - lastShown < Progress.lineGap: return
    case .lines: write("widgetfleet: \(text(done, now))\n")
    case .bar: write("\r\u{1B}[K\(bar(done)) \(text(done, now))")
    }
    lastShown = now
  }

  /// Says something between two looks.
  func say(_ sentence: String) {
    if style == .none { return }
    finish()
    write("widgetfleet: \(sentence)\n")
  }

  /// Takes the bar away.
  func finish() { if style == .bar { write("\r\u{1B}[K") } }

  private func bar(_ done: Int) -> String {
    let filled = min(done * 24 / total, 24)
    return "[" + String(repeating: "=", count: filled) + String(repeating: " ", count: 24 - filled) + "]"
  }

  private func text(_ done: Int, _ now: Double) -> String { Progress.text(done, of: total, unit, after: now - began) }

  /// How much is done, and from a fiftieth on how long the rest will take at the pace so far.
  static func text(_ done: Int, of total: Int, _ unit: String = "devices", after seconds: Double) -> String {
    let share = Double(done) / Double(total)
    let left = share > 0.02 ? seconds * (1 - share) / share : nil
    return "\(done * 100 / total) % of \(total) \(unit)" + (left.map { ", \(span($0)) left" } ?? "")
  }

  /// In seconds up to two minutes, in minutes up to two hours.
  private static func span(_ seconds: Double) -> String {
    if seconds <= 120 { return "\(Int(seconds.rounded(.up))) s" }
    let minutes = Int((min(seconds, 1e9) / 60).rounded(.up))
    return minutes <= 120 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }

  private func write(_ text: String) { _ = Descriptor(number: STDERR_FILENO).write(Array(text.utf8)) }

  /// Seconds of a clock that nobody sets.
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
