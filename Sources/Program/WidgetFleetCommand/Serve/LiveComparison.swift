import FleetReports
import Scenario
import Studies

/// The runs of several settings with the same number of phones, for paired comparisons.
struct LiveComparison {
  private let session: LiveSession
  private let settings: Settings
  private let console: Console

  /// The number of phones to simulate if no answer is known.
  private static let standardDevices = 2_000

  init(_ session: LiveSession, _ settings: Settings, _ console: Console) {
    (self.session, self.settings, self.console) = (session, settings, console)
  }

  /// Returns the runs in order: those shown on the page if they can be paired, otherwise new runs as large as the
  /// smallest shown.
  func runs(of wanted: [[String]]) throws(LiveProblem) -> [ComparedRun] {
    let known = wanted.map { texts in session.withRuns { $0.run(of: texts) }?.compared(texts) }
    let shown = known.compactMap { $0 }
    let arePaired = shown.dropFirst().allSatisfy { $0.obstacles(to: shown[0]).isEmpty }
    if shown.count == wanted.count, arePaired { return shown }
    let devices = shown.map(\.devicesSimulated).min() ?? Self.standardDevices
    var runs: [ComparedRun] = []
    for texts in wanted {
      let scenario = LiveWaves.preview(of: try session.scenario(with: texts).get(), devices: devices)
      let answer = LiveAnswer(session, texts, before: nil, settings, console)
      do throws(Failure) { runs.append(try answer.lived(scenario, runs: 1).run.compared(texts)) } catch {
        throw LiveProblem(text: error.text)
      }
    }
    return runs
  }
}
