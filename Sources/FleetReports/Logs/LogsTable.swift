import RequestLogs
import RequestStatistics

/// What is in some logs, as text for a terminal.
package func logsTable(of report: LogsReport) -> [UInt8] {
  var lines = fileLines(report)
  lines += countedLines(report)
  if report.picture.census.lines > 0 {
    lines += [""] + folded(spanSentence(report)) + [""] + classLines(report)
    lines += nameLines("paths", report.picture.census.paths, report.picture.names.paths)
    lines += nameLines("User-Agents", report.picture.census.agents, report.picture.names.agents)
    lines += [""] + factLines(report) + [""] + findingLines(report)
  }
  return Array((lines.joined(separator: "\n") + "\n").utf8)
}

/// Files that a list names; of more only the number is said.
private let mostFiles = 12
private let mostNames = 8

private func fileLines(_ report: LogsReport) -> [String] {
  let rows = report.files.prefix(mostFiles).map { file in
    [
      shortened(file.path, to: 34), file.format?.rawValue ?? "unknown",
      file.stream.compression == .none ? "" : "\(file.stream.compression.rawValue)",
      NumberText.whole(Double(file.lines)), NumberText.whole(Double(file.parsed)),
    ]
  }
  var lines = alignedLines([["file", "format", "packed", "lines", "read"]] + rows, numberColumns: [3, 4])
  if report.files.count > mostFiles { lines.append("and \(report.files.count - mostFiles) others") }
  let reasons = report.files.map(\.reason).filter { !$0.isEmpty }.withoutRepetitions
  lines += reasons.prefix(mostFiles).flatMap { folded("  " + $0, indent: 2) }
  lines += report.files.flatMap(remarks)
  let rejected = Rejection.allCases.filter { report.rejected($0) > 0 }
  if !rejected.isEmpty {
    let parts = rejected.map { "\(NumberText.whole(Double(report.rejected($0)))) \($0.description)" }
    lines += folded("left out: " + parts.joined(separator: ", "))
  }
  let size = NumberText.bytes(Double(report.textBytes))
  lines += folded(
    "\(LogSentences.count(report.lines, "line")) in \(size) of text"
      + (report.isPacked ? ", \(NumberText.bytes(Double(report.bytes))) packed" : ""))
  return lines
}

/// What tables of counts hold.
private func countedLines(_ report: LogsReport) -> [String] {
  let columns = report.files.flatMap(\.counts).map(\.column).withoutRepetitions
  guard !columns.isEmpty else { return [] }
  guard let counted = report.counted else {
    return [""] + folded("counts: the steps of '\(columns[0])' do not divide a day, or there are too many")
  }
  let seconds = Double(counted.step) / 1_000
  let sum = counted.counts.reduce(0, +)
  let others = columns.dropFirst().map { "'\($0)'" }
  return [""]
    + folded(
      "counts of '\(columns[0])' per \(TimeText.seconds(seconds)), \(LogSentences.text(counted.span)): "
        + "\(NumberText.text(sum / Double(counted.counts.count) / seconds)) requests/s on average, "
        + "\(NumberText.text((counted.counts.max() ?? 0) / seconds)) in the busiest step; a stamp is taken for the "
        + "\(report.files.flatMap(\.counts)[0].stamp.rawValue) of its step"
        + (counted.missing.isEmpty ? "" : "; \(counted.missing.count) steps are missing")
        + (others.isEmpty ? "" : "; not read: " + others.joined(separator: ", ")))
}

/// What is to be said of a file: why it was not read, or not to its end.
func remarks(_ file: LogFileReport) -> [String] {
  var sentences: [String] = []
  if let problem = file.problem { sentences.append(problem.description) }
  if let original = file.duplicateOf { sentences.append("is the same as '\(original)' and read once") }
  if file.stream.isTorn { sentences.append("is truncated: its compressed data end too soon; lines up to there count") }
  if file.stream.garbage > 0 { sentences.append("has other data after its compressed data") }
  return sentences.flatMap { folded("'\(shortened(file.path, to: 40))' \($0)", indent: 0) }
}

private func spanSentence(_ report: LogsReport) -> String {
  let picture = report.picture
  guard let span = picture.span else { return "" }
  let seconds = Double(span.upperBound - span.lowerBound) / 1_000
  let digit = picture.census.digits.resolution
  let resolution = digit == 1 ? "milliseconds" : digit == 1_000 ? "seconds" : "minutes"
  let busiest = report.busiestMinute.map { minute in
    let time = UTCTime(unixMilliseconds: minute.start)
    return "; most in a minute: \(NumberText.whole(Double(minute.lines))) on \(time.date) at \(time.shortTime) UTC"
  }
  return
    "\(LogSentences.text(span).asSentence), \(TimeText.words(.milliseconds(span.upperBound - span.lowerBound))), stamps in \(resolution): "
    + "\(NumberText.text(Double(picture.census.lines) / seconds)) requests/s on average" + (busiest ?? "")
}

