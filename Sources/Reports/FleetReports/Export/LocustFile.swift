import Scenario
import SimulationKernel
import Studies
import Words

/// Returns a locustfile that schedules requests by itself. This is necessary because Locust users wait for responses,
/// whereas arrivals must not wait.
func locustFile(of test: LoadTest) -> [UInt8] {
  let remarks =
    test.remarks(arrivals: "Requests come at random times within each step: a Poisson process with known counts.") + [
      "One user paces all requests without waiting for any (an open model). Run it in one process.",
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
    + "# Name, path, and time slices: seconds, rates at start and end per step of "
    + "\(LoadTest.number(test.plan.slice.step.seconds)) s, requests.\n"
    + "ENDPOINTS = [\n" + targets.joined() + "]\n" + Words.text("locust.py") + "\n"
  return Array(text.utf8)
}
