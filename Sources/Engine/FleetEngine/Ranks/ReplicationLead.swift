import DeviceModel
import Scenario
import SimulationKernel

/// The coordination of a replication on rank 0, which sends orders to the other ranks, sums their counts and stores the
/// sums.
struct ReplicationLead {
  let engine: Engine
  let replication: Int
  let threads: Int
  let control: RunControl

  private var collective: any Collective { control.collective }
  private var journal: (any Journal)? { engine.journal(of: control) }

  /// Simulates the replication and returns the sum of the counts of all ranks.
  ///
  /// - Returns: the result; `nil` if the run was cancelled on any rank.
  /// - Throws: the failure of the lowest-numbered failed device, or an error found in the sums.
  func result() throws(SimulationError) -> ReplicationResult? {
    let isSharedOrKept = collective.size > 1 || journal != nil
    let name = ReplicationName(
      scenario: isSharedOrKept ? control.text(engine.scenario) : [], replication: replication,
      keepsRows: engine.rowSelection != .none)
    let past = try past(of: name)
    if let whole = past.whole, knowsBackend(past) { return try restored(whole, past) }
    let order = ReplicationOrder(
      scenario: name.scenario, replication: replication, keepsRows: name.keepsRows,
      arrivals: past.arrivals, finished: past.finished)
    try give(order)
    journal?.begin(name)
    control.devicesDone.add(
      min(order.finished.count * DeviceShare.shardSize, engine.devicesTotal), ordering: .relaxed)
    let (own, backend) = engine.lived(order, threads: threads, control: control)
    let all = try joined(try gathered(own), past.parts)
    if case .counted(let part) = all { try keep(part) }
    return try checked(all, backend)
  }

  // MARK: Stored work

  private func past(of name: ReplicationName) throws(SimulationError) -> Past {
    guard let journal else { return Past() }
    do { return try journal.past(of: name) } catch { throw .notKept(error) }
  }

  /// Whether the stored work is sufficient to reconstruct the backend's records.
  private func knowsBackend(_ past: Past) -> Bool {
    let arrivals = engine.scenario.clock.grid.count * engine.scenario.endpoints.count
    return !engine.plan.hasFeedback || past.arrivals.count == arrivals
  }

  /// Returns the result of a replication for which complete sums are stored.
  private func restored(_ whole: SavedPart, _ past: Past) throws(SimulationError) -> ReplicationResult? {
    let part: PartialResult
    do { part = try whole.part(like: engine.blankPart) } catch {
      throw unreadable("the sums of replication \(replication + 1)")
    }
    control.devicesDone.add(
      DeviceShare(ofDevices: engine.devicesTotal, for: collective).count, ordering: .relaxed)
    let backend =
      engine.plan.hasFeedback
      ? BackendStep.result(of: past.arrivals, replication: replication, in: engine) : nil
    return try checked(.counted(part), backend)
  }

  private func unreadable(_ what: String) -> SimulationError {
    .notKept(JournalError("\(what) cannot be read", isUnsuitable: true))
  }

  private func keep(_ part: PartialResult) throws(SimulationError) {
    guard let journal else { return }
    let rows = part.result.devices.rowCount * MemoryLayout<DeviceTable.Row>.stride
    journal.finish(bytes: rows) { SavedPart(shards: ShardSet(), part) }
    if let failure = journal.failure { throw .notKept(failure) }
  }

  // MARK: The other ranks

  /// Sends an order to the other ranks, and waits until they are ready to execute it.
  private func give(_ order: ReplicationOrder) throws(SimulationError) {
    guard collective.size > 1 else { return }
    _ = try collective.call { all throws(CollectiveError) in try all.broadcast(RankOrder.live(order).bytes) }
    let obstacles = try collective.call { all throws(CollectiveError) in try all.obstacles(nil) }
    if !obstacles.isEmpty { throw .parted(CollectiveError(obstacles.joined(separator: "; "))) }
  }

  /// Adds the counts stored by earlier attempts to those of rank 0.
  private func joined(_ own: RankOutcome, _ kept: [SavedPart]) throws(SimulationError) -> RankOutcome {
    let blank = engine.blankPart
    var whole = own
    for part in kept {
      do { whole.join(.counted(try part.part(like: blank))) } catch { throw unreadable("an earlier attempt's counts") }
    }
    return whole
  }

