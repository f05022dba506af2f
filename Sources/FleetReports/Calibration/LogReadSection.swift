import RequestLogs
import RequestStatistics

/// What was read, and what was wrong with it?
func logReadSection(_ report: CalibrationReport) -> ReportSection {
  let logs = report.logs
  let findings = logs.picture.findings.filter { !$0.isNote }
  let rows = logs.picture.findings.map { finding in
    // Names of servers and files may tell what a log should not.
    [finding.defect.rawValue, LogSentences.sentence(finding, LogNames()).asSentence, finding.defect.meaning.meaning]
  }
  let mixed = report.mixedKinds.map { [LogDefect.runs.rawValue, $0.asSentence, LogDefect.runs.meaning.meaning] }
  let table = DataTable(
    caption: "Findings and what was done about each", columns: ["Code", "Found and done", "What it is"],
    rows: rows + mixed,
    textColumns: 3, stacks: true)
  return ReportSection(
    id: "read", short: "The log", question: "What was read, and what was wrong with it?",
    answer: counts(logs) + sampled(logs) + problems(logs)
      + (findings.isEmpty && mixed.isEmpty
        ? " No defect was found." : " " + defects(findings.count + mixed.count)),
    figures: [readTable(logs).markup] + (rows.isEmpty && mixed.isEmpty ? [] : [table.markup]))
}

private func defects(_ count: Int) -> String {
  count == 1 ? "One defect was found." : "\(count) defects were found."
}

private func counts(_ logs: LogsReport) -> String {
  let lines = LogSentences.count(logs.lines, "line")
  let left = logs.lines - logs.parsed
  return "\(LogSentences.count(logs.files.count, "file")) with \(lines)"
    + (left == 0 ? ", all of them read." : ", of which \(NumberText.whole(Double(left))) were left out.")
}

/// What a sample of the requests means; empty where the log has all of them.
private func sampled(_ logs: LogsReport) -> String {
  let share = logs.picture.recorded
  return share == 1
    ? "" : " It holds \(NumberText.percent(share)) of the requests: loads are scaled, and gaps are not looked at."
}

/// Files that were not read as a whole; empty where all were.
private func problems(_ logs: LogsReport) -> String {
  let torn = logs.files.count { $0.problem != nil || $0.stream.isTorn }
  let again = logs.files.count { $0.duplicateOf != nil }
  return (torn == 0 ? "" : " \(LogSentences.count(torn, "file")) could not be read to the end.")
    + (again == 0 ? "" : " \(LogSentences.count(again, "file")) came twice and counted once.")
}

private func readTable(_ logs: LogsReport) -> DataTable {
  let formats = LogFormat.allCases.compactMap { format -> [String]? in
    let own = logs.files.filter { $0.format == format }
    guard !own.isEmpty else { return nil }
    let lines = own.reduce(0) { $0 + $1.lines }
    return ["\(LogSentences.count(own.count, "file")) of format \(format.rawValue)", NumberText.whole(Double(lines))]
  }
  let rejected = Rejection.allCases.filter { logs.rejected($0) > 0 }.map {
    ["left out: " + $0.description, NumberText.whole(Double(logs.rejected($0)))]
  }
  let census = logs.picture.census
  let classes = RequestClass.allCases.compactMap { requestClass -> [String]? in
    let lines = LoadSeries.lines(of: requestClass, in: census)
    return lines > 0 ? ["sent by: " + LogWords.text(requestClass), NumberText.whole(Double(lines))] : nil
  }
  let signed = census.signed > 0 ? [["with an id", NumberText.whole(Double(census.signed))]] : []
  return DataTable(caption: "Lines", columns: ["What", "Lines"], rows: formats + rejected + classes + signed)
}

/// What was kept of people?
func privacySection(_ report: CalibrationReport) -> ReportSection {
  let hasIDs = report.logs.hasIDs
  let key =
    report.keepsKey
    ? "The key lies in the file that --key-file named. Who has it can find a known id again, so the pseudonyms are "
      + "personal data, and that file is to be kept as such."
    : "The key was drawn for this run, lay in memory alone and is gone: nobody can find an id again."
  let sampled = report.logs.picture.senders.share
  let facts = [
    hasIDs
      ? "Ids were replaced by keyed hashes (SipHash-2-4, 128 bits) as the lines were read. " + key
      : "No field that says who sent a line was looked at.",
    "No id, address, query or line of the log is in any file of this folder, and no name of a log's file or server is on "
      + "this page: sums, rates and intervals only.",
    hasIDs && sampled < 1
      ? "Of \(NumberText.percent(sampled)) of the senders, drawn by their hashes, the times of requests were held in memory."
      : nil,
    "Paths are counted as templates without numbers, and only endpoints that the scenario names are told.",
  ].compactMap { $0 }
  return ReportSection(
    id: "privacy", short: "Privacy", question: "What was kept of people?", answer: "Nothing that tells people apart.",
    figures: [.tag("ul", ["class": "findings"], facts.map { .tag("li", [:], $0) })])
}
