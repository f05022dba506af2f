import Scenario
import ScenarioFiles

/// What `init` is asked about: values of a scenario as its file has them; nil where nothing was said.
struct Question {
  /// What can be said, in the order of the help.
  enum Part: String, CaseIterable {
    case name, devices, zones, after, at, jitter, cache, widgets, capacity
    case staleAfter = "stale-after"

    var option: Option {
      switch self {
      case .name: .scenarioName
      case .devices: .devices
      case .zones: .zones
      case .after: .after
      case .at: .at
      case .jitter: .jitter
      case .cache: .cache
      case .widgets: .widgets
      case .capacity: .capacity
      case .staleAfter: .staleAfter
      }
    }

    /// A value that is right, in whose place another one is read.
    var sample: String {
      switch self {
      case .name: "my-widget"
      case .devices: "10k"
      case .zones: "Europe/Berlin=100%"
      case .after: "1h"
      case .at: "09:30"
      case .jitter: "10min"
      case .cache: "30min"
      case .widgets: "1"
      case .capacity: "500/s"
      case .staleAfter: "3h"
      }
    }
  }

  private(set) var values: [Part: String] = [:]
  /// Widgets on each phone.
  private(set) var widgets = 1

  /// The most widgets that a phone is given here.
  private static let mostWidgets = UInt64(20)

  /// - Throws: `Failure.usage` for what is wrong before any value is read.
  init(_ given: ArgumentValues, _ command: Command) throws(Failure) {
    guard command.action == .initialise else { return }
    for part in Part.allCases {
      guard let value = given.last(part.option) else { continue }
      guard value.printable == value, !value.isEmpty else {
        throw .usage("\(part.option.spelling) is empty or has characters that nobody sees", command: command.name)
      }
      values[part] = value
    }
    if values[.after] != nil, values[.at] != nil {
      throw .usage(
        "a widget asks for its next refresh after a time or at a time of day: give --after or --at",
        command: command.name)
    }
    if let count = try Settings.number(
      values[.widgets], Option.widgets.spelling, command, 1...Self.mostWidgets)
    {
      widgets = Int(count)
    }
    let parts = Part.allCases.filter { values[$0] != nil }
    if let starter = given.operands.first, !parts.isEmpty {
      let (names, samples) = (parts.map(\.option.spelling), parts.map { $0.option.spelling + " " + $0.sample })
      throw .usage(
        "'init \(starter)' writes a scenario as it is, without \(names.joined(separator: ", "))", command: command.name,
        hint: "write widgetfleet init \(samples.joined(separator: " ")), without '\(starter)'")
    }
  }

  /// A question with the parts of another one, and values that are right.
  private init(sampleOf question: Question) {
    values = question.values.reduce(into: [:]) { $0[$1.key] = $1.key.sample }
    widgets = question.widgets
  }

  var isEmpty: Bool { values.isEmpty }

  /// The scenario's text, after every value was read as the file's reader reads it.
  ///
  /// - Throws: `Failure.invalidScenario` with each problem at its option.
  func scenarioText() throws(Failure) -> String {
    let sample = QuestionText(question: Question(sampleOf: self)).text
    let read = ScenarioReader.read(text: Array(sample.utf8), fileName: "init", settings: arguments)
    guard var meant = read.scenario else { throw .invalidScenario(problems: read.diagnostics.humanText) }
    let text = QuestionText(question: self).text
    guard let written = ScenarioReader.read(text: Array(text.utf8), fileName: "init").scenario else {
      throw .usage("a value cannot be written into a file as it is: give it as a file would have it", command: "init")
    }
    // A capacity stands in a goal, too.
    meant.goals = written.goals
    guard written == meant else {
      throw .usage("a value means something else in a file: give it as a file would have it", command: "init")
    }
    return text
  }

  /// The values as settings of the sample's text.
  private var arguments: [SetArgument] {
    Part.allCases.compactMap { part in
      guard let value = values[part], let setting = Self.setting(part, value) else { return nil }
      return SetArgument(setting, option: part.option.spelling)
    }
  }

  private static func setting(_ part: Part, _ value: String) -> String? {
    switch part {
    case .name: "name=" + value
    case .devices: "fleet.devices=" + value
    case .zones: "fleet.cohorts.0.zones=" + mapping(value)
    case .after: "kinds.widget.reload.after=" + value
    case .at: "kinds.widget.reload.after.at=\"\(value)\""
    case .jitter: "kinds.widget.jitter.up_to=" + value
    case .cache: "kinds.widget.cache.ttl=" + value
    case .capacity: "backend.endpoints.api.capacity=" + value
    case .staleAfter: "kinds.widget.stale_after=" + value
    case .widgets: nil
    }
  }

  /// `Europe/Berlin=60%,Asia/Tokyo=40%` as the file's mapping; a single zone needs no share.
  static func mapping(_ zones: String) -> String {
    let parts = zones.split(separator: ",", omittingEmptySubsequences: false).map { part in
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      return pair.count == 2 ? "\(pair[0]): \(pair[1])" : pair[0]
    }
    return "{" + (parts.count == 1 && !zones.contains("=") ? "\(zones): 100%" : parts.joined(separator: ", ")) + "}"
  }
}
