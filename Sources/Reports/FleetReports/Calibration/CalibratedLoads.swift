import RequestStatistics
import Scenario
import SimulationKernel
import Studies

/// A chart of the measured load and the simulated load in five-minute steps.
struct CalibratedLoads {
  /// The loads in drawing order. The log's load comes last so that it is drawn on top.
  private let runs: [(name: String, colour: Int, load: LoadPlot)]
  private let marks: [EventMark]

  /// Creates the chart; `nil` if the log has no load.
  init?(_ report: CalibrationReport) {
    let measured = report.measured
    var clock = report.base.clock
    clock.startUnixMilliseconds = measured.start
    clock.step = .minutes(5)
    clock.duration = .minutes(5) * Int64(measured.counts.count)
    guard measured.counts.count > 1 else { return nil }
    marks = report.logs.picture.silences.map { hole in
      EventMark(
        name: "no lines", from: Instant(millisecondsSinceStart: max(hole.lowerBound - measured.start, 0)),
        to: min(Instant(millisecondsSinceStart: hole.upperBound - measured.start), .start + clock.duration))
    }
    let found = report.patchesValues ? report.simulated : nil
    let simulated = [("as written", 1, report.asWritten), ("with the findings", 2, found)]
    var runs = simulated.compactMap { name, colour, load -> (name: String, colour: Int, load: LoadPlot)? in
      load.flatMap { Self.figure($0.counts.map(ChartCount.whole), clock) }.map { (name, colour, $0) }
    }
    if var log = Self.figure(measured.counts, clock) {
      (log.unknown, log.marks) = (measured.unknown, marks)
      runs.append(("log", 0, log))
    }
    self.runs = runs
    guard runs.contains(where: { ($0.load.peak?.rate ?? 0) > 0 }) else { return nil }
  }

  private static func figure(_ counts: [Int64], _ clock: Clock) -> LoadPlot? {
    WindowedLoad(counts, window: .fiveMinutes, clock: clock).map {
      LoadPlot(loads: [$0], scale: Scale(fleet: 1, simulated: 1), clock: clock)
    }
  }

  /// The chart, with the data for its script.
  var markup: Markup {
    let peaks = runs.compactMap { run in
      run.load.peak.map { "\(run.name): peak \(NumberText.text($0.rate)) requests per second" }
    }
    return Overlay(runs: runs).markup(
      description: peaks.joined(separator: "; ") + ".",
      legend: marks.isEmpty ? [] : [(swatch: "spell", text: "the log has no lines")])
  }

  /// The peak of each load, with the time at which it occurs.
  var peaks: Table {
    Table(
      "The busiest five minutes", runs,
      [
        Column("load") { .text($0.name) }, Column(number: "requests per second") { .number($0.load.peak?.rate) },
        Column(number: "from") { run in
          .text(run.load.peak.map { UTCTime($0.start, of: run.load.clock).full } ?? NumberText.unknown)
        },
      ])
  }
}

/// A conversion of request counts into the numbers used by charts.
enum ChartCount {
  /// Returns the nearest whole number, clamped to the range from 0 to the largest count per step that a table allows.
  static func whole(_ count: Double) -> Int64 { count > 0 ? Int64(min(count, CountedLoad.maxPerStep).rounded()) : 0 }
}

/// Returns the section that compares the simulated load with the measured load; `nil` if there is no load.
func calibratedLoadSection(_ report: CalibrationReport, _ verdict: CalibrationAnswer) -> ReportSection? {
  guard let loads = CalibratedLoads(report) else { return nil }
  let hasHoles = !report.logs.picture.silences.isEmpty
  return ReportSection(
    "calibrate/load", answer: answer(verdict),
    figures: [loads.markup],
    note: (hasHoles ? "Nothing is drawn or compared where the log has no lines. " : "")
      + "Chance is how far two fleets with the same rules would differ, given Poisson arrivals. Incomplete steps at "
      + "either end of the log are left out."
      + (report.asWritten.map { $0.counts.count < report.measured.counts.count } ?? false
        ? " Only the first days were simulated." : ""),
    details: loads.peaks.details("Peaks, as a table"))
}

private func answer(_ verdict: CalibrationAnswer) -> String {
  guard let best = verdict.best else { return "The scenario was not simulated over the log's period." }
  let lead = best.isNear ? "Yes" : best.isErrorNear ? "On average, but not at its peak" : "No"
  let written = verdict.withFound == nil ? nil : verdict.asWritten
  return
    "\(lead)\(written == nil ? "" : ", with the findings"): it differs by \(best.text); its total is "
    + "\(DifferenceText.higher(best.totalError)), \(best.peakText)."
    + (written.map { " As written, it differs by \($0.text), and \($0.peakText)." } ?? "")
}
