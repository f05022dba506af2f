import RequestLogs
import RequestStatistics
import Scenario

extension LogsReport {
  /// The content of the logs as terminal text.
  package var text: [UInt8] {
    let parts = fileLines(self)
    let counted = countedLines(self)
    guard picture.census.lines > 0 else { return terminalText([parts, counted]) }
    return terminalText([
      parts, counted, folded(spanSentence(self)), classTable(self).lines,
      nameTable("paths", picture.census.paths, picture.names.paths).lines,
      nameTable("User-Agents", picture.census.agents, picture.names.agents).lines, factLines(self), findingLines(self),
    ])
  }
}

/// The maximum number of files or names that a list shows.
private let maxFiles = 12
private let maxNames = 8

private func fileLines(_ report: LogsReport) -> [String] {
  let table = Table(
    "", Array(report.files.prefix(maxFiles)),
    [
      Column("file") { .text(shortened($0.path, to: 34)) },
      Column("format") { .text($0.format?.rawValue ?? "unknown") },
      Column("packed") { .text($0.stream.compression == .none ? "" : "\($0.stream.compression.rawValue)") },
      Column(number: "lines") { .count($0.lines) }, Column(number: "read") { .count($0.parsed) },
    ])
  let reasons = report.files.map(\.reason).filter { !$0.isEmpty }.withoutRepetitions
  let rejected = Rejection.allCases.filter { report.files.rejected($0) > 0 }.map {
    "\(NumberText.whole(Double(report.files.rejected($0)))) \($0.description)"
  }
  let packed = report.isPacked ? ", \(NumberText.bytes(Double(report.files.bytes))) packed" : ""
  return table.lines + (report.files.count > maxFiles ? ["and \(report.files.count - maxFiles) others"] : [])
    + reasons.prefix(maxFiles).flatMap { folded("  " + $0, indent: 2) } + report.files.flatMap(remarks)
    + (rejected.isEmpty ? [] : folded("left out: " + rejected.joined(separator: ", ")))
    + folded("\(counted(report.lines, "line")) in \(NumberText.bytes(Double(report.files.textBytes))) of text" + packed)
}

/// Returns lines that summarize tables of counts.
private func countedLines(_ report: LogsReport) -> [String] {
  let columns = report.files.flatMap(\.counts).map(\.column).withoutRepetitions
  guard !columns.isEmpty else { return [] }
  guard let counted = report.counted else {
    return folded("counts: the steps of '\(columns[0])' do not divide a day, are too many, or have over 10^12 requests")
  }
  let others = columns.dropFirst().map { "'\($0)'" }
  return folded(
    "counts of '\(columns[0])' per \(TimeText.seconds(counted.stepSeconds)), \(LogSentences.text(counted.span)): "
      + "\(NumberText.text(counted.meanRate)) requests/s on average, "
      + "\(NumberText.text(counted.peakRate)) in the busiest step; a timestamp marks the "
      + "\(report.files.flatMap(\.counts)[0].stamp == .end ? "end" : "start") of its step"
      + (report.files.flatMap(\.counts)[0].isRate ? "; values with fractions are read as requests per second" : "")
      + (counted.missing.isEmpty ? "" : "; \(counted.missing.count) steps are missing")
      + (others.isEmpty ? "" : "; not read: " + others.joined(separator: ", ")))
}

/// Returns remarks on a file that could not be read completely, including the reason.
func remarks(_ file: LogFileReport) -> [String] {
  var sentences = file.losses
  if let advice = file.advice {
    sentences.append(
      "has lines without a request: no known field for a path, a status or a User-Agent; "
        + (advice.isEmpty ? "name them with --map path=FIELD" : "these options name them: \(advice)"))
  }
  if file.lacksOffset {
    sentences.append("has timestamps without an offset, read as UTC: --stamps Europe/Berlin reads local time")
  }
  if let original = file.duplicateOf { sentences.append("is identical to '\(original)' and was read once") }
  return sentences.flatMap { folded("'\(shortened(file.path, to: 40))' \($0)") }
}

private func spanSentence(_ report: LogsReport) -> String {
  let picture = report.picture
  guard let span = picture.span else { return "" }
  let digit = picture.census.digits.resolution
  let resolution = digit == 1 ? "milliseconds" : digit == 1_000 ? "seconds" : "minutes"
  let busiest = picture.busiestMinute.map { minute in
    let time = UTCTime(unixMilliseconds: minute.start)
    return "; busiest minute: \(NumberText.whole(Double(minute.lines))) on \(time.date) at \(time.shortTime) UTC"
  }
  return
    "\(LogSentences.text(span).asSentence), \(TimeText.words(.milliseconds(span.upperBound - span.lowerBound))), timestamps in \(resolution): "
    + "\(NumberText.text(picture.meanRate)) requests/s on average" + (busiest ?? "")
}