  /// Adds the counts of the other ranks to those of rank 0.
  private func gathered(_ own: RankOutcome) throws(SimulationError) -> RankOutcome {
    // A rank that has lost contact with the other ranks cannot gather their counts.
    if case .failed(.parted(let error)) = own { throw .parted(error) }
    let blank = engine.blankPart
    var whole = own
    try collective.call { all throws(CollectiveError) in
      try all.gather([]) { rank, bytes in
        do { whole.join(try RankOutcome(bytes, like: blank), ofRank: rank) } catch {
          whole.join(.failed(.parted(CollectiveError("the counts of rank \(rank) cannot be read"))))
        }
      }
    }
    return whole
  }

  /// Checks the counts of a result for contradictions and returns the result.
  private func checked(
    _ outcome: RankOutcome, _ backend: BackendResult?
  ) throws(SimulationError) -> ReplicationResult? {
    switch outcome {
    case .failed(let error): throw error
    case .cancelled: return nil
    case .counted(let part):
      let result = part.completed(engine, replication: replication, backend: backend)
      let contradictions = CountCheck(result, of: engine).contradictions
      guard contradictions.isEmpty else { throw .contradiction(replication: replication, contradictions) }
      return result
    }
  }
}

extension Collective {
  /// Makes a collective call and converts any error to a `SimulationError`.
  func call<Answer>(
    _ body: (Self) throws(CollectiveError) -> Answer
  ) throws(SimulationError) -> Answer {
    do { return try body(self) } catch { throw .parted(error) }
  }

  /// Collects the obstacles reported by all ranks, using collective calls.
  ///
  /// - Parameter own: the obstacle on this rank, phrased as a predicate that follows the rank's name; `nil` if there is
  ///   none.
  /// - Returns: one sentence per obstacle on rank 0; an empty list on every rank if there are no obstacles.
  package func obstacles(_ own: String?) throws(CollectiveError) -> [String] {
    var count: Int64 = own == nil ? 0 : 1
    try withUnsafeMutablePointer(to: &count) { count throws(CollectiveError) in
      try sum(UnsafeMutableBufferPointer(start: count, count: 1))
    }
    guard count > 0 else { return [] }
    var sentences = own.map { ["rank \(rank) \($0)"] } ?? []
    try gather(Array((own ?? "").utf8)) { rank, bytes in
      if !bytes.isEmpty { sentences.append("rank \(rank) \(String(decoding: bytes, as: UTF8.self))") }
    }
    return sentences.isEmpty ? ["another rank cannot continue"] : sentences
  }
}

extension RankOutcome {
  /// Merges the outcome of another rank, and adds that rank's number to the sentences in the outcome.
  fileprivate mutating func join(_ other: RankOutcome, ofRank rank: Int) {
    guard case .failed(.notKept(var error)) = other else { return join(other) }
    error.message = "rank \(rank) \(error.message)"
    join(.failed(.notKept(error)))
  }

  /// Merges another outcome. Failures take precedence, and among failures the one of the lower-numbered device.
  fileprivate mutating func join(_ other: RankOutcome) {
    switch (self, other) {
    case (.counted(var sum), .counted(let part)):
      self = .cancelled
      sum += part
      self = .counted(sum)
    case (.failed(let error), .failed(let other)): self = .failed(other.order < error.order ? other : error)
    case (.failed, _): break
    case (_, .failed): self = other
    case (.cancelled, _), (_, .cancelled): self = .cancelled
    }
  }
}

extension SimulationError {
  /// The precedence of this outcome in a merge.
  fileprivate var order: Int {
    switch self {
    case .parted: -2
    case .notKept: -1
    case .eventLivelock(let device, _, _, _), .timeline(let device, _, _, _): device
    case .contradiction: .max
    }
  }
}

extension Engine {
  /// A partial result whose counts are all zero.
  var blankPart: PartialResult {
    PartialResult(result: ReplicationResult(Tally(shape: tallyShape), scenario: scenario), groups: emptyGroupLoad)
  }

