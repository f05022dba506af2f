package import BackendModel
import SimulationKernel

/// The backend's conditions as devices meet them: those of the present step, or of every step of a stored trajectory.
package enum BackendView: BitwiseCopyable {
  case step(PresentStep)
  case trajectory(ConditionsTable)

  @inline(__always)
  func conditions(of endpoint: Int, at arrival: Instant) -> Conditions {
    switch self {
    case .step(let present): present.conditions[endpoint]
    case .trajectory(let table): table.conditions(of: endpoint, at: arrival)
    }
  }
}

/// The memory through which devices and backend take turns (MODEL.md 6.1): a view that retains nothing.
package struct PresentStep: BitwiseCopyable {
  package let grid: StepGrid
  /// By endpoint: of the present step.
  fileprivate let conditions: UnsafePointer<Conditions>
  /// By step, then endpoint: the requests on their way to it when their devices came to rest.
  private let expected: UnsafeMutablePointer<UInt32>
  private let endpoints: Int

  package init(
    grid: StepGrid, conditions: UnsafePointer<Conditions>, expected: UnsafeMutablePointer<UInt32>, endpoints: Int
  ) {
    self.grid = grid
    self.conditions = conditions
    self.expected = expected
    self.endpoints = endpoints
  }

  /// Counts requests that will arrive in a step.
  @inline(__always)
  func expect(_ count: Int, at endpoint: EndpointIndex, in step: Int) {
    expected[step &* endpoints &+ endpoint.place] &+= UInt32(truncatingIfNeeded: count)
  }
}
