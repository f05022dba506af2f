extension GoldenTests {
  static let two: [Golden] = [
    Golden(
      "set with an unknown path", edits: [], settings: ["kinds.weather.jiter.up_to=5min"],
      expected: #"""
        error[WF104]: --set does not name a key: 'jiter'
         --> --set argument:1:15
          |
        1 | kinds.weather.jiter.up_to=5min
          |               ^^^^^ not found
          = help: did you mean 'jitter'?

        """#),
    Golden(
      "set with an unknown name", edits: [], settings: ["kinds.wether.cpu=5s"],
      expected: #"""
        error[WF104]: --set does not name a key: 'wether'
         --> --set argument:1:7
          |
        1 | kinds.wether.cpu=5s
          |       ^^^^^^ not found
          = help: did you mean 'weather'?

        """#),
    Golden(
      "set with an unknown item", edits: [], settings: ["fleet.cohorts.wst.share=5%"],
      expected: #"""
        error[WF104]: --set does not name a key: 'wst'
         --> --set argument:1:15
          |
        1 | fleet.cohorts.wst.share=5%
          |               ^^^ not found
          = help: use an index from 0 to 0, or a name: all

        """#),
    Golden(
      "set with a value of the wrong unit", edits: [], settings: ["kinds.weather.jitter.up_to=5m"],
      expected: #"""
        error[WF204]: 'up_to' has the unknown unit 'm'
         --> --set argument:1:28
          |
        1 | kinds.weather.jitter.up_to=5m
          |                            ^^ not a unit of time
          = help: write 5min

        """#),
    Golden(
      "set without a value", edits: [], settings: ["kinds.weather.cpu="],
      expected: #"""
        error[WF215]: --set has no value
         --> --set argument:1:18
          |
        1 | kinds.weather.cpu=
          |                  ^ nothing follows
          = help: the form is PATH=VALUE; quote text with spaces for the shell

        """#),
    Golden(
      "set with broken YAML", edits: [], settings: ["kinds.weather.cpu=[1s"],
      expected: #"""
        error[WF004]: this is not YAML: did not find expected ',' or ']' while parsing a flow sequence
         --> --set argument:1:22
          |
        1 | kinds.weather.cpu=[1s
          |                      ^ reading stopped here
          = help: close the bracket [ with ], and separate items with commas

        """#),
    Golden(
      "schema not first", text: "name: a\nschema: widgetfleet/v1\n",
      expected: #"""
        error[WF105]: schema must be the first key
         --> a.yaml:1:1
          |
        1 | name: a
          | ^^^^ this comes before it
          = help: move schema to the top of the file

        error[WF101]: the scenario lacks the key 'clock'
         --> a.yaml:1:1
          |
        1 | name: a
          | ^ 'clock' is required
          = help: the simulated calendar

        error[WF101]: the scenario lacks the key 'kinds'
         --> a.yaml:1:1
          |
        1 | name: a
          | ^ 'kinds' is required
          = help: one entry per widget kind

        error[WF101]: the scenario lacks the key 'fleet'
         --> a.yaml:1:1
          |
        1 | name: a
          | ^ 'fleet' is required
          = help: the devices and their owners

        """#),
    Golden(
      "phases and reload",
      edits: [("    reload: {after: 15min}", "    reload: {after: 15min}\n    phases: [{reload: never}]")],
      expected: #"""
        error[WF106]: 'phases' replaces 'reload'
         --> a.yaml:6:5
          |
        6 |     reload: {after: 15min}
          |     ^^^^^^ belongs in the phases
          = help: each phase has its own

        """#),
    Golden(
      "at and every", edits: [("{after: 15min}", "{after: {at: \"09:30\", every: 1h}}")],
      expected: #"""
        error[WF106]: 'at' and 'every' are mutually exclusive
         --> a.yaml:6:14
          |
        6 |     reload: {after: {at: "09:30", every: 1h}}
          |              ^^^^^ which one?
          = help: remove one of them

        """#),
    Golden(
      "days with every", edits: [("{after: 15min}", "{after: {every: 1h, days: mon-fri}}")],
      expected: #"""
        error[WF106]: 'days' requires 'at', not 'every'
         --> a.yaml:6:33
          |
        6 |     reload: {after: {every: 1h, days: mon-fri}}
          |                                 ^^^^ has no effect here
          = help: for days, use a window under 'when'

        """#),
    Golden(
      "a list for a mapping", edits: [("{after: 15min}", "[after, 15min]")],
      expected: #"""
        error[WF201]: 'reload' takes at-end or never or hint or a duration or a mapping {key: value}, not a list
         --> a.yaml:6:5
          |
        6 |     reload: [after, 15min]
          |     ^^^^^^ a list here
          = help: when the next timeline is requested

        """#),
    Golden(
      "a mapping for a number", edits: [("devices: 1k", "devices: {a: 1}")],
      expected: #"""
        error[WF201]: 'devices' takes a number, not a mapping
         --> a.yaml:8:3
          |
        8 |   devices: {a: 1}
          |   ^^^^^^^ a mapping here
          = help: devices that have at least one of these widgets

        """#),
    Golden(
      "not a duration", edits: [("15min", "soon")],
      expected: #"""
        error[WF202]: 'after' is not a duration
         --> a.yaml:6:21
          |
        6 |     reload: {after: soon}
          |                     ^^^^ not a duration
          = help: write it like 15min; or hint

        """#),
    Golden(
      "bare duration", edits: [("15min", "15")],
      expected: #"""
        error[WF203]: 'after' is a duration and needs a unit
         --> a.yaml:6:21
          |
        6 |     reload: {after: 15}
          |                     ^^ 15 of what?
          = help: write 15s, 15min or 15h; units: ms, s, min, h, d; or hint

        """#),
    Golden(
      "bare share", edits: [("100%", "0.7")],
      expected: #"""
        error[WF203]: 'Europe/Berlin' needs a % sign
          --> a.yaml:11:30
           |
        11 |       zones: {Europe/Berlin: 0.7}
           |                              ^^^ of what?
           = help: write 100%

        """#),
    Golden(
      "bare size", edits: [("    reload:", "    requests: [{endpoint: api, down: 20}]\n    reload:")],
      expected: #"""
        error[WF203]: 'down' needs a unit
         --> a.yaml:6:38
          |
        6 |     requests: [{endpoint: api, down: 20}]
          |                                      ^^ 20 of what?
          = help: write it like 20kB; units: B, kB, MB, GB, KiB, MiB, GiB

        """#),
    Golden(
      "unknown unit of time", edits: [("15min", "15m")],
      expected: #"""
        error[WF204]: 'after' has the unknown unit 'm'
         --> a.yaml:6:21
          |
        6 |     reload: {after: 15m}
          |                     ^^^ not a unit of time
          = help: write 15min; or hint

        """#),
    Golden(
      "unknown unit of size", edits: [("    reload:", "    requests: [{endpoint: api, down: 20KB}]\n    reload:")],
      expected: #"""
        error[WF204]: 'down' has the unknown unit 'KB'
         --> a.yaml:6:38
          |
        6 |     requests: [{endpoint: api, down: 20KB}]
          |                                      ^^^^ not a unit of a size
          = help: write 20kB

        """#),
    Golden(
      "units in the wrong order", edits: [("15min", "30min2h")],
      expected: #"""
        error[WF202]: 'after' is not a duration
         --> a.yaml:6:21
          |
        6 |     reload: {after: 30min2h}
          |                     ^^^^^^^ units must go from large to small, without repeats
          = help: write it like 2h30min; or hint

        """#),
    Golden(
      "negative duration", edits: [("15min", "-15min")],
      expected: #"""
        error[WF205]: 'after' cannot be negative
         --> a.yaml:6:21
          |
        6 |     reload: {after: -15min}
          |                     ^^^^^^ below 0
          = help: negative values are not allowed; or hint

        """#),
    Golden(
      "too large", edits: [("devices: 1k", "devices: 2G")],
      expected: #"""
        error[WF205]: 'devices' must be at most 1G
         --> a.yaml:8:12
          |
        8 |   devices: 2G
          |            ^^ too large
          = help: write 1G; devices that have at least one of these widgets

        """#),
  ]
}
