/// How the values of a sweep make its settings; raw values are the words of `sweep.method`.
package enum SweepMethod: String, CaseIterable, Sendable {
  /// Every value with every other, the last key fastest.
  case grid
  /// The first values together, then the second ones, and so on.
  case zip
  /// As many settings as asked for, from Sobol's sequence, which fills the space evenly.
  case sobol
}
