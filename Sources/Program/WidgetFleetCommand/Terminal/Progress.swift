import Platform

/// The progress of reading or checking the settings of a large study, displayed before the first setting is simulated.
struct SettingProgress {
  private let verb: String
  private let settings: Settings
  private let console: Console
  private var progress = Progress.none
  /// The maximum number of settings that are processed without displaying any progress.
  private static let quietCount = 200

  init(_ verb: String, _ settings: Settings, _ console: Console) {
    (self.verb, self.settings, self.console) = (verb, settings, console)
  }

  mutating func show(_ done: Int, of count: Int) {
    guard count > Self.quietCount, done % (Self.quietCount / 4) == 0 else { return }
    if done == 0 {
      console.note("widgetfleet: \(verb) \(count) settings\n")
      progress = Progress(settings, Environment(), total: count, unit: "settings")
    }
    progress.show(done)
  }

  func finish() { progress.finish() }
}

/// The progress of a run on stderr, displayed as a bar on a terminal and otherwise as lines at regular intervals.
struct Progress {
  enum Style {
    case bar, lines, none
  }

  private let style: Style
  /// The stages of the work in order.
  private(set) var stages: [Stage]
  /// The unit in which progress is counted.
  private let unit: String
  private let began = Progress.now()
  private var lastShown = Progress.now()
  private var hasProvisional = false

  /// A stage of the work, such as `prompt`. Empty names are not displayed.
  struct Stage: Equatable {
    var name: String
    var devices: Int
  }

  /// The number of seconds between progress lines.
  private static let lineGap = 60.0

  init(_ settings: Settings, _ environment: Environment, total: Int, unit: String = "devices") {
    self.init(settings, environment, stages: [Stage(name: "", devices: total)], unit: unit)
  }

  /// - Parameter stages: the stages in order; more devices can be added to a stage later.
  init(_ settings: Settings, _ environment: Environment, stages: [Stage], unit: String = "devices") {
    style = Progress.style(settings, environment)
    self.unit = unit
    self.stages = stages
  }

  /// A progress display without any output.
  static let none = Progress(.none)

  private init(_ style: Style) {
    self.style = style
    unit = "devices"
    stages = []
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

  /// Increases the expected number of devices in a stage.
  mutating func expect(more devices: Int, in stage: String) {
    if let index = stages.firstIndex(where: { $0.name == stage }) {
      stages[index].devices += devices
    } else {
      stages.append(Stage(name: stage, devices: devices))
    }
  }

  private var total: Int { max(stages.reduce(0) { $0 + $1.devices }, 1) }

  /// Returns the name of the stage that is in progress when a given amount of work is complete.
  static func stage(after done: Int, of stages: [Stage]) -> String {
    var end = 0
    return stages.first { stage in
      end += stage.devices
      return done < end
    }?.name ?? ""
  }

  /// Displays the number of completed devices if an update is due.
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

  /// Prints a sentence between updates of the progress display.
  func say(_ sentence: String) {
    if style == .none { return }
    finish()
    write("widgetfleet: \(sentence)\n")
  }

  /// Displays a line above the progress bar, replacing the previous line. Without a progress bar, it does nothing.
  mutating func showProvisional(_ text: String) {
    guard style == .bar else { return }
    let width = TerminalSize.columns(of: STDERR_FILENO) ?? 80
    let line = text.split(separator: "\n").first.map { String($0.prefix(width - 1)) } ?? ""
    write((hasProvisional ? "\r\u{1B}[K\u{1B}[1A" : "") + "\r\u{1B}[K\(line)\n")
    hasProvisional = true
  }

  /// Removes the progress bar from the terminal.
  func finish() { if style == .bar { write("\r\u{1B}[K") } }

  private func bar(_ done: Int) -> String {
    let total = total
    let filled = min(done * 24 / total, 24)
    return "[" + String(repeating: "=", count: filled) + String(repeating: " ", count: 24 - filled) + "]"
  }

  private func text(_ done: Int, _ now: Double) -> String {
    Progress.text(done, of: total, unit, Progress.stage(after: done, of: stages), after: now - began)
  }

  /// Returns the percentage of completed work. From 2 % onwards, it is followed by the expected remaining time, based
  /// on the speed so far.
  static func text(
    _ done: Int, of total: Int, _ unit: String = "devices", _ stage: String = "", after seconds: Double
  ) -> String {
    // A search may take longer than expected, in which case the remaining time is unknown.
    guard done <= total else { return "\(done) \(unit)" + (stage.isEmpty ? "" : ", \(stage)") }
    let share = Double(done) / Double(total)
    let left = share > 0.02 ? seconds * (1 - share) / share : nil
    return "\(done * 100 / total) % of \(total) \(unit)" + (stage.isEmpty ? "" : ", \(stage)")
      + (left.map { ", \(span($0)) left" } ?? "")
  }

  /// Formats a duration in seconds up to two minutes, in minutes up to two hours, and in hours above that.
  private static func span(_ seconds: Double) -> String {
    if seconds <= 120 { return "\(Int(seconds.rounded(.up))) s" }
    let minutes = Int((min(seconds, 1e9) / 60).rounded(.up))
    return minutes <= 120 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }

  private func write(_ text: String) { _ = Descriptor(number: STDERR_FILENO).write(Array(text.utf8)) }

  /// Returns the time of a monotonic clock in seconds.
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
