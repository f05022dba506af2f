import SimulationKernel
import Testing

@testable import BackendModel

@Suite struct TrajectoryTests {
  private func trajectory(_ steps: [[Conditions]], _ names: [String] = ["api", "images"]) -> ConditionsTrajectory {
    var trajectory = ConditionsTrajectory(
      beginning: .start - .seconds(4), stepLength: .seconds(2), endpoints: names)
    for step in steps { trajectory.append(step) }
    return trajectory
  }

  private let bad = Conditions(
    misses: .of(0.1), outage: .of(1.0 / 3), limited: .of(.leastNonzeroMagnitude), refused: .of(1),
    wait: QueueWait(first: .milliseconds(7), last: .milliseconds(-3)))

  @Test func stepsAreFound() {
    let trajectory = trajectory([[.fine, .fine], [bad, .fine], [bad, bad], [.fine, bad]])
    #expect(trajectory.stepCount == 4)
    #expect((0..<4).map { trajectory[0, $0] } == [.fine, bad, bad, .fine])
    #expect((0..<4).map { trajectory[1, $0] } == [.fine, .fine, bad, bad])
    #expect(trajectory.spells(of: 0).map(\.firstStep) == [0, 1, 3])
    let storage = SamplerStorage()
    let table = trajectory.prepared(in: storage)
    let rows: [(Int64, Conditions)] = [
      (-9_000, .fine), (-4_000, .fine), (-2_001, .fine), (-2_000, bad), (0, bad), (1_999, bad), (2_000, .fine),
      (3_999, .fine), (99_000, .fine),
    ]
    for (milliseconds, expected) in rows {
      let instant = Instant(millisecondsSinceStart: milliseconds)
      #expect(table.conditions(of: 0, at: instant) == expected, "\(milliseconds)")
    }
    #expect(table.conditions(of: 1, at: .start + .hours(1)) == bad)
  }

  @Test func outagesArePlannedInAdvance() {
    var sketch = Sketch()
    sketch.grid = StepGrid(beginning: .start, length: .second, count: 5)
    let plain = sketch.plan
    sketch.fail(from: 1, to: 3, errors: 0.5)
    let trajectory = ConditionsTrajectory.fromOutages(
      [plain, sketch.plan], names: ["calm", "api"], grid: sketch.grid)
    let failing = Conditions(outage: .of(0.5))
    #expect((0..<5).map { trajectory[0, $0] } == Array(repeating: .fine, count: 5))
    #expect((0..<5).map { trajectory[1, $0] } == [.fine, failing, failing, .fine, .fine])
    #expect(trajectory.grid == sketch.grid)
    // A stepped backend gives the same conditions.
    var state = sketch.state
    for step in 0..<5 { #expect(state.advance(arrivals: 1_000) == trajectory[1, step]) }
  }

  @Test func text() {
    let trajectory = trajectory([[.fine, .fine], [bad, Conditions(wait: QueueWait(QueueWait.endless))]])
    let expected = """
      endpoint,step_ms,from_ms,to_ms,miss_share,outage_share,limited_share,refused_share,wait_ms,last_wait_ms,copy_share,cached_error_share
      api,2000,-4000,-2000,1.0,0.0,0.0,0.0,0,0,0.0,0.0
      api,2000,-2000,0,0.1,0.3333333333333333,5e-324,1.0,7,-3,0.0,0.0
      images,2000,-4000,-2000,1.0,0.0,0.0,0.0,0,0,0.0,0.0
      images,2000,-2000,0,1.0,0.0,0.0,0.0,timeout,timeout,0.0,0.0

      """
    #expect(String(decoding: ConditionsText.encode(trajectory), as: UTF8.self) == expected)
  }

  @Test func conditionsTextRoundTrips() throws {
    let names = ["api v2", "a,b%\n\"", "bücher", "-"]
    for seed: UInt64 in 1...20 {
      var dice = Dice(seed: seed)
      var steps: [[Conditions]] = []
      for _ in 0..<40 {
        let repeats = dice.below(2) == 0
        if repeats, let last = steps.last {
          steps.append(last)
        } else {
          steps.append(names.map { _ in dice.conditions() })
        }
      }
      let trajectory = trajectory(steps, names)
      #expect(try ConditionsText.decode(ConditionsText.encode(trajectory)) == trajectory, "seed \(seed)")
    }
  }

  @Test func namesInText() {
    let rows = [("api", "api"), ("a b", "a%20b"), ("ü", "%C3%BC"), ("\n", "%0A"), ("a.B-c_9", "a.B-c_9"), ("%", "%25")]
    for (name, text) in rows {
      #expect(ConditionsText.encoded(name) == text)
      #expect(ConditionsText.decoded(Substring(text)) == name)
    }
    for text in ["%", "%2", "%ZZ", "%C3", "a b", "%41", "%0a", "%+1"] {
      #expect(ConditionsText.decoded(Substring(text)) == nil, "\(text)")
    }
  }
}

extension Dice {
  fileprivate mutating func conditions() -> Conditions {
    let misses = share()
    return Conditions(
      errors: .of(share() * (1 - misses)), misses: .of(misses), copies: .of(share() * misses), outage: .of(share()),
      limited: .of(share()), refused: .of(share()),
      wait: below(4) == 0
        ? QueueWait(QueueWait.endless)
        : QueueWait(first: .milliseconds(Int64(below(100_000))), last: .milliseconds(Int64(below(200_000)) - 100_000)))
  }
}
