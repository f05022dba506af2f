extension Sequence where Element: Hashable {
  /// Every element where it comes first.
  package var eachOnce: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
