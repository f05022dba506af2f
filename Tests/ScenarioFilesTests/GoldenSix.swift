extension GoldenTests {
  /// Returns the minimal scenario with limits of an endpoint in line 7.
  private static func limits(_ text: String) -> (String, String) {
    ("fleet:", "backend: {endpoints: {api: {\(text)}}}\nfleet:")
  }

  static let six: [Golden] = [
    Golden(
      "short queue",
      edits: [limits("capacity: 7k/s, queue: 5k")],
      expected: #"""
        error[WF314]: a queue of 5 000 holds fewer requests than are served per step of 1s: 7 000
         --> a.yaml:7:52
          |
        7 | backend: {endpoints: {api: {capacity: 7k/s, queue: 5k}}}
          |                                                    ^^ less than 7 000
          = help: write 7000; or a shorter clock.step

        """#),
    Golden(
      "step longer than a tenth of a ttl",
      edits: [limits("cdn: {keys: 10, ttl: 5s}")],
      expected: #"""
        error[WF313]: 'ttl' 5s of endpoint 'api' is shorter than ten steps of 1s
         --> a.yaml:7:50
          |
        7 | backend: {endpoints: {api: {cdn: {keys: 10, ttl: 5s}}}}
          |                                                  ^^ step: at most 500ms
          = help: write clock.step: 500ms; or a longer ttl

        """#),
    Golden(
      "step longer than 10 s",
      edits: [("clock: {", "clock: {step: 15s, "), limits("capacity: 7k/s")],
      expected: #"""
        error[WF313]: step 15s is longer than 10s, and endpoint 'api' has limits
         --> a.yaml:3:9
          |
        3 | clock: {step: 15s, start: 2027-01-18T00:00:00Z}
          |         ^^^^ at most 10s
          = help: devices see the state of the backend once per step

        """#),
    Golden(
      "autoscale without capacity",
      edits: [limits("autoscale: {target: 60%, delay: 2min, step: 20%, min: 3/s, max: 9/s}")],
      expected: #"""
        error[WF101]: endpoint 'api' has 'autoscale' but lacks the key 'capacity'
         --> a.yaml:7:29
          |
        7 | backend: {endpoints: {api: {autoscale: {target: 60%, delay: 2min, step: 20%, min: 3/s, max: 9/s}}}}
          |                             ^^^^^^^^^ needs a capacity
          = help: write capacity: 7k/s

        """#),
    Golden(
      "autoscale from outside",
      edits: [limits("capacity: 1/s, autoscale: {target: 60%, delay: 2min, step: 20%, min: 3/s, max: 9/s}")],
      expected: #"""
        error[WF205]: 'capacity' must be between the min 3/s and the max 9/s of 'autoscale'
         --> a.yaml:7:39
          |
        7 | backend: {endpoints: {api: {capacity: 1/s, autoscale: {target: 60%, delay: 2min, step: 20%, min: ...
          |                                       ^^^ below min
          = help: write 3/s; it is the initial capacity

        """#),
    Golden(
      "autoscale from more to less",
      edits: [limits("capacity: 1/s, autoscale: {target: 60%, delay: 2min, step: 20%, min: 9/s, max: 3/s}")],
      expected: #"""
        error[WF305]: 'max' must not be below 'min'
         --> a.yaml:7:108
          |
        7 | ...lay: 2min, step: 20%, min: 9/s, max: 3/s}}}}
          |                                         ^^^ min is 9/s
          = help: write 9/s; or swap the two

        """#),
  ]
}