private func classLines(_ report: LogsReport) -> [String] {
  let census = report.picture.census
  let rows = RequestClass.allCases.compactMap { requestClass -> [String]? in
    let outcomes = LoadSeries.Outcome.allCases.map { census.series[LoadSeries(requestClass, $0).index] }
    let all = outcomes.reduce(0, +)
    guard all > 0 else { return nil }
    return [
      LogWords.text(requestClass), NumberText.whole(Double(all)),
      NumberText.percent(Double(all) / Double(census.lines)), NumberText.percent(Double(outcomes[2]) / Double(all)),
    ]
  }
  return alignedLines([["who asks", "lines", "share", "failed"]] + rows, numberColumns: [1, 2, 3])
}

private func nameLines(_ title: String, _ counts: NameCounts, _ table: NameTable) -> [String] {
  let (named, others) = counts.ranked(table)
  guard !named.isEmpty else { return [] }
  let all = Double(named.reduce(0) { $0 + $1.row.lines } + others.lines)
  var rows = named.prefix(mostNames).map { name, row in
    [
      name, NumberText.whole(Double(row.lines)), NumberText.percent(Double(row.lines) / all),
      LogWords.text(row.commonestClass),
    ]
  }
  let rest = named.dropFirst(mostNames).reduce(others.lines) { $0 + $1.row.lines }
  if rest > 0 {
    let count = max(0, named.count - mostNames)
    let title = count > 0 ? "\(count) others" + (others.lines > 0 ? ", and lines without" : "") : "none"
    rows.append([title, NumberText.whole(Double(rest)), NumberText.percent(Double(rest) / all), ""])
  }
  return [""] + alignedLines([[title, "lines", "share", "mostly"]] + rows, numberColumns: [1, 2])
}

private func factLines(_ report: LogsReport) -> [String] {
  let picture = report.picture
  let census = picture.census
  var facts: [String] = []
  if census.cacheResults.dropFirst().contains(where: { $0 > 0 }) {
    let parts = CacheResult.allCases.dropFirst().map { result in
      "\(result) \(NumberText.percent(Double(census.cacheResults[Int(result.rawValue)]) / Double(census.lines)))"
    }
    facts.append("CDN: " + parts.joined(separator: ", "))
  }
  let systems = census.systems.enumerated().filter { $0.offset > 0 && $0.element > 0 }
  if !systems.isEmpty {
    let all = Double(systems.reduce(0) { $0 + $1.element })
    facts.append(
      "iOS: " + systems.map { "\($0.offset) \(NumberText.percent(Double($0.element) / all))" }.joined(separator: ", "))
  }
  facts.append(idSentence(report))
  return facts.flatMap { folded($0) }
}

private func idSentence(_ report: LogsReport) -> String {
  let picture = report.picture
  if report.hasIDs {
    let share = Double(picture.census.signed) / Double(max(picture.census.lines, 1))
    let sample =
      picture.senders.share < 1 ? ", estimated from \(NumberText.percent(picture.senders.share)) of them" : ""
    return "ids: \(NumberText.percent(share)) of the lines have one, "
      + "\(NumberText.whole(picture.distinctSenders)) different ones\(sample)"
  }
  guard let best = report.candidates.first else {
    return "ids: none is used, and no field looks like one; without ids a calibration knows loads alone"
  }
  return "ids: none is used; \(report.candidates.prefix(3).map { "'\($0.field)'" }.joined(separator: ", ")) "
    + "may tell phones apart: --id \(best.field)"
}

private func findingLines(_ report: LogsReport) -> [String] {
  let findings = report.picture.findings
  guard !findings.isEmpty else { return ["no defect was found"] }
  return findings.flatMap { finding in
    folded("\(finding.defect.rawValue) \(LogSentences.sentence(finding, report.picture.names))", indent: 0)
  }
}

/// Words of the statistics.
enum LogWords {
  static func text(_ requestClass: RequestClass) -> String {
    switch requestClass {
    case .unknown: "not said"
    case .widget: "widget"
    case .app: "app"
    case .otherExtension: "other extension"
    case .browser: "browser"
    case .bot: "bot"
    case .other: "other"
    }
  }
}
