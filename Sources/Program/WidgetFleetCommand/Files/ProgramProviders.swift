import Scenario
import SimulationKernel

/// The providers of this program, which scenarios can name; the plain program has none.
enum ProgramProviders {
  private static let kept = Locked(ProviderTable())

  /// The providers by name; they are set once, before the arguments are read.
  static var table: ProviderTable {
    get { kept.withLock { $0 } }
    set { kept.withLock { $0 = newValue } }
  }
}
