import Scenario
import SimulationKernel
import Studies

/// Returns a k6 script that uses an open model with one arrival-rate scenario per endpoint.
func k6Script(of test: LoadTest) -> [UInt8] {
  let slice = test.plan.slice
  let isShorter = slice.length(ofStep: slice.count - 1) < slice.step
  let remarks =
    test.remarks(arrivals: "Requests are spread evenly within each step.") + [
      "Rates are whole requests per step: k6 may be off by one request per scenario"
        + (isShorter ? ", and half a request in the last, shorter step." : "."),
      "preAllocatedVUs suffice for 1 s responses at the peak, maxVUs for 10 s; dropped_iterations shows a shortage.",
      "Run: k6 run FILE     with another target: k6 run -e BASE_URL=http://host:port FILE",
    ]
  let scenarios = test.plan.targets.enumerated().map { scenario(test, $1, number: $0 + 1) }
  let text =
    remarks.map { "// " + $0 + "\n" }.joined() + """
      import http from 'k6/http';

      const BASE = __ENV.BASE_URL || \(LoadTest.literal(test.base));

      // Seconds, then the rates at its start and at its end, in requests per step of \(seconds(slice.step)) s.
      \(test.plan.targets.enumerated().map { rates(test, $1, number: $0 + 1) }.joined())
      // A rate jumps in a stage of length 0.
      function stages(pieces) {
        const made = [];
        var rate = pieces[0][1];
        pieces.forEach(function (piece) {
          if (piece[1] !== rate) made.push({ duration: '0s', target: piece[1] });
          made.push({ duration: piece[0] + 's', target: piece[2] });
          rate = piece[2];
        });
        return made;
      }

      export const options = {
        discardResponseBodies: true,
        scenarios: {
      \(scenarios.joined())  },
      };

      export function send() {
        http.get(BASE + __ENV.TARGET);
      }

      """
  return Array(text.utf8)
}

private func seconds(_ span: TimeAmount) -> String { LoadTest.number(span.seconds) }

private func rates(_ test: LoadTest, _ target: LoadPlan.Target, number: Int) -> String {
  let pieces = test.pieces(target, joined: true).map { piece in
    "[\(seconds(piece.length)), \(Int64(piece.from.rounded())), \(Int64(piece.to.rounded()))]"
  }
  return "const RATES_\(number) = [\n" + LoadTest.lines(pieces, indent: "  ") + "];\n"
}

private func scenario(_ test: LoadTest, _ target: LoadPlan.Target, number: Int) -> String {
  let pieces = test.pieces(target, joined: true)
  let isConstant = pieces.count == 1 && pieces[0].from == pieces[0].to
  let executor =
    isConstant
    ? """
    executor: 'constant-arrival-rate',
          rate: RATES_\(number)[0][1],
          duration: RATES_\(number)[0][0] + 's',
    """
    : """
    executor: 'ramping-arrival-rate',
          startRate: RATES_\(number)[0][1],
          stages: stages(RATES_\(number)),
    """
  let users = max(1, Int(test.plan.peak(target).rounded(.up)))
  return """
        endpoint_\(number): {
          \(executor)
          timeUnit: '\(seconds(test.plan.slice.step))s',
          preAllocatedVUs: \(users),
          maxVUs: \(10 * users),
          exec: 'send',
          env: { TARGET: \(LoadTest.literal(test.path(target))) },
          tags: { endpoint: \(LoadTest.literal(LoadTest.plain(target.name))) },
        },

    """
}
