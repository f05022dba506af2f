import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine

/// Pushes that a sender paces (MODEL.md 4.2, 8 and 9), to 2 000 phones whose widgets request nothing by themselves.
@Suite struct PushSenderTests {
  private static func sample(_ push: String, delay: String = "0s", system: String = "") -> FleetSample {
    var sample = FleetSample(devices: 2_000)
    sample.kinds = "{k: {reload: never, requests: [{endpoint: api}]}}"
    sample.os = "{\(system)idle: none, budget: {model: off}, start_delay: {widget_push: \(delay)}}"
    sample.events = "[{name: p, at: 2027-01-18T10:00:00Z, push: {type: widget, \(push)}}]"
    return sample
  }

  /// Returns the requests in each minute after the push.
  private static func minutes(_ sample: FleetSample) throws -> [Int] {
    Array(try sample.replication().requestsPerMinute[600..<640])
  }

  /// 4 pushes/s: 500 s, with 240 requests in each whole minute; deviation sqrt(2000 x 0.12 x 0.88) = 14.5.
  @Test func senderSpreadsItsPushesEvenly() throws {
    let sample = Self.sample("sender: {rate: 4/s}")
    let span = try #require(try sample.result().eventSpans.first)
    #expect(span.to - span.from == .seconds(500))
    let minutes = try Self.minutes(sample)
    #expect(minutes.reduce(0, +) == 2_000)
    #expect(minutes.prefix(8).allSatisfy { abs(Double($0) - 240) < 4.5 * 14.6 }, "\(minutes)")
    // Wi-Fi may need a moment after the last push at 500 s.
    #expect(minutes.dropFirst(9).allSatisfy { $0 == 0 }, "\(minutes)")
  }

  /// With a start delay Exp(60 s) the herd is r (1 - exp(-t/m)): 240 (1 - exp(-k) (1 - exp(-1))) requests in the k-th
  /// minute from 0 to 7, and its peak stays below r.
  @Test func startDelaySmoothsThePacedHerd() throws {
    let minutes = try Self.minutes(Self.sample("sender: {rate: 4/s}", delay: "{exponential: 60s}"))
    for (minute, count) in minutes.prefix(8).enumerated() {
      let expected = 240 * (1 - SteadyMath.exp(-Double(minute)) * (1 - SteadyMath.exp(-1)))
      let deviation = (expected * (1 - expected / 2_000)).squareRoot()
      #expect(abs(Double(count) - expected) < 4.5 * deviation, "minute \(minute): \(minutes)")
    }
  }

  /// A sender of 2 000 phones takes as long if only 200 of them are simulated.
  @Test func samplesKeepTheFleetsPace() throws {
    var sample = Self.sample("sender: {rate: 4/s}")
    sample.run = "{seed: 1, simulate: 200}"
    let span = try #require(try sample.result().eventSpans.first)
    #expect(span.to - span.from == .seconds(500))
  }

  /// A quarter of the phones is addressed: one message each, in a quarter of the time.
  @Test func audienceShortensTheSending() throws {
    var sample = Self.sample("sender: {rate: 4/s}, cohorts: [readers]")
    sample.cohorts =
      "["
      + [("readers", 25), ("others", 75)].map { name, share in
        "{name: \(name), share: \(share)%, zones: {UTC: 100%}, person: {unlocks_per_day: 0}, network: wifi, "
          + "power: mains, widgets: [{kind: k}]}"
      }.joined(separator: ", ") + "]"
    let result = try sample.result()
    let span = try #require(result.eventSpans.first)
    #expect(span.to - span.from == .seconds(125))
    #expect(result.replications[0].pushes == [500])
  }

  /// Each addressed phone gets one message, and the shares of an audience are binomial: deviation 21.9.
  @Test func eachAddressedPhoneCountsOnce() throws {
    #expect(try Self.sample("over: 0s").replication().pushes == [2_000])
    let some = try Self.sample("audience: 40%").replication().pushes[0]
    #expect(abs(Double(some) - 800) < 4.5 * 21.9, "\(some)")
  }

  /// A silent push counts although the system never delivers it.
  @Test func lostPushesCount() throws {
    var sample = Self.sample("over: 0s", system: "silent_push: {delivered: 0%}, ")
    sample.events = "[{name: p, at: 2027-01-18T10:00:00Z, push: {type: silent, kinds: all}}]"
    let replication = try sample.replication()
    #expect(replication.pushes == [2_000] && replication.runs(.background) == 0)
  }
}
