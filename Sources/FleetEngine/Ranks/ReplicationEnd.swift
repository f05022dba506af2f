import DeviceModel

/// The end of a replication: rank 0 adds up what all ranks counted, and tells each of them how it ended.
struct ReplicationEnd {
  let engine: Engine
  let replication: Int
  let collective: any Collective

  /// What all ranks counted; at other ranks than 0 without rows of devices.csv.
  ///
  /// - Parameters:
  ///   - own: of this rank.
  ///   - backend: what the backend did, which every rank knows.
  /// - Returns: nil when one of them was cancelled.
  /// - Throws: at every rank the same: the failure of the lowest device, or what rank 0 finds wrong with the sums.
  func result(_ own: RankOutcome, backend: BackendResult?) throws(SimulationError) -> ReplicationResult? {
    guard collective.size > 1 else { return try checked(own, backend) }
    // Whom the others have left cannot ask them.
    if case .failed(.parted(let error)) = own { throw .parted(error) }
    let parts = try collective.call { all throws(CollectiveError) in try all.gather(own.bytes) }
    return collective.rank == 0 ? try tell(joined(own, parts), backend) : try hear(backend)
  }

  /// The result, once its counts have been held against each other.
  private func checked(
    _ outcome: RankOutcome, _ backend: BackendResult?
  ) throws(SimulationError) -> ReplicationResult? {
    switch outcome {
    case .failed(let error): throw error
    case .cancelled: return nil
    case .counted(let part):
      let result = part.completed(engine.scenario.clock, backend: backend)
      let contradictions = CountCheck(result, of: engine).contradictions
      guard contradictions.isEmpty else { throw .contradiction(replication: replication, contradictions) }
      return result
    }
  }

  /// What rank 0 counted, and the others.
  private func joined(_ own: RankOutcome, _ parts: [[UInt8]]) -> RankOutcome {
    let blank = engine.blankPart
    return parts.indices.dropFirst().reduce(into: own) { whole, rank in
      do { whole.join(try RankOutcome(parts[rank], like: blank)) } catch {
        whole.join(.failed(.parted(CollectiveError("what rank \(rank) counted cannot be read"))))
      }
    }
  }

  /// Rank 0 says how it ended: with the sums, which others need to know what to do next, but without the rows.
  private func tell(_ whole: RankOutcome, _ backend: BackendResult?) throws(SimulationError) -> ReplicationResult? {
    let checked = Result { () throws(SimulationError) in try self.checked(whole, backend) }
    let verdict: RankOutcome = if case .failure(let error) = checked { .failed(error) } else { whole.withoutRows }
    _ = try collective.call { all throws(CollectiveError) in try all.broadcast(verdict.bytes) }
    return try checked.get()
  }

  /// Another rank hears it.
  private func hear(_ backend: BackendResult?) throws(SimulationError) -> ReplicationResult? {
    let verdict = try collective.call { all throws(CollectiveError) in try all.broadcast([]) }
    let whole: RankOutcome
    do { whole = try RankOutcome(verdict, like: engine.blankPart) } catch {
      collective.abort()
      throw .parted(CollectiveError("what rank 0 added up cannot be read"))
    }
    switch whole {
    case .failed(let error): throw error
    case .cancelled: return nil
    case .counted(let part): return part.completed(engine.scenario.clock, backend: backend)
    }
  }
}

extension Collective {
  /// Makes a call of all ranks.
  func call<Answer>(
    _ body: (Self) throws(CollectiveError) -> Answer
  ) throws(SimulationError) -> Answer {
    do { return try body(self) } catch { throw .parted(error) }
  }

  /// What rank 0 decides, at every rank.
  func agreed(_ decision: @autoclosure () -> Bool) throws(SimulationError) -> Bool {
    guard size > 1 else { return decision() }
    let own: [UInt8] = rank == 0 && decision() ? [1] : [0]
    return try call { all throws(CollectiveError) in try all.broadcast(own) } == [1]
  }
}

extension RankOutcome {
  /// Adds what another rank counted; what went wrong at either counts more, of two failures that of the lower device.
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

  /// Without what belongs to rank 0 alone.
  fileprivate var withoutRows: RankOutcome {
    guard case .counted(var part) = self else { return self }
    part.result.devices.rows = []
    return .counted(part)
  }
}

extension SimulationError {
  /// Which of several comes first.
  fileprivate var order: Int {
    switch self {
    case .parted: -1
    case .endlessInstant(let device, _, _, _): device
    case .contradiction: .max
    }
  }
}

extension Engine {
  /// A part of the devices that did nothing.
  var blankPart: PartialResult {
    PartialResult(result: ReplicationResult(Tally(shape: tallyShape), scenario: scenario), groups: emptyGroupLoad)
  }
}
