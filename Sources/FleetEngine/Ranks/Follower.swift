/// A rank other than rank 0: it does what that one orders until it says that all is over.
package struct Follower: Sendable {
  private let threads: Int
  private let control: RunControl
  private let prepare: @Sendable (_ scenario: [UInt8], _ last: Engine?) throws(PreparationError) -> Engine
  private let open: @Sendable (JournalPlace) throws(JournalError) -> (any Journal)?

  /// - Parameters:
  ///   - prepare: makes an engine of a scenario's text, with the tables of the last one.
  ///   - open: the journal of this rank at a place; nil: nothing is to be kept.
  package init(
    threads: Int, control: RunControl,
    prepare: @escaping @Sendable (_ scenario: [UInt8], _ last: Engine?) throws(PreparationError) -> Engine,
    open: @escaping @Sendable (JournalPlace) throws(JournalError) -> (any Journal)?
  ) {
    self.threads = threads
    self.control = control
    self.prepare = prepare
    self.open = open
  }

  /// Does what it is told to.
  ///
  /// - Returns: the status with which the program ends.
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
      throw CollectiveError("what rank 0 orders cannot be read")
    }
  }

  private func keep(at place: JournalPlace) throws(CollectiveError) {
    var obstacle: String?
    do { control.journal = try open(place) } catch { obstacle = error.message }
    _ = try control.collective.obstacles(obstacle)
  }

  /// nil: one of the ranks cannot.
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
    var engine = order.keepsRows ? engine : engine.withoutRows
    if !order.follows { engine = engine.withoutFollowing }
    let (outcome, _) = engine.lived(order, threads: threads, control: control)
    if case .failed(.parted(let error)) = outcome { throw error }
    try control.collective.gather(outcome.bytes) { _, _ in }
  }
}
