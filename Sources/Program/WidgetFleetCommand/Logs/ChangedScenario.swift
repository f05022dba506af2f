import FleetReports
import Scenario
import ScenarioFiles

/// A calibrated scenario with changes to the app or the backend, each of which takes effect on a given date.
struct ChangedScenario {
  let settings: Settings
  /// The changes in chronological order.
  let changes: [DatedChange]
  let fileName: String
  /// The reader for files named in the scenario.
  let files: NamedFiles

  /// A period during which the scenario does not change.
  struct Stretch {
    /// The start and end of the period, in milliseconds since 1970.
    let span: Range<Int64>
    let scenario: Scenario
  }

  /// Rejects changes that are not valid for the scenario file. This check is made before any logs are read.
  func check(_ bytes: [UInt8]) throws(Failure) { _ = try scenario(bytes, found: [], until: .max) }

  /// Returns the periods between changes in chronological order. The scenario of each period includes the values in the
  /// file, the findings, and all changes that have taken effect.
  ///
  /// - Parameter found: the paths of findings from the log, whose values are in `text` and override `--set`.
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
  /// Returns the values given with `--set`, except those replaced by findings from a log.
  ///
  /// - Parameter found: the paths of the findings.
  func given(besides found: [String] = []) -> [SetArgument] {
    assignments.filter { assignment in
      !found.contains { assignment.text.hasPrefix($0 + "=") || assignment.text.hasPrefix($0 + ".") }
    }.map { SetArgument($0.text) }
  }
}
