/// Lines that a log holds more than once.
///
/// A run that asks twice for the same path within a stamp's resolution writes equal lines too. So of each path equal
/// lines count as copies only while at most a fifth of its different lines are repeated: who asks twice by design does so
/// nearly every time, a shipper that delivers twice does so now and then.
package struct Duplicates: Sendable {
  /// Lines beyond the first of each, of all lines of the log, estimated from a sample of `share`.
  package private(set) var copies: Int64 = 0
  /// Lines that look like copies and are taken for several requests of one run.
  package private(set) var repeated: Int64 = 0
  /// The share of lines that was looked at.
  package let share: Double
  private var dropped: [LineCopy] = []

  private static let mostRepeated = 0.2

  /// - Parameter lines: in order of their hashes; `share` of all.
  init(_ lines: [LineCopy], share: Double) {
    self.share = share
    var different: [NameIndex: (all: Int64, repeated: Int64)] = [:]
    Self.forEachSame(lines) { same in
      let path = lines[same.lowerBound].path
      different[path, default: (0, 0)].all += 1
      if same.count > 1 { different[path, default: (0, 0)].repeated += 1 }
    }
    var beyond: Int64 = 0
    var byDesign: Int64 = 0
    Self.forEachSame(lines) { same in
      guard same.count > 1, let path = different[lines[same.lowerBound].path] else { return }
      if Double(path.repeated) > Self.mostRepeated * Double(path.all) {
        byDesign += Int64(same.count - 1)
      } else {
        beyond += Int64(same.count - 1)
        dropped.append(contentsOf: lines[same].dropFirst())
      }
    }
    copies = Int64((Double(beyond) / share).rounded())
    repeated = Int64((Double(byDesign) / share).rounded())
  }

  /// Ranges of lines with one hash.
  private static func forEachSame(_ lines: [LineCopy], _ body: (Range<Int>) -> Void) {
    var first = 0
    while first < lines.count {
      var end = first + 1
      while end < lines.count, lines[end].hash == lines[first].hash { end += 1 }
      body(first..<end)
      first = end
    }
  }

  /// Takes the copies out of the loads; from a sample, as many times as lines stand behind each.
  func drop(from loads: inout LoadTable) {
    let weight = UInt32((1 / share).rounded())
    for copy in dropped { loads.remove(weight, Int(copy.series), at: copy.time) }
  }
}
