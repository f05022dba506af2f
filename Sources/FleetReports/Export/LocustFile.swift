import Scenario
import SimulationKernel
import Studies

/// A locustfile that keeps its own times: users of locust wait for answers, arrivals do not.
func locustFile(of test: LoadTest) -> [UInt8] {
  let remarks =
    test.remarks(arrivals: "Each step has its requests, at random instants: a Poisson process with known counts.") + [
      "One user paces all requests and waits for none of them: an open model. Run it in one process.",
      "Run: locust -f FILE --headless     with another target: --host http://host:port",
    ]
  let targets = test.plan.targets.map { target in
    let pieces = test.pieces(target, joined: false).map { piece in
      "(\([piece.length.seconds, piece.from, piece.to].map(LoadTest.number).joined(separator: ", ")), \(piece.requests))"
    }
    return "    (\(LoadTest.literal(LoadTest.plain(target.name))), \(LoadTest.literal(test.path(target))), [\n"
      + LoadTest.lines(pieces, indent: "        ") + "    ]),\n"
  }
  let text =
    remarks.map { "# " + $0 + "\n" }.joined() + "import heapq\nimport math\nimport random\nimport time\n\n"
    + "import gevent\nfrom gevent.pool import Group\nfrom locust import FastHttpUser, LoadTestShape, task\n\n"
    + "HOST = \(LoadTest.literal(test.base))\nSEED = \(test.scenario.run.seed)\n"
    + "# False: evenly spread within a step.\nAT_RANDOM = True\n\n"
    + "# Name, path, and pieces of time: seconds, the rate at their begin and end per step of "
    + "\(LoadTest.number(test.plan.slice.step.seconds)) s, requests.\n"
    + "ENDPOINTS = [\n" + targets.joined() + "]\n" + locustPlayer
  return Array(text.utf8)
}

private let locustPlayer = #"""


  def place(share, first, last):
      """Where in a piece a share of its requests has been sent, from 0 to 1."""
      if first == last:
          return share
      sent = share * (first + last) / 2
      return 2 * sent / (first + math.sqrt(first * first + 2 * (last - first) * sent)) if sent > 0 else 0.0


  def arrivals(name, path, pieces):
      """When requests of an endpoint are due, in seconds from the begin, and their names and paths."""
      draws = random.Random(f"{SEED} {name}")
      begin = 0.0
      for seconds, first, last, count in pieces:
          shares = sorted(draws.random() for _ in range(count)) if AT_RANDOM else [(i + 0.5) / count for i in range(count)]
          for share in shares:
              yield begin + seconds * place(share, first, last), name, path
          begin += seconds


  class Pace(LoadTestShape):
      """One user until the last answer is there."""

      is_over = False

      def tick(self):
          return None if Pace.is_over else (1, 1)


  class Phones(FastHttpUser):
      host = HOST
      fixed_count = 1
      # As many connections as there may be requests in the air.
      concurrency = 20_000

      @task
      def play(self):
          flying = Group()
          late = 0.0
          begin = time.monotonic()
          for due, name, path in heapq.merge(*(arrivals(*endpoint) for endpoint in ENDPOINTS)):
              rest = begin + due - time.monotonic()
              late = max(late, -rest)
              gevent.sleep(max(rest, 0))
              flying.spawn(self.client.get, path, name=name)
          flying.join(timeout=60)
          if late > 0.1:
              print(f"warning: requests left up to {late:.1f} s late: this machine is too slow for the load")
          Pace.is_over = True
          gevent.sleep(60)

  """#
