/// What tuning makes small.
package enum TuneObjective: Hashable, Sendable {
  case figure(FigureName)
  /// The value of a searched key, by its place among them: the least that holds.
  case key(Int)

  /// nil of a key.
  package var figure: FigureName? {
    if case .figure(let name) = self { return name }
    return nil
  }
}
