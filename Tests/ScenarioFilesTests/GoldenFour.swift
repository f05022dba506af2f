extension GoldenTests {
  static let four: [Golden] = [
    Golden(
      "24 hours", edits: [("{unlocks_per_day: 0}", "{unlocks_per_day: 0, hours: [1, 2]}")],
      expected: #"""
        error[WF216]: 'hours' takes 24 values
          --> a.yaml:12:43
           |
        12 |       person: {unlocks_per_day: 0, hours: [1, 2]}
           |                                           ^^^^^^ 2 values here
           = help: weights for local hours 0..23, interpolated between mid-hours

        """#),
    Golden(
      "schema version", edits: [("widgetfleet/v1", "widgetfleet/v2")],
      expected: #"""
        error[WF217]: 'schema' is not a supported version
         --> a.yaml:1:9
          |
        1 | schema: widgetfleet/v2
          |         ^^^^^^^^^^^^^^ unknown version
          = help: write widgetfleet/v1

        """#),
    Golden(
      "shares of zones", edits: [("{Europe/Berlin: 100%}", "{Europe/Berlin: 70%, Europe/London: 20%}")],
      expected: #"""
        error[WF301]: the shares of 'zones' add up to 90 %, not 100 %
          --> a.yaml:11:7
           |
        11 |       zones: {Europe/Berlin: 70%, Europe/London: 20%}
           |       ^^^^^ 90 %
           = help: raise one of them

        """#),
    Golden(
      "step", edits: [("clock: {", "clock: {step: 7s, ")],
      expected: #"""
        error[WF302]: step 7s does not divide warmup 1d
         --> a.yaml:3:15
          |
        3 | clock: {step: 7s, start: 2027-01-18T00:00:00Z}
          |               ^^ leaves a remainder
          = help: settle, warmup and duration must be whole numbers of steps

        error[WF302]: step 7s does not divide duration 1d
         --> a.yaml:3:15
          |
        3 | clock: {step: 7s, start: 2027-01-18T00:00:00Z}
          |               ^^ leaves a remainder
          = help: settle, warmup and duration must be whole numbers of steps

        """#),
    Golden(
      "kind of a widget", edits: [("{kind: weather}", "{kind: wheather}")],
      expected: #"""
        error[WF303]: there is no kind 'wheather'
          --> a.yaml:14:24
           |
        14 |       widgets: [{kind: wheather}]
           |                        ^^^^^^^^ not under kinds
           = help: did you mean 'weather'?

        """#),
    Golden(
      "phone", edits: [("      zones:", "      phones: {iphone-51: 100%}\n      zones:")],
      expected: #"""
        error[WF303]: there is no phone 'iphone-51'
          --> a.yaml:11:16
           |
        11 |       phones: {iphone-51: 100%}
           |                ^^^^^^^^^ neither built in nor under phones
           = help: did you mean 'iphone-11'?

        """#),
    Golden(
      "two cohorts of one name",
      edits: [
        (
          "    - name: all\n      zones",
          "    - {name: all, share: 50%, zones: {UTC: 100%}, person: {unlocks_per_day: 0}, network: wifi, widgets: []}\n    - name: all\n      share: 50%\n      zones"
        )
      ],
      expected: #"""
        error[WF304]: two cohorts have the same name 'all'
          --> a.yaml:11:13
           |
        11 |     - name: all
           |             ^^^ the first is on line 10
           = help: give one of them another name

        """#),
    Golden(
      "p99 below p50", edits: [("fleet:", "backend: {endpoints: {api: {latency: {p50: 1s, p99: 10ms}}}}\nfleet:")],
      expected: #"""
        error[WF305]: 'p99' must not be below 'p50'
         --> a.yaml:7:53
          |
        7 | backend: {endpoints: {api: {latency: {p50: 1s, p99: 10ms}}}}
          |                                                     ^^^^ conflicts with p50
          = help: 99 % of lognormal latencies are below p99, and half are below p50

        """#),
    Golden(
      "too many steps", edits: [("clock: {", "clock: {step: 1ms, ")],
      expected: #"""
        error[WF306]: the calendar has 259 200 000 steps; the maximum is 50 000 000
         --> a.yaml:3:9
          |
        3 | clock: {step: 1ms, start: 2027-01-18T00:00:00Z}
          |         ^^^^ too fine for this duration
          = help: make the step longer or the duration shorter

        """#),
    Golden(
      "simulate", edits: [("kinds:", "run: {simulate: 2k}\nkinds:")],
      expected: #"""
        error[WF307]: simulate 2 000 is more than the fleet's 1 000 devices
         --> a.yaml:4:17
          |
        4 | run: {simulate: 2k}
          |                 ^^ more than there are
          = help: omit simulate to simulate all

        """#),
    Golden(
      "all weights zero",
      edits: [
        (
          "{unlocks_per_day: 0}",
          "{unlocks_per_day: 0, hours: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}"
        )
      ],
      expected: #"""
        error[WF308]: all weights of 'hours' are 0
          --> a.yaml:12:36
           |
        12 |       person: {unlocks_per_day: 0, hours: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ...
           |                                    ^^^^^ no hour is left
           = help: give an hour a weight above 0; flat makes all equal

        """#),
    Golden(
      "no kinds",
      edits: [("kinds:\n  weather:\n    reload: {after: 15min}", "kinds: {}"), ("[{kind: weather}]", "[]")],
      expected: #"""
        error[WF309]: 'kinds' is empty
         --> a.yaml:4:1
          |
        4 | kinds: {}
          | ^^^^^ at least one is needed
          = help: one entry per widget kind

        """#),
    Golden(
      "CJK before the caret", edits: [("clock: {", "clock: {x-メモ: 東京の天気, stat: 1, ")],
      expected: #"""
        error[WF102]: unknown key 'stat' in 'clock'
         --> a.yaml:3:22
          |
        3 | clock: {x-メモ: 東京の天気, stat: 1, start: 2027-01-18T00:00:00Z}
          |                             ^^^^ not a key of 'clock'
          = help: did you mean 'start'?

        """#),
    Golden(
      "emoji before the caret", edits: [("clock: {", "clock: {x-a: ⛅️👩‍👩‍👧🇩🇪, stat: 1, ")],
      expected: #"""
        error[WF102]: unknown key 'stat' in 'clock'
         --> a.yaml:3:25
          |
        3 | clock: {x-a: ⛅️👩‍👩‍👧🇩🇪, stat: 1, start: 2027-01-18T00:00:00Z}
          |                      ^^^^ not a key of 'clock'
          = help: did you mean 'start'?

        """#),
    Golden(
      "tab before the caret", edits: [("network: wifi", "network:\twify")],
      expected: #"""
        error[WF303]: there is no radio 'wify'
          --> a.yaml:13:16
           |
        13 |       network:    wify
           |                   ^^^^ neither built in nor under radios
           = help: did you mean 'wifi'?

        """#),
    Golden(
      "long line",
      text: "schema: widgetfleet/v1\nname: a # " + String(repeating: "long ", count: 30)
        + "\nclock: {start: 2027-01-18T00:00:00Z, x-note: " + String(repeating: "long ", count: 30)
        + ", stp: 1s, x-more: " + String(repeating: "long ", count: 30) + "}\n",
      expected: #"""
        error[WF101]: the scenario lacks the key 'kinds'
         --> a.yaml:1:1
          |
        1 | schema: widgetfleet/v1
          | ^ 'kinds' is required
          = help: one entry per widget kind

        error[WF101]: the scenario lacks the key 'fleet'
         --> a.yaml:1:1
          |
        1 | schema: widgetfleet/v1
          | ^ 'fleet' is required
          = help: the devices and their owners

        error[WF102]: unknown key 'stp' in 'clock'
         --> a.yaml:3:198
          |
        3 | ...long long long long long long long , stp: 1s, x-more: long long long long long long long long ...
          |                                         ^^^ not a key of 'clock'
          = help: did you mean 'step'?

        """#),
  ]
}
