import Scenario
import SimulationKernel
import Testing

@testable import Calibration

/// Profiles of several labs as one, against random effects by hand.
struct ProfileMergeTests {
  private static let spacing = BracketConstant(rawValue: "min_spacing")
  private static let rare = BracketConstant.rareStaleViews

  /// A profile of one constant, whose ends and value are set by a change of the system.
  private func lab<Value>(
    _ constant: BracketConstant?, _ ends: [Value], n: Int = 10, phones: Int? = 2,
    _ put: (Value, inout OperatingSystem) -> Void
  ) throws -> SystemProfile {
    let systems = ends.map { end in
      var system = OperatingSystem()
      put(end, &system)
      return system
    }
    var measurement = SystemProfile.Measurement()
    (measurement.system, measurement.days, measurement.runs) = ("26.1", 7, 100)
    measurement.phones = [SystemProfile.PhoneCount(model: "iphone-15", count: 2)]
    let measured = MeasuredConstant(try #require(constant), method: .lab, observations: n, phones: phones)
    return SystemProfile(
      name: "lab-\(n)", measurement: measurement, constants: [measured], values: systems[1], low: systems[0],
      high: systems[2])
  }

  private func delays(_ seconds: [Double], n: Int = 10) throws -> SystemProfile {
    try lab(.policyDelay, seconds, n: n) { end, system in
      system.startDelay.policy = .uniform(from: .zero, to: .milliseconds(Int64(end * 1_000)))
    }
  }

  private func spacings(_ seconds: [Int64], n: Int = 10) throws -> SystemProfile {
    try lab(Self.spacing, seconds, n: n) { end, system in system.minSpacing = .seconds(end) }
  }

  private func merge(_ labs: [SystemProfile], most: Double = 86_400_000) throws -> ProfileMerge {
    try ProfileMerge(labs, program: "test", limits: { $0 == Self.rare ? 0...1 : 0...most })
  }

  /// Upper ends of 10 and 12 min with standard errors of 1 min: mean 11 min, tau 1 min, I^2 1/2, and Student's t of one
  /// degree of freedom, 12.7062, reaches 762.372 s to both sides; below 0 there is nothing.
  @Test func uniformLawsAreMergedByTheirUpperEnds() throws {
    let merged = try merge([delays([482.4, 600, 717.6]), delays([602.4, 720, 837.6], n: 30)])
    #expect(merged.profile.values.startDelay.policy == .uniform(from: .zero, to: .minutes(11)))
    #expect(merged.profile.low.startDelay.policy == .uniform(from: .zero, to: .zero))
    #expect(merged.profile.high.startDelay.policy == .uniform(from: .zero, to: .milliseconds(1_422_400)))
    guard case .pooled(let effects, .natural, .milliseconds) = merged.constants[0].way else {
      Issue.record("\(merged.constants[0].way)")
      return
    }
    #expect(abs(effects.deviation - 60_000) < 1e-6 && abs(effects.excess - 0.5) < 1e-9)
  }

  /// 300 s and 1 200 s, each within a factor of 1.5: on the logarithmic scale the mean is that of both logarithms, 600 s,
  /// and tau^2 is d^2 / 2 - s^2 with d = ln 4 and s = ln 2.25 / 3.92.
  @Test func intervalsThatAreFactorsAreMergedAsLogarithms() throws {
    let merged = try merge([spacings([200, 300, 450]), spacings([800, 1_200, 1_800])])
    #expect(merged.profile.values.minSpacing == .seconds(600))
    // As long as the key allows.
    #expect(merged.profile.high.minSpacing == .milliseconds(86_400_000))
    guard case .pooled(let effects, .logarithmic, .milliseconds) = merged.constants[0].way else {
      Issue.record("\(merged.constants[0].way)")
      return
    }
    let (distance, error) = (1.386_294_361_12, 0.810_930_216_216 / 3.92)
    #expect(abs(effects.deviation * effects.deviation - (distance * distance / 2 - error * error)) < 1e-9)
  }

  @Test func sharesStayShares() throws {
    let labs = try [[0.5, 0.6, 0.7], [0.7, 0.8, 0.9], [0.8, 0.9, 1]].map { ends in
      try lab(Self.rare, ends) { $1.staleViewReloadRare = Share(fraction: $0) }
    }
    let merged = try merge(labs)
    let ends = [merged.profile.low, merged.profile.values, merged.profile.high].map(\.staleViewReloadRare.fraction)
    // Equal errors: the mean is the plain one.
    #expect(abs(ends[1] - 0.7667) < 1e-12 && ends[0] < ends[1] && ends[2] == 1)
  }

  /// A law that one lab gives as a window and the other as a span has no common number.
  @Test func lawsOfSeveralFormsKeepTheWidestBracket() throws {
    let other = try lab(.policyDelay, [5, 6, 20], n: 50) { end, system in
      system.startDelay.policy = .constant(.minutes(end))
    }
    let merged = try merge([delays([300, 600, 900]), other])
    #expect(merged.profile.values.startDelay.policy == .constant(.minutes(6)))
    #expect(merged.profile.low.startDelay.policy == .uniform(from: .zero, to: .minutes(5)))
    #expect(merged.profile.high.startDelay.policy == .constant(.minutes(20)))
    guard case .widest(.forms) = merged.constants[0].way else {
      Issue.record("\(merged.constants[0].way)")
      return
    }
  }

  @Test func anIntervalWithoutWidthHasNoWeight() throws {
    let merged = try merge([spacings([300, 300, 300]), spacings([200, 280, 290])])
    #expect(merged.profile.values.minSpacing == .seconds(300) && merged.profile.low.minSpacing == .seconds(200))
    guard case .widest(.width) = merged.constants[0].way else {
      Issue.record("\(merged.constants[0].way)")
      return
    }
  }

  @Test func whatOneLabHasStaysAndTheRestAddsUp() throws {
    let merged = try merge([
      delays([300, 600, 900], n: 5), spacings([200, 300, 450], n: 7), spacings([210, 310, 460]),
    ])
    #expect(merged.profile.values.startDelay.policy == .uniform(from: .zero, to: .minutes(10)))
    #expect(merged.profile.constants.map(\.method) == [.lab, .pooled])
    #expect(merged.profile.constants.map(\.observations) == [5, 17])
    #expect(merged.profile.constants.map(\.phones) == [2, 4])
    #expect(merged.constants.map(\.labs) == [1, 2])
    let measurement = merged.profile.measurement
    #expect(measurement.days == 21 && measurement.runs == 300 && measurement.system == "26.1")
    #expect(measurement.phones == [SystemProfile.PhoneCount(model: "iphone-15", count: 6)])
    #expect(merged.profile.name == "lab-5 + lab-7 + lab-10" && measurement.program == "test")
  }
}
