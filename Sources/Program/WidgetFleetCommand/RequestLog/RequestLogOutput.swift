import FleetEngine
import FleetReports
import Platform
import Scenario

/// The access log of a run, stored next to the results. To create it, the devices are simulated again, and their
/// requests are sorted and written as lines.
struct RequestLogOutput {
  let settings: RequestLogSettings
  private let console: Console
  private let spill: RequestSpill
  /// The log file; `nil` for standard output.
  let file: StagedFile?
  /// The disk space; `nil` if the amount of free space is unknown.
  private let room: LogDiskSpace?

  /// The number of requests that are merged and formatted at a time.
  private static let batch = 1 << 12
  /// The number of bytes of text per write operation.
  private static let piece = 1 << 20

  /// Creates the unfinished files; returns `nil` if no log was requested.
  ///
  /// - Parameter results: the location of the results folder. If the log is not a file, requests are sorted next to
  ///   that folder.
  init?(_ settings: RequestLogSettings?, results: OutputPath, _ console: Console) throws(Failure) {
    guard let settings else { return nil }
    self.settings = settings
    self.console = console
    let place: OutputPath
    if settings.isStandardOutput {
      place = results
    } else {
      _ = try OutputFile(settings.path)
      place = try OutputPath(parentOf: settings.path)
    }
    defer { if !settings.isStandardOutput { place.parent.close() } }
    room = place.parent.freeBytes.map {
      LogDiskSpace(path: settings.path, format: settings.isStandardOutput ? nil : settings.format, free: $0)
    }
    do { spill = try RequestSpill(in: place.parent) } catch {
      throw .cannotWrite(path: settings.path, errno: error.number)
    }
    file = settings.isStandardOutput ? nil : try StagedFile(for: settings.path)
  }

  /// Prints a warning before the simulation if the log may not fit on the disk.
  func forecast(_ scenario: Scenario) {
    let phones = scenario.devicesSimulated
    let warning = room?.warning(requestsAtMost: scenario.maxRequestsSimulated, phones: phones)
    if let warning { console.note(warning) }
  }

  /// Writes the log of a run's first replication without giving the file its final name.
  func write(_ engine: Engine, _ result: RunResult, _ simulation: Simulation, _ control: RunControl) throws(Failure) {
    guard let first = result.replications.first else { return }
    let requests = first.load.reduce(0) { sum, series in sum + series.arrivals.reduce(0) { $0 + Int($1) } }
    try room?.check(requests: requests, phones: engine.devicesSimulated)
    let isDone = try simulation.simulated { () throws(SimulationError) -> Bool? in
      let isDone = try engine.repeatRequests(
        of: 0, engine.conditions(of: first), sortedBy: settings.format.order, threads: simulation.threads,
        control: control, to: spill)
      return isDone || spill.status != 0 ? isDone : nil
    }
    guard isDone else { throw unwritable(spill.status) }
    try writeLines(
      RequestLogWriter(
        settings.format, of: engine.scenario, cohortSizes: engine.cohortSizes, withProbe: settings.withProbe))
  }

  private func writeLines(_ writer: RequestLogWriter) throws(Failure) {
    var writer = writer
    var text = TextBuffer()
    text.reserve(Self.piece + Self.piece / 4)
    var merged = spill.merged
    var batch: [SentRequest] = []
    repeat {
      do { try merged.fill(&batch, count: Self.batch) } catch { throw unwritable(error.number) }
      writer.append(batch, to: &text)
      if text.bytes.count >= Self.piece || batch.isEmpty {
        try append(text.bytes)
        text.clear()
      }
    } while !batch.isEmpty
  }

  private func append(_ bytes: [UInt8]) throws(Failure) {
    try Interruption.check()
    if let file { try file.append(bytes) } else { try console.output(bytes) }
  }

  private func unwritable(_ number: Int32) -> Failure { .cannotWrite(path: settings.path, errno: number) }

  /// Gives the log file its final name.
  func commit() throws(Failure) { try file?.commit() }

  /// Prints a description of the log.
  func describe(_ engine: Engine) {
    let (devices, all) = (engine.devicesSimulated, engine.scenario.fleet.devices)
    let share = devices == all ? "all" : NumberText.percent(Double(devices) / Double(all))
    console.note(
      "requests: \(spill.count) from \(devices) simulated phones, \(share) of the fleet, "
        + "as \(settings.format.rawValue) to "
        + "\(settings.isStandardOutput ? "standard output" : settings.path.printable)\n")
  }
}
