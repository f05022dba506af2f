extension GoldenTests {
  /// Returns the minimal scenario with goals in line 3.
  private static func goals(_ text: String) -> (String, String) { ("clock: {", "goals: [\(text)]\nclock: {") }

  static let seven: [Golden] = [
    Golden(
      "unknown metric",
      edits: [goals(#"{id: a, assert: "peak_rsp <= 7k/s"}"#)],
      expected: #"""
        error[WF502]: there is no metric 'peak_rsp'
         --> a.yaml:3:26
          |
        3 | goals: [{id: a, assert: "peak_rsp <= 7k/s"}]
          |                          ^^^^^^^^ not a metric
          = help: did you mean 'peak_rps'?

        """#),
    Golden(
      "metric with a unit of its own",
      edits: [goals(#"{id: a, assert: peak_rps <= 7s}"#)],
      expected: #"""
        error[WF505]: '7s' is a duration, but peak_rps is in requests/s
         --> a.yaml:3:37
          |
        3 | goals: [{id: a, assert: peak_rps <= 7s}]
          |                                     ^^ another unit
          = help: write it like 7k/s

        """#),
    Golden(
      "limit without unit",
      edits: [goals(#"{id: a, assert: lateness <= 15}"#)],
      expected: #"""
        error[WF203]: the limit is a duration and needs a unit
         --> a.yaml:3:37
          |
        3 | goals: [{id: a, assert: lateness <= 15}]
          |                                     ^^ 15 of what?
          = help: write 15s, 15min or 15h; units: ms, s, min, h, d

        """#),
    Golden(
      "label value that nothing bears",
      edits: [goals(#"{id: a, assert: 'stale_views{kind=wether} < 2%'}"#)],
      expected: #"""
        error[WF504]: there is no kind 'wether'
         --> a.yaml:3:43
          |
        3 | goals: [{id: a, assert: 'stale_views{kind=wether} < 2%'}]
          |                                           ^^^^^^ not known
          = help: did you mean 'weather'?

        """#),
    Golden(
      "endpoint where there is none",
      edits: [goals(#"{id: a, assert: "peak_rps{endpoint=api} <= 7k/s"}"#)],
      expected: #"""
        error[WF504]: there is no endpoint 'api'
         --> a.yaml:3:44
          |
        3 | goals: [{id: a, assert: "peak_rps{endpoint=api} <= 7k/s"}]
          |                                            ^^^ not known
          = help: the scenario has none

        """#),
    Golden(
      "unknown label",
      edits: [goals(#"{id: a, assert: "stale_views{knd=weather} < 2%"}"#)],
      expected: #"""
        error[WF503]: stale_views has no label 'knd'
         --> a.yaml:3:38
          |
        3 | goals: [{id: a, assert: "stale_views{knd=weather} < 2%"}]
          |                                      ^^^ not one of its labels
          = help: did you mean 'kind'?

        """#),
    Golden(
      "window that no step fits",
      edits: [goals(#"{id: a, assert: "peak_rps{window=15s} <= 7k/s"}"#)],
      expected: #"""
        error[WF504]: there is no window '15s'
         --> a.yaml:3:42
          |
        3 | goals: [{id: a, assert: "peak_rps{window=15s} <= 7k/s"}]
          |                                          ^^^ not a window at this clock.step
          = help: there are 1s, 10s, 1min, 5min

        """#),
    Golden(
      "labels that exclude each other",
      edits: [goals(#"{id: a, assert: "runs_per_day{kind=weather, cohort=all} <= 40/day"}"#)],
      expected: #"""
        error[WF506]: 'cohort' cannot be combined with 'kind'
         --> a.yaml:3:53
          |
        3 | goals: [{id: a, assert: "runs_per_day{kind=weather, cohort=all} <= 40/day"}]
          |                                                     ^^^^^^ unknown for both
          = help: split it into two goals

        """#),
    Golden(
      "statistic that is not known",
      edits: [goals(#"{id: a, assert: p95(waits_per_day) <= 2/day}"#)],
      expected: #"""
        error[WF506]: waits_per_day has no p95
         --> a.yaml:3:25
          |
        3 | goals: [{id: a, assert: p95(waits_per_day) <= 2/day}]
          |                         ^^^ not available for it
          = help: it has mean

        """#),
    Golden(
      "no statistic",
      edits: [goals(#"{id: a, assert: p59(lateness) <= 1min}"#)],
      expected: #"""
        error[WF506]: 'p59' is not a statistic
         --> a.yaml:3:25
          |
        3 | goals: [{id: a, assert: p59(lateness) <= 1min}]
          |                         ^^^ not a statistic
          = help: did you mean 'p50'?

        """#),
    Golden(
      "share of what",
      edits: [goals(#"{id: a, assert: share(requests) <= 1%}"#)],
      expected: #"""
        error[WF506]: a share of the requests needs a cause
         --> a.yaml:3:31
          |
        3 | goals: [{id: a, assert: share(requests) <= 1%}]
          |                               ^^^^^^^^ which cause?
          = help: write requests{cause=tap}

        """#),
    Golden(
      "share of failures by cause",
      edits: [goals(#"{id: a, assert: "share(failures{cause=tap}) <= 1%"}"#)],
      expected: #"""
        error[WF506]: a share of failures is relative to the requests of an endpoint or kind
         --> a.yaml:3:32
          |
        3 | goals: [{id: a, assert: "share(failures{cause=tap}) <= 1%"}]
          |                                ^^^^^^^^^^^^^^^^^^^ not by cause or reason
          = help: write failures

        """#),
    Golden(
      "metric by another name",
      edits: [goals(#"{id: a, assert: error_rate <= 1%}"#)],
      expected: #"""
        error[WF502]: there is no metric 'error_rate'
         --> a.yaml:3:25
          |
        3 | goals: [{id: a, assert: error_rate <= 1%}]
          |                         ^^^^^^^^^^ not a metric
          = help: did you mean 'share(failures)'?

        """#),
    Golden(
      "a share of a count",
      edits: [goals(#"{id: a, assert: failures <= 1%}"#)],
      expected: #"""
        error[WF505]: '1%' is a share, but failures is in requests
         --> a.yaml:3:37
          |
        3 | goals: [{id: a, assert: failures <= 1%}]
          |                                     ^^ another unit
          = help: write 1% of requests

        """#),
    Golden(
      "arrow the wrong way round",
      edits: [goals(#"{id: a, assert: lateness =< 15min}"#)],
      expected: #"""
        error[WF501]: '=<' is not a comparison
         --> a.yaml:3:34
          |
        3 | goals: [{id: a, assert: lateness =< 15min}]
          |                                  ^^ not a comparison
          = help: did you mean '<='?

        """#),
    Golden(
      "no comparison",
      edits: [goals(#"{id: a, assert: lateness}"#)],
      expected: #"""
        error[WF501]: a comparison is missing
         --> a.yaml:3:33
          |
        3 | goals: [{id: a, assert: lateness}]
          |                                 ^ compared with what?
          = help: comparisons are <=  <  >=  >  ==  !=

        """#),
    Golden(
      "no metric",
      edits: [goals(#"{id: a, assert: ""}"#)],
      expected: #"""
        error[WF501]: a metric is missing
         --> a.yaml:3:26
          |
        3 | goals: [{id: a, assert: ""}]
          |                          ^ here
          = help: a goal is a metric, a comparison and a limit

        """#),
    Golden(
      "reference in another unit",
      edits: [goals(#"{id: a, assert: peak_rps <= 150% of lateness}"#)],
      expected: #"""
        error[WF505]: lateness is in s, peak_rps in requests/s
         --> a.yaml:3:45
          |
        3 | goals: [{id: a, assert: peak_rps <= 150% of lateness}]
          |                                             ^^^^^^^^ cannot be compared
          = help: write it like 7k/s

        """#),
    Golden(
      "number of a reference",
      edits: [goals(#"{id: a, assert: peak_rps <= 150 of mean_rps}"#)],
      expected: #"""
        error[WF501]: the factor before 'of' must be a percentage
         --> a.yaml:3:37
          |
        3 | goals: [{id: a, assert: peak_rps <= 150 of mean_rps}]
          |                                     ^^^ not a percentage
          = help: write it like 150%

        """#),
    Golden(
      "bracket left open",
      edits: [goals(#"{id: a, assert: mean(lateness <= 1min}"#)],
      expected: #"""
        error[WF501]: a ')' is missing
         --> a.yaml:3:39
          |
        3 | goals: [{id: a, assert: mean(lateness <= 1min}]
          |                                       ^ here
          = help: close the bracket after the metric

        """#),
    Golden(
      "too much",
      edits: [goals(#"{id: a, assert: lateness <= mean(lateness) x}"#)],
      expected: #"""
        error[WF501]: nothing may follow the metric
         --> a.yaml:3:52
          |
        3 | goals: [{id: a, assert: lateness <= mean(lateness) x}]
          |                                                    ^ unexpected
          = help: a goal has one comparison

        """#),
    Golden(
      "two goals of one id",
      edits: [goals(#"{id: a, assert: lateness <= 1min}, {id: a, assert: lateness > 0s}"#)],
      expected: #"""
        error[WF304]: two goals have the same id 'a'
         --> a.yaml:3:49
          |
        3 | goals: [{id: a, assert: lateness <= 1min}, {id: a, assert: lateness > 0s}]
          |                                                 ^ the first is on line 3
          = help: give one of them another id

        """#),
    // A billion phones with about 15 000 events a day each exceed a 64-bit account.
    Golden(
      "more events than can be counted",
      text: """
        schema: widgetfleet/v1
        name: x
        clock: {start: 2027-01-18T00:00:00Z}
        kinds: {a: {reload: {after: 1h}, requests: [{endpoint: api, count: 100, down: 1GB}]}}
        fleet: {devices: 1000M, cohorts: [{name: c, zones: {UTC: 100%}, widgets: [{kind: a}]}]}
        run: {simulate: all}

        """,
      expected: #"""
        error[WF315]: the simulation has about 45 200 000 000 000 events, which would take days; at most 10 000 000 000 000 can be counted
         --> a.yaml:5:18
          |
        5 | fleet: {devices: 1000M, cohorts: [{name: c, zones: {UTC: 100%}, widgets: [{kind: a}]}]}
          |                  ^^^^^ 1 000 000 000 phones simulated
          = help: write run.simulate: 220000000; counts are scaled to the fleet

        """#),
  ]
}
