import FleetReports

/// Makes the files of a report and puts them into the staged folder.
struct ReportWriter {
  let report: Report
  let staged: StagedFolder

  /// One after the other: the page beside the others would be faster, and half as large again in memory.
  func write() throws(Failure) {
    try write(report.files.filter { $0 != .manifest })
    // The manifest is the last file of all: a folder that has one is whole.
    try write(report.files.filter { $0 == .manifest })
  }

  private func write(_ files: [ReportFile]) throws(Failure) {
    for file in files { try staged.write(file.bytes(of: report), to: file.name) }
  }
}
