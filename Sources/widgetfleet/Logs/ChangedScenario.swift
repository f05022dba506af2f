import FleetReports
import Scenario
import ScenarioFiles

/// A calibrated scenario with what the app or the backend does otherwise from some dates on.
struct ChangedScenario {
  let settings: Settings
  /// In the order of their dates.
  let changes: [DatedChange]
  let fileName: String
  /// Those that the scenario names.
  let files: NamedFiles

  /// A time with one scenario.
  struct Stretch {
    /// Milliseconds since 1970.
    let span: Range<Int64>
    let scenario: Scenario
  }

  /// Refuses changes that the file does not take, before a log is read.
  func check(_ bytes: [UInt8]) throws(Failure) { _ = try scenario(bytes, found: [], until: .max) }

  /// The stretches of a time, in order: each as the file has it, with what was found, and what has changed until then.
  ///
  /// - Parameter found: paths of keys that the log has found: their values stand in `text`, whatever --set says.
  func stretches(_ text: [UInt8], found: [String], over span: Range<Int64>) throws(Failure) -> [Stretch] {
    let dates = Set(changes.map(\.start)).filter { span.contains($0) && $0 > span.lowerBound }.sorted()
    var stretches: [Stretch] = []
    for (start, end) in zip([span.lowerBound] + dates, dates + [span.upperBound]) {
      stretches.append(Stretch(span: start..<end, scenario: try scenario(text, found: found, until: start)))
    }
    return stretches
  }

  private func scenario(_ text: [UInt8], found: [String], until time: Int64) throws(Failure) -> Scenario {
    let arguments = settings.given(besides: found) + changes.filter { $0.start <= time }.map(\.setting)
    let outcome = ScenarioReader.read(text: text, fileName: fileName, settings: arguments, files: files)
    guard let scenario = outcome.scenario else { throw .invalidScenario(problems: outcome.diagnostics.humanText) }
    return scenario
  }
}

extension Settings {
  /// What `--set` gives that a log did not tell otherwise.
  ///
  /// - Parameter found: paths of what was found.
  func given(besides found: [String] = []) -> [SetArgument] {
    assignments.filter { assignment in
      !found.contains { assignment.text.hasPrefix($0 + "=") || assignment.text.hasPrefix($0 + ".") }
    }.map { SetArgument($0.text) }
  }
}
