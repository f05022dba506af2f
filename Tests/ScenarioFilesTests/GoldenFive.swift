extension GoldenTests {
  /// Returns the minimal scenario with an event in line 3.
  private static func event(_ text: String) -> (String, String) { ("clock: {", "events: [\(text)]\nclock: {") }

  private static func daily(_ action: String) -> (String, String) {
    event("{name: a, at: \"00:00\", zone: UTC, \(action)}")
  }

  private static let request = ("    reload:", "    requests: [{endpoint: api}]\n    reload:")

  static let five: [Golden] = [
    Golden(
      "event outside the clock",
      edits: [event("{name: a, at: 2027-01-19T01:00:00+01:00, gallery: {}}")],
      expected: #"""
        error[WF310]: event 'a' is outside the simulated period, from 2027-01-17T00:00:00Z to 2027-01-19T00:00:00Z
         --> a.yaml:3:24
          |
        3 | events: [{name: a, at: 2027-01-19T01:00:00+01:00, gallery: {}}]
          |                        ^^^^^^^^^^^^^^^^^^^^^^^^^ not before the end
          = help: move it into that period, or change clock.start, warmup or duration

        """#),
    Golden(
      "event before the clock",
      edits: [event("{name: a, at: 2027-01-16T23:59:59Z, gallery: {}}")],
      expected: #"""
        error[WF310]: event 'a' is outside the simulated period, from 2027-01-17T00:00:00Z to 2027-01-19T00:00:00Z
         --> a.yaml:3:24
          |
        3 | events: [{name: a, at: 2027-01-16T23:59:59Z, gallery: {}}]
          |                        ^^^^^^^^^^^^^^^^^^^^ before the warm-up
          = help: move it into that period, or change clock.start, warmup or duration

        """#),
    Golden(
      "event without an action",
      edits: [event("{name: a, at: \"00:00\", zone: UTC}")],
      expected: #"""
        error[WF101]: event 'a' does nothing
         --> a.yaml:3:17
          |
        3 | events: [{name: a, at: "00:00", zone: UTC}]
          |                 ^ no action
          = help: an event needs one of push, outage, app_update, system_change, reboot, gallery

        """#),
    Golden(
      "event with two actions",
      edits: [daily("gallery: {}, app_update: {}")],
      expected: #"""
        error[WF106]: 'app_update' cannot be combined with 'gallery'
         --> a.yaml:3:57
          |
        3 | events: [{name: a, at: "00:00", zone: UTC, gallery: {}, app_update: {}}]
          |                                                         ^^^^^^^^^^ one action per event
          = help: split it into two events

        """#),
    Golden(
      "event without a time",
      edits: [event("{name: a, push: {type: silent, kinds: all}}")],
      expected: #"""
        error[WF101]: event 'a' lacks the key 'at'
         --> a.yaml:3:17
          |
        3 | events: [{name: a, push: {type: silent, kinds: all}}]
          |                 ^ when?
          = help: an instant with an offset, or a clock time with a zone; or per_device_per_day

        """#),
    Golden(
      "clock time without zone",
      edits: [event("{name: a, at: \"00:00\", gallery: {}}")],
      expected: #"""
        error[WF101]: event 'a' lacks the key 'zone'
         --> a.yaml:3:24
          |
        3 | events: [{name: a, at: "00:00", gallery: {}}]
          |                        ^^^^^^^ which clock?
          = help: write zone: local or UTC; local is each device's own clock

        """#),
    Golden(
      "instant with zone",
      edits: [event("{name: a, at: 2027-01-18T00:00:00Z, zone: UTC, gallery: {}}")],
      expected: #"""
        error[WF106]: 'zone' cannot be combined with an instant
         --> a.yaml:3:46
          |
        3 | events: [{name: a, at: 2027-01-18T00:00:00Z, zone: UTC, gallery: {}}]
          |                                              ^^^^ the offset sets the zone
          = help: remove zone, or use a clock time instead of the instant

        """#),
    Golden(
      "pushes with two times",
      edits: [event("{name: a, at: \"00:00\", push: {type: silent, kinds: all, per_device_per_day: 6}}")],
      expected: #"""
        error[WF106]: 'at' cannot be combined with 'per_device_per_day'
         --> a.yaml:3:20
          |
        3 | events: [{name: a, at: "00:00", push: {type: silent, kinds: all, per_device_per_day: 6}}]
          |                    ^^ has no effect here
          = help: an instant with UTC offset, or a time of day with zone

        """#),
    Golden(
      "silent push without kinds",
      edits: [event("{name: a, push: {type: silent, per_device_per_day: 6}}")],
      expected: #"""
        error[WF101]: a silent push lacks the key 'kinds'
         --> a.yaml:3:33
          |
        3 | events: [{name: a, push: {type: silent, per_device_per_day: 6}}]
          |                                 ^^^^^^ for which kinds?
          = help: write kinds: all; or a list of kinds

        """#),
    Golden(
      "widget push with kinds",
      edits: [event("{name: a, push: {type: widget, kinds: all, per_device_per_day: 6}}")],
      expected: #"""
        error[WF106]: 'kinds' cannot be combined with type: widget
         --> a.yaml:3:41
          |
        3 | events: [{name: a, push: {type: widget, kinds: all, per_device_per_day: 6}}]
          |                                         ^^^^^ has no effect here
          = help: a widget push reloads all kinds, bypassing the app

        """#),
    Golden(
      "widget push to ios-17",
      edits: [
        event("{name: a, push: {type: widget, per_device_per_day: 6}}"), ("fleet:", "os: {preset: ios-17}\nfleet:"),
      ],
      expected: #"""
        error[WF311]: every cohort uses ios-17, which has no widget pushes
         --> a.yaml:3:33
          |
        3 | events: [{name: a, push: {type: widget, per_device_per_day: 6}}]
          |                                 ^^^^^^ no phone receives it
          = help: use silent pushes, or give os or a cohort another preset

        """#),
    Golden(
      "group with two shares",
      edits: [
        event(
          "{name: a, at: \"00:00\", zone: UTC, gallery: {audience: {of: g, share: 1%}}},\n"
            + "  {name: b, at: \"00:00\", zone: UTC, gallery: {audience: {of: g, share: 2%}}}")
      ],
      expected: #"""
        error[WF312]: the group 'g' has two shares: 1% and 2%
         --> a.yaml:4:72
          |
        4 |   {name: b, at: "00:00", zone: UTC, gallery: {audience: {of: g, share: 2%}}}]
          |                                                                        ^^ 1% on line 3
          = help: write 1%; a group keeps its members; use another name for another share

        """#),
    Golden(
      "two events of a name",
      edits: [
        event("{name: a, at: \"00:00\", zone: UTC, gallery: {}}, {name: a, at: \"01:00\", zone: UTC, gallery: {}}")
      ],
      expected: #"""
        error[WF304]: two events have the same name 'a'
         --> a.yaml:3:65
          |
        3 | ...00", zone: UTC, gallery: {}}, {name: a, at: "01:00", zone: UTC, gallery: {}}]
          |                                         ^ the first is on line 3
          = help: give one of them another name

        """#),
    Golden(
      "outage of an unknown endpoint",
      edits: [daily("outage: {endpoint: apo, for: 1min}"), request],
      expected: #"""
        error[WF303]: there is no endpoint 'apo'
         --> a.yaml:3:63
          |
        3 | events: [{name: a, at: "00:00", zone: UTC, outage: {endpoint: apo, for: 1min}}]
          |                                                               ^^^ no request uses it
          = help: did you mean 'api'?

        """#),
    Golden(
      "outage at a local time",
      edits: [event("{name: a, at: \"00:00\", zone: local, outage: {endpoint: api, for: 1min}}"), request],
      expected: #"""
        error[WF106]: an outage cannot use local time
         --> a.yaml:3:39
          |
        3 | events: [{name: a, at: "00:00", zone: local, outage: {endpoint: api, for: 1min}}]
          |                                       ^^^^^ no single zone
          = help: write it like UTC

        """#),
  ]
}
