import Foundation
import Scenario
import Testing

/// The findings in the comments of the battery scenarios, derived from the profiles and the distribution of random
/// phases.
@Suite struct BatteryFindingTests {
  private struct Radio {
    var promotion: Double
    /// The lengths in seconds and powers in watts.
    var tails: [(length: Double, power: Double)]
    var name: String

    var tailEnergy: Double { tails.reduce(0) { $0 + $1.length * $1.power } }
    var tailLength: Double { tails.reduce(0) { $0 + $1.length } }

    /// Returns the energy of one cycle with six random phases in 1800 s, each on the air for `airTime`. The tail after
    /// each lasts until the next one; with probability (1 - x/T)^5 none comes for x.
    func tailsApart(airTime: Double) -> Double {
      var sum = 0.0
      var begin = airTime
      for tail in tails {
        // The integral of (1 - x/T)^5 is -T/6 (1 - x/T)^6.
        sum += tail.power * 300 * (pow(1 - begin / 1_800, 6) - pow(1 - (begin + tail.length) / 1_800, 6))
        begin += tail.length
      }
      return 6 * sum
    }

    func promotionsApart(airTime: Double) -> Double { 6 * pow(1 - (airTime + tailLength) / 1_800, 5) }
  }

  private static let radios = [
    "battery-lte-tail": Radio(promotion: 0.314_782, tails: [(11.576, 1.06)], name: "lte-2012"),
    "battery-wifi": Radio(promotion: 0.009_796, tails: [(0.238, 0.119)], name: "wifi"),
    "battery-5g": Radio(promotion: 0.208, tails: [(10.2, 0.593), (4.8, 0.05)], name: "5g-sa"),
  ]

  /// The comment's numbers, without the time on the air.
  @Test(arguments: [("battery-lte-tail", 72.4, 5.81, 12.3), ("battery-5g", 37.2, 5.75, 6.3)])
  func comments(name: String, apart: Double, promotions: Double, together: Double) throws {
    let radio = try #require(Self.radios[name])
    #expect(abs(radio.tailsApart(airTime: 0) - apart) < 0.06)
    #expect(abs(radio.promotionsApart(airTime: 0) - promotions) < 0.006)
    #expect(abs(radio.tailEnergy - together) < 0.05)
  }

  /// Together: one promotion and one whole tail per half hour. The day's last one may be cut off.
  @Test(arguments: ["battery-lte-tail", "battery-wifi", "battery-5g"]) func together(name: String) throws {
    let devices = 100.0
    let radio = try #require(Self.radios[name])
    let trial = try Trial(name, devices: Int(devices))
    #expect(abs(trial.joules(.tail) / devices / 48 / radio.tailEnergy - 1) < 0.002)
    #expect(abs(trial.joules(.promotion) / devices / 48 / radio.promotion - 1) < 0.002)
    #expect(trial.result.replications[0].groups[0].energy.saved > 0)
  }

  /// Apart: independent phases. The tails of one half hour scatter by less than a third of a tail for each of the six.
  @Test(arguments: ["battery-lte-tail", "battery-wifi", "battery-5g"]) func apart(name: String) throws {
    let devices = 150.0
    let radio = try #require(Self.radios[name])
    let trial = try Trial(name, devices: Int(devices), "os.coalescing_window=0s")
    let cycles = devices * 48
    // On the air for the promotion, the round trip and 60 ms.
    let airTime = 0.39
    let error = 4 * radio.tailEnergy / cycles.squareRoot()
    #expect(abs(trial.joules(.tail) / cycles - radio.tailsApart(airTime: airTime)) < error)
    let promotions = trial.joules(.promotion) / radio.promotion / cycles
    #expect(abs(promotions - radio.promotionsApart(airTime: airTime)) < 4 / cycles.squareRoot())
  }
}

extension Trial {
  /// Returns the energy of all widgets in the measured period.
  fileprivate func joules(_ component: EnergyComponent) -> Double {
    result.replications[0].groups.reduce(0) { $0 + Double($1.energy[component]) } / 1e9
  }
}
