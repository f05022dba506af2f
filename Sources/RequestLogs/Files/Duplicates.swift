/// Inputs that hold what one before them holds.
struct Duplicates {
  /// For each input the number of the first that holds the same; nil: it is the first.
  private(set) var originals: [Int?]

  init(_ inputs: [LogInput], _ hash: SipHash) {
    originals = inputs.map { _ in nil }
    findSameBytes(inputs, hash)
    findPacked(inputs)
  }

  /// One file under two names, or two files with the same bytes.
  private mutating func findSameBytes(_ inputs: [LogInput], _ hash: SipHash) {
    for (size, group) in Dictionary(grouping: inputs.indices, by: { inputs[$0].size }) {
      guard size != nil, group.count > 1 else { continue }
      var identities: [LogInput.Identity: Int] = [:]
      var fingerprints: [Fingerprint: Int] = [:]
      for index in group {
        if let identity = inputs[index].identity, let first = identities[identity] {
          originals[index] = first
        } else if let print = Glance(inputs[index])?.fingerprint(hash) {
          originals[index] = fingerprints[print]
          if fingerprints[print] == nil { fingerprints[print] = index }
        }
        if let identity = inputs[index].identity { identities[identity] = originals[index] ?? index }
      }
    }
  }

  /// A file that gzip has packed into another, too: length and checksum are those of the other's last member. The file
  /// is left out, for the other may hold more.
  private mutating func findPacked(_ inputs: [LogInput]) {
    var packed: [GzipTrailer: Int] = [:]
    for index in inputs.indices.reversed() where originals[index] == nil {
      if let trailer = Glance(inputs[index])?.trailer { packed[trailer] = index }
    }
    let sizes = Set(packed.keys.map(\.size))
    for index in inputs.indices where originals[index] == nil && !packed.values.contains(index) {
      guard let size = inputs[index].size, sizes.contains(UInt32(truncatingIfNeeded: size)) else { continue }
      if let trailer = Glance(inputs[index])?.ownTrailer { originals[index] = packed[trailer] }
    }
  }
}
