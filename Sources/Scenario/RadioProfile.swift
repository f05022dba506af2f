package import SimulationKernel

/// A network interface with the figures of MODEL.md 7.1.
package enum RadioProfile: String, CaseIterable, Sendable {
  case wifi
  case lte2012 = "lte-2012"
  case lte2021Verizon = "lte-2021-vz"
  case lte2021TMobile = "lte-2021-tmo"
  case nsaLowBand5G = "5g-nsa-low"
  case standalone5G = "5g-sa"
  case millimetreWave5G = "5g-mmwave"

  /// How long a sleeping radio takes to be able to send.
  package var promotion: TimeAmount { self == .wifi ? .milliseconds(79) : .milliseconds(260) }

  /// How long the radio stays awake after its last use.
  package var tail: TimeAmount {
    switch self {
    case .wifi: .milliseconds(238)
    case .lte2012: .milliseconds(11_576)
    case .lte2021Verizon: .milliseconds(10_200)
    case .lte2021TMobile: .milliseconds(5_000)
    case .nsaLowBand5G: .milliseconds(10_200)
    case .standalone5G: .milliseconds(15_000)
    case .millimetreWave5G: .milliseconds(11_000)
    }
  }

  /// The round trip of a request, from the table of MODEL.md 7.1 (marked [A] there).
  package var roundTrip: TimeAmount {
    switch self {
    case .wifi: .milliseconds(30)
    case .lte2012: .milliseconds(70)
    case .lte2021Verizon: .milliseconds(60)
    case .lte2021TMobile: .milliseconds(60)
    case .nsaLowBand5G: .milliseconds(50)
    case .standalone5G: .milliseconds(40)
    case .millimetreWave5G: .milliseconds(30)
    }
  }
}