private func classTable(_ report: LogsReport) -> Table {
  let census = report.picture.census
  return Table(
    "", RequestClass.allCases.filter { census.lines(of: $0) > 0 },
    [
      Column("sender") { .text(spelled($0, " ")) }, Column(number: "lines") { .count(Int(census.lines(of: $0))) },
      Column(number: "share") { .share(census.share(of: $0)) },
      Column(number: "failed") { .share(census.failedShare(of: $0)) },
    ])
}

private func nameTable(_ title: String, _ counts: NameCounts, _ table: NameTable) -> Table {
  typealias Row = (name: String, lines: Int64, mostly: String)
  let ranking = counts.ranked(table, maximum: maxNames)
  var rows = ranking.named.map { name, row -> Row in (name, row.lines, spelled(row.commonestClass, " ")) }
  if ranking.rest > 0, !rows.isEmpty {
    let others = "\(ranking.others) others" + (ranking.unnamed > 0 ? ", and lines without one" : "")
    rows.append((ranking.others > 0 ? others : "none", ranking.rest, ""))
  }
  let columns: [Column<Row>] = [
    Column(title) { .text($0.name) }, Column(number: "lines") { .count(Int($0.lines)) },
    Column(number: "share") { .share(ranking.share($0.lines)) }, Column("mostly") { .text($0.mostly) },
  ]
  return Table("", rows, columns)
}

private func factLines(_ report: LogsReport) -> [String] {
  let picture = report.picture
  let census = picture.census
  var facts: [String] = []
  if census.cacheResults.dropFirst().contains(where: { $0 > 0 }) {
    let parts = CacheResult.allCases.dropFirst().map { "\($0) \(NumberText.percent(census.share(of: $0)))" }
    facts.append("CDN: " + parts.joined(separator: ", "))
  }
  let systems = census.systemShares.map { "\($0.version) \(NumberText.percent($0.share))" }
  if !systems.isEmpty { facts.append("iOS: " + systems.joined(separator: ", ")) }
  facts.append(stampSentence(report))
  facts.append(idSentence(report))
  let shown = [census.paths.shown(picture.names.paths), census.agents.shown(picture.names.agents)]
  if shown.joined().contains(where: { $0.value.contains("{text}") }) {
    facts.append(
      "names: {text} replaces words shared by fewer than \(Crowd.minimum) senders (ids, else addresses) per day; "
        + "--show-rare shows them")
  }
  return facts.flatMap { folded($0) }
}

/// Returns a sentence that states what the timestamps in the log mean and which durations the log contains.
private func stampSentence(_ report: LogsReport) -> String {
  let median = report.picture.census.medianDuration.map { "median \(TimeText.seconds($0))" }
  let starts = report.files.contains { $0.startsRequests == true }
  let text =
    starts
    ? "the start of requests" + (median.map { "; durations: " + $0 } ?? "")
    : "the end of answers, "
      + (median.map { "less their durations (\($0))" } ?? "which have no durations: arrivals were earlier")
  return "timestamps: " + text
}

private func idSentence(_ report: LogsReport) -> String {
  let picture = report.picture
  if report.hasIDs, picture.census.signed == 0 {
    let others = report.candidates.prefix(3).map { "'\($0.field)'" }.joined(separator: ", ")
    return "ids: no line has the field that --id names"
      + (others.isEmpty ? "" : "; \(others) may identify phones: --id \(report.candidates[0].field)")
  }
  if report.hasIDs, report.picture.idsNeverRepeat {
    return "ids: each value of the field that --id names is on about one line: it identifies requests, not phones"
  }
  if report.hasIDs {
    let sample =
      picture.senders.share < 1 ? ", estimated from \(NumberText.percent(picture.senders.share)) of them" : ""
    return "ids: \(NumberText.percent(picture.census.signedShare)) of the lines have one, "
      + "\(NumberText.whole(picture.distinctSenders)) distinct ones\(sample)"
  }
  guard let best = report.candidates.first else {
    return "ids: none used, and no field looks like one; without ids, calibration can use only loads"
  }
  let repeated = report.candidates.filter { !$0.isUnrepeated }
  guard !repeated.isEmpty else {
    return
      "ids: none used; nearly every one of the first lines has its own '\(best.field)', which may identify requests "
      + "instead of phones: --id \(best.field) shows how often values recur"
  }
  return "ids: none used; \(repeated.prefix(3).map { "'\($0.field)'" }.joined(separator: ", ")) "
    + "may identify phones: --id \(best.field)"
}

private func findingLines(_ report: LogsReport) -> [String] {
  let findings = report.picture.findings
  guard !findings.isEmpty else { return ["no defects were found"] }
  return findings.flatMap { finding in
    folded("\(finding.defect.rawValue) \(LogSentences.sentence(finding, report.picture))", indent: 0)
  }
}
