import DeviceModel
import SimulationKernel

/// How a replication ended at a rank, or at all of them.
enum RankOutcome {
  case counted(PartialResult)
  case cancelled
  case failed(SimulationError)
}

extension RankOutcome {
  private enum Name: UInt8 {
    case counted, cancelled, endless, contradiction, parted, notKept
  }

  /// As other ranks are told.
  var bytes: [UInt8] {
    var bytes = ByteWriter()
    switch self {
    case .counted(let part):
      bytes.write(Name.counted.rawValue)
      bytes.write(part.bytes)
    case .cancelled: bytes.write(Name.cancelled.rawValue)
    case .failed(.endlessInstant(let device, let cohort, let instant, let events)):
      bytes.write(Name.endless.rawValue)
      bytes.write(device)
      bytes.write(cohort)
      bytes.write(instant.millisecondsSinceStart)
      bytes.write(events)
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

  /// - Parameter blank: a part of the same scenario, whatever it counts.
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
        .endlessInstant(
          device: bytes.number(), cohort: bytes.number(), instant: Instant(millisecondsSinceStart: bytes.number()),
          events: bytes.texts()))
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
