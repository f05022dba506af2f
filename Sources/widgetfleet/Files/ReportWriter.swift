import FleetEngine
import FleetReports
import Synchronization

/// Makes the files of a report and puts them into the staged folder.
struct ReportWriter {
  let report: Report
  let staged: StagedFolder

  /// The page, which takes as long as all others together, is made beside them where there is a thread for it.
  func write(threads: Int) throws(Failure) {
    let page = report.files.filter { $0 == .page }
    let others = report.files.filter { $0 != .page && $0 != .manifest }
    let lanes = threads > 1 && !page.isEmpty && !others.isEmpty ? [others, page] : [others + page]
    let failures = Guarded<[Int: Failure]>([:])
    Workers.run(lanes.count) { lane in
      do throws(Failure) { try self.write(lanes[lane]) } catch {
        failures.withLock { $0[lane] = error }
      }
    }
    // Of two the same one each time, whichever thread was faster.
    let found = failures.withLock { $0 }
    if let failure = lanes.indices.compactMap({ found[$0] }).first { throw failure }
    // The manifest is the last file of all: a folder that has one is whole.
    try write(report.files.filter { $0 == .manifest })
  }

  private func write(_ files: [ReportFile]) throws(Failure) {
    for file in files { try staged.write(file.bytes(of: report), to: file.name) }
  }
}
