import Scenario

/// What a part of the devices did in one replication, in sums alone.
struct PartialResult: SummedFields {
  var result: ReplicationResult
  /// Requests by group of devices; the arrivals of `result.load` are made of them.
  var groups: GroupLoad

  static func list(_ fields: inout some FieldList<PartialResult>) {
    fields.sum(\.result)
    fields.sum(\.groups)
  }

  /// What follows from the whole, once it is added up: the load of each endpoint, its spread, which groups there are.
  ///
  /// - Parameter backend: `nil` where the backend was not simulated in steps: then what reached the servers follows from
  ///   the arrivals.
  func completed(_ engine: Engine, replication: Int, backend: BackendResult?) -> ReplicationResult {
    var result = result
    for endpoint in result.load.indices { result.load[endpoint].arrivals = groups.arrivals(endpoint: endpoint) }
    result.groups.removeAll(where: \.isEmpty)
    result.spreads = groups.spreads(engine.scenario.clock)
    result.backend =
      backend
      ?? BackendTurn.result(ofMeasured: result.load.map(\.arrivals), replication: replication, in: engine)
    return result
  }
}

extension GroupResult {
  /// Whether a cohort has nothing of a kind, not even its snapshots in the gallery.
  fileprivate var isEmpty: Bool {
    instances == 0 && traffic.joined().allSatisfy { $0.requests == 0 && $0.failures.allSatisfy { $0 == 0 } }
  }
}
