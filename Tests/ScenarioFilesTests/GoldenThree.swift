extension GoldenTests {
  static let three: [Golden] = [
    Golden(
      "ten to the twentieth", edits: [("devices: 1k", "devices: 10^20")],
      expected: #"""
        error[WF202]: 'devices' is not a count
         --> a.yaml:8:12
          |
        8 |   devices: 10^20
          |            ^^^^^ not a count
          = help: write it like 250k; 10^6 is 1M

        """#),
    Golden(
      "1e999", edits: [("{unlocks_per_day: 0}", "{unlocks_per_day: 0, home_visits: 1e999}")],
      expected: #"""
        error[WF205]: 'home_visits' is larger than any allowed number
          --> a.yaml:12:49
           |
        12 |       person: {unlocks_per_day: 0, home_visits: 1e999}
           |                                                 ^^^^^ too large

        """#),
    Golden(
      "attempts", edits: [("    reload:", "    attempts: {count: 17}\n    reload:")],
      expected: #"""
        error[WF205]: 'count' must be at most 16
         --> a.yaml:6:23
          |
        6 |     attempts: {count: 17}
          |                       ^^ too large
          = help: write 16; attempts, including the first

        """#),
    Golden(
      "unknown radio", edits: [("network: wifi", "network: lte-2021")],
      expected: #"""
        error[WF303]: there is no radio 'lte-2021'
          --> a.yaml:13:16
           |
        13 |       network: lte-2021
           |                ^^^^^^^^ neither built in nor under radios
           = help: did you mean 'lte-2012'?

        """#),
    Golden(
      "policy word", edits: [("{after: 15min}", "atend")],
      expected: #"""
        error[WF202]: 'reload' is not a duration
         --> a.yaml:6:13
          |
        6 |     reload: atend
          |             ^^^^^ not a duration
          = help: did you mean 'at-end'?

        """#),
    Golden(
      "one of two words", edits: [("    reload:", "    cache: {ttl: 1h, scope: kin}\n    reload:")],
      expected: #"""
        error[WF206]: 'scope' must be one of kind, instance
         --> a.yaml:6:29
          |
        6 |     cache: {ttl: 1h, scope: kin}
          |                             ^^^ not one of the words
          = help: did you mean 'kind'?

        """#),
    Golden(
      "yes", edits: [("    reload:", "    cache: {ttl: 1h, single_flight: yes}\n    reload:")],
      expected: #"""
        error[WF207]: 'single_flight' must be true or false
         --> a.yaml:6:37
          |
        6 |     cache: {ttl: 1h, single_flight: yes}
          |                                     ^^^ only true and false are booleans
          = help: write true

        """#),
    Golden(
      "NaN", edits: [("{unlocks_per_day: 0}", "{unlocks_per_day: 0, home_visits: .nan}")],
      expected: #"""
        error[WF208]: 'home_visits' must be finite
          --> a.yaml:12:49
           |
        12 |       person: {unlocks_per_day: 0, home_visits: .nan}
           |                                                 ^^^^ not a finite number
           = help: write it like 250

        """#),
    Golden(
      "octal", edits: [("devices: 1k", "devices: 010")],
      expected: #"""
        error[WF208]: 'devices' starts with a 0
         --> a.yaml:8:12
          |
        8 |   devices: 010
          |            ^^^ octal or decimal?
          = help: write 10

        """#),
    Golden(
      "base 60", edits: [("15min", "1:30")],
      expected: #"""
        error[WF208]: 'after' is not a clock time
         --> a.yaml:6:21
          |
        6 |     reload: {after: 1:30}
          |                     ^^^^ hours or minutes?
          = help: write 1h30min or 1min30s; or hint

        """#),
    Golden(
      "fraction of a millisecond", edits: [("15min", "0.1ms")],
      expected: #"""
        error[WF209]: 'after' must be a whole number of milliseconds
         --> a.yaml:6:21
          |
        6 |     reload: {after: 0.1ms}
          |                     ^^^^^ finer than that
          = help: round it; or hint

        """#),
    Golden(
      "half a device", edits: [("devices: 1k", "devices: 2.5")],
      expected: #"""
        error[WF209]: 'devices' must be a whole number
         --> a.yaml:8:12
          |
        8 |   devices: 2.5
          |            ^^^ finer than that
          = help: round it

        """#),
    Golden(
      "no offset", edits: [("00:00:00Z", "00:00:00")],
      expected: #"""
        error[WF210]: 'start' needs an offset
         --> a.yaml:3:16
          |
        3 | clock: {start: 2027-01-18T00:00:00}
          |                ^^^^^^^^^^^^^^^^^^^ no offset
          = help: add Z for UTC, or an offset such as +01:00

        """#),
    Golden(
      "no such day", edits: [("2027-01-18T", "2027-02-30T")],
      expected: #"""
        error[WF210]: 'start' is not an instant
         --> a.yaml:3:16
          |
        3 | clock: {start: 2027-02-30T00:00:00Z}
          |                ^^^^^^^^^^^^^^^^^^^^ that month has no day 30
          = help: write it like 2027-01-18T00:00:00Z; a date, T, a time and an offset

        """#),
    Golden(
      "clock time", edits: [("{after: 15min}", "{after: {at: 9:30}}")],
      expected: #"""
        error[WF211]: 'at' is not a clock time
         --> a.yaml:6:26
          |
        6 |     reload: {after: {at: 9:30}}
          |                          ^^^^ not a clock time
          = help: write it like "09:30"

        """#),
    Golden(
      "day of the week", edits: [("{after: 15min}", "{after: {at: \"09:30\", days: mon-fry}}")],
      expected: #"""
        error[WF211]: 'days' is not a day of the week
         --> a.yaml:6:41
          |
        6 |     reload: {after: {at: "09:30", days: mon-fry}}
          |                                         ^^^^^^^ not a day
          = help: did you mean 'fri'?

        """#),
    Golden(
      "zone", edits: [("Europe/Berlin", "Europe/Berln")],
      expected: #"""
        error[WF212]: 'zones' is not a time zone
          --> a.yaml:11:15
           |
        11 |       zones: {Europe/Berln: 100%}
           |               ^^^^^^^^^^^^ not an IANA zone
           = help: did you mean 'Europe/Berlin'?

        """#),
    Golden(
      "folder name", edits: [("name: game-status", "name: Game Status")],
      expected: #"""
        error[WF213]: 'name' is not a folder name
         --> a.yaml:2:7
          |
        2 | name: Game Status
          |       ^^^^^^^^^^^ only a-z, 0-9 and -, and no leading -
          = help: write game-status

        """#),
    Golden(
      "distribution", edits: [("{after: 15min}", "{after: {expnential: 15min}}")],
      expected: #"""
        error[WF102]: unknown key 'expnential' in 'after'
         --> a.yaml:6:22
          |
        6 |     reload: {after: {expnential: 15min}}
          |                      ^^^^^^^^^^ not a key of 'after'
          = help: did you mean 'exponential'?

        """#),
    Golden(
      "two distributions", edits: [("{after: 15min}", "{after: {exponential: 15min, uniform: 0s..1min}}")],
      expected: #"""
        error[WF214]: 'after' takes one distribution
         --> a.yaml:6:14
          |
        6 |     reload: {after: {exponential: 15min, uniform: 0s..1min}}
          |              ^^^^^ 2 here
          = help: distributions are uniform, exponential, normal, lognormal, choice

        """#),
    Golden(
      "lognormal keys", edits: [("{after: 15min}", "{after: {lognormal: {median: 15min}}}")],
      expected: #"""
        error[WF214]: 'lognormal' takes {median: ..., sigma: ...} or {median: ..., p95: ...}
         --> a.yaml:6:22
          |
        6 |     reload: {after: {lognormal: {median: 15min}}}
          |                      ^^^^^^^^^ not these keys
          = help: the median and one of the other two are needed

        """#),
    Golden(
      "range upside down", edits: [("{after: 15min}", "{after: {uniform: 15min..1min}}")],
      expected: #"""
        error[WF305]: 'uniform' must go from low to high
         --> a.yaml:6:31
          |
        6 |     reload: {after: {uniform: 15min..1min}}
          |                               ^^^^^^^^^^^ smaller value first
          = help: write 1min..15min

        """#),
    Golden(
      "no value", edits: [("{after: 15min}", "")],
      expected: #"""
        error[WF215]: 'reload' has no value
         --> a.yaml:6:5
          |
        6 |     reload:
          |     ^^^^^^ nothing follows
          = help: give it a value or remove the key: when the next timeline is requested

        """#),
  ]
}