  /// Simulates the devices of this rank and, with feedback, the backend.
  func lived(
    _ order: ReplicationOrder, threads: Int, control: RunControl
  ) -> (RankOutcome, BackendResult?) {
    let isCancelled = { !control.mayContinue(after: $0) }
    guard let engine = learned(for: order.replication, isStopped: isCancelled) else { return (.cancelled, nil) }
    if let failure = engine.pilotFailure { return (.failed(SimulationError(failure)), nil) }
    let lived: (RankOutcome, BackendResult?)
    if plan.hasFeedback {
      lived = SteppedRun.outcome(of: order, engine, control: control, threads: threads)
    } else {
      lived = (FleetRun(engine, order, control: control).outcome(threads: threads), nil)
    }
    guard let failure = journal(of: control)?.failure else { return lived }
    if case .failed = lived.0 { return lived }
    return (.failed(.notKept(failure)), lived.1)
  }
}

/// A rank other than rank 0, which executes orders until it receives the order to end.
package struct Follower: Sendable {
  private let threads: Int
  private let control: RunControl
  private let prepare: @Sendable (_ scenario: [UInt8], _ last: Engine?) throws(PreparationError) -> Engine
  private let open: @Sendable (JournalLocation) throws(JournalError) -> (any Journal)?

  /// Creates the follower.
  ///
  /// - Parameters:
  ///   - prepare: creates an engine from the text of a scenario, reusing the tables of the previous engine.
  ///   - open: returns the journal of this rank at a location; `nil` if nothing is stored.
  package init(
    threads: Int, control: RunControl,
    prepare: @escaping @Sendable (_ scenario: [UInt8], _ last: Engine?) throws(PreparationError) -> Engine,
    open: @escaping @Sendable (JournalLocation) throws(JournalError) -> (any Journal)?
  ) {
    self.threads = threads
    self.control = control
    self.prepare = prepare
    self.open = open
  }

  /// Executes the orders received from rank 0.
  ///
  /// - Returns: the exit status of the program.
  package func follow() throws(CollectiveError) -> Int32 {
    var last: (text: [UInt8], engine: Engine)?
    while true {
      switch try heard() {
      case .end(let status): return status
      case .keep(let place): try keep(at: place)
      case .live(let order):
        guard let engine = try prepared(order, last) else { continue }
        last = (order.scenario, engine)
        try live(order, engine)
      }
    }
  }

  private func heard() throws(CollectiveError) -> RankOrder {
    let bytes = try control.collective.broadcast([])
    do { return try RankOrder(bytes) } catch {
      control.collective.abort()
      throw CollectiveError("the order from rank 0 cannot be read")
    }
  }

  private func keep(at place: JournalLocation) throws(CollectiveError) {
    var obstacle: String?
    do { control.journal = try open(place) } catch { obstacle = error.message }
    _ = try control.collective.obstacles(obstacle)
  }

  /// Returns the prepared engine; `nil` if any rank cannot prepare it.
  private func prepared(
    _ order: ReplicationOrder, _ last: (text: [UInt8], engine: Engine)?
  ) throws(CollectiveError) -> Engine? {
    var obstacle: String?
    var engine = last?.text == order.scenario ? last?.engine : nil
    if engine == nil {
      do { engine = try prepare(order.scenario, last?.engine) } catch { obstacle = "cannot simulate: \(error.message)" }
    }
    return try control.collective.obstacles(obstacle).isEmpty ? engine : nil
  }

  private func live(_ order: ReplicationOrder, _ engine: Engine) throws(CollectiveError) {
    control.journal?.begin(order.name)
    let engine = order.keepsRows ? engine : engine.withoutRows
    let (outcome, _) = engine.lived(order, threads: threads, control: control)
    if case .failed(.parted(let error)) = outcome { throw error }
    try control.collective.gather(outcome.bytes) { _, _ in }
  }
}

/// The outcome of a replication on one rank, or on all ranks.
enum RankOutcome {
  case counted(PartialResult)
  case cancelled
  case failed(SimulationError)

  private enum Name: UInt8 {
    case counted, cancelled, endless, contradiction, parted, notKept, timeline
  }

