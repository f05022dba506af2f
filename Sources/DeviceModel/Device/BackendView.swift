package import BackendModel
import SimulationKernel

/// The backend's conditions as devices meet them: those of the present step, or of every step of a stored trajectory.
package enum BackendView: BitwiseCopyable {
  /// By endpoint.
  case step(UnsafePointer<Conditions>)
  case trajectory(ConditionsTable)

  @inline(__always)
  func conditions(of endpoint: Int, at arrival: Instant) -> Conditions {
    switch self {
    case .step(let conditions): conditions[endpoint]
    case .trajectory(let table): table.conditions(of: endpoint, at: arrival)
    }
  }
}