  /// The serialized outcome, which is sent to other ranks.
  var bytes: [UInt8] {
    var bytes = ByteWriter()
    switch self {
    case .counted(let part):
      bytes.write(Name.counted.rawValue)
      bytes.write(part.bytes)
    case .cancelled: bytes.write(Name.cancelled.rawValue)
    case .failed(.eventLivelock(let device, let cohort, let instant, let events)):
      bytes.write(Name.endless.rawValue)
      bytes.write(device)
      bytes.write(cohort)
      bytes.write(instant.millisecondsSinceStart)
      bytes.write(events)
    case .failed(.timeline(let device, let cohort, let instant, let fault)):
      bytes.write(Name.timeline.rawValue)
      for number in [device, cohort, fault.kind] { bytes.write(number) }
      bytes.write(instant.millisecondsSinceStart)
      bytes.write(fault.fault.code)
    case .failed(.contradiction(let replication, let sentences)):
      bytes.write(Name.contradiction.rawValue)
      bytes.write(replication)
      bytes.write(sentences)
    case .failed(.parted(let error)):
      bytes.write(Name.parted.rawValue)
      bytes.write([error.message])
    case .failed(.notKept(let error)):
      bytes.write(Name.notKept.rawValue)
      bytes.write(UInt8(error.isUnsuitable ? 1 : 0))
      bytes.write([error.message])
    }
    return bytes.finished()
  }

  /// Reads an outcome from its serialized form.
  ///
  /// - Parameter blank: a partial result with the dimensions of the same scenario; its counts are ignored.
  init(_ bytes: [UInt8], like blank: PartialResult) throws(ByteError) {
    var bytes = ByteReader(bytes)
    guard let name = Name(rawValue: bytes.number()) else { throw .foreign }
    switch name {
    case .counted:
      var part = blank
      try part.read(bytes.rest())
      self = .counted(part)
    case .cancelled: self = .cancelled
    case .endless:
      self = .failed(
        .eventLivelock(
          device: bytes.number(), cohort: bytes.number(), instant: Instant(millisecondsSinceStart: bytes.number()),
          events: bytes.texts()))
    case .timeline:
      let (device, cohort, kind): (Int, Int, Int) = (bytes.number(), bytes.number(), bytes.number())
      let instant = Instant(millisecondsSinceStart: bytes.number())
      let fault = KindFault(kind: kind, TimelineFault(code: bytes.number()))
      self = .failed(.timeline(device: device, cohort: cohort, instant: instant, fault))
    case .contradiction: self = .failed(.contradiction(replication: bytes.number(), bytes.texts()))
    case .parted: self = .failed(.parted(CollectiveError(bytes.texts().joined())))
    case .notKept:
      let isUnsuitable: UInt8 = bytes.number()
      if isUnsuitable > 1 { throw .foreign }
      self = .failed(.notKept(JournalError(bytes.texts().joined(), isUnsuitable: isUnsuitable == 1)))
    }
    try bytes.end()
  }
}

/// The counts of some of the devices in one replication; all of them can be summed.
struct PartialResult: SummedFields {
  var result: ReplicationResult
  /// The requests by device group, from which the arrivals in `result.load` are derived.
  var groups: GroupLoad

  static func list(_ fields: inout some FieldList<PartialResult>) {
    fields.sum(\.result)
    fields.sum(\.groups)
  }

  /// Returns the result, including the values derived from the complete sum: loads, spreads and groups.
  ///
  /// - Parameter backend: the backend's result; `nil` if the backend was not simulated in steps, in which case the
  ///   server load is derived from the arrivals.
  func completed(_ engine: Engine, replication: Int, backend: BackendResult?) -> ReplicationResult {
    var result = result
    for endpoint in result.load.indices { result.load[endpoint].arrivals = groups.arrivals(endpoint: endpoint) }
    result.groups.removeAll(where: \.isEmpty)
    for window in result.windows.indices { result.windows[window].removeAll(where: \.isEmpty) }
    result.spreads = groups.spreads(engine.scenario.clock)
    result.backend =
      backend
      ?? BackendStep.result(ofMeasured: result.load.map(\.arrivals), replication: replication, in: engine)
    return result
  }
}

extension GroupResult {
  /// Whether the group has no widget instances and no gallery snapshots.
  fileprivate var isEmpty: Bool {
    instances == 0 && traffic.joined().allSatisfy { $0.requests == 0 && $0.failures.allSatisfy { $0 == 0 } }
  }
}
