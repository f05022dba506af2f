extension GoldenTests {
  static let one: [Golden] = [
    Golden(
      "events over the limit", text: "schema: widgetfleet/v1\na: [" + String(repeating: "1,", count: 200_001) + "]",
      expected: #"""
        error[WF001]: the file has more than 200 000 YAML events
         --> a.yaml:2:399991
          |
        2 | ...,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,]
          |                                         ^
          = help: is this the right file?

        """#),
    Golden(
      "invalid UTF-8", bytes: Array("schema: widgetfleet/v1\nname: caf".utf8) + [0xE9, 0x0A],
      expected: #"""
        error[WF002]: the file is not UTF-8
         --> a.yaml:2:10
          |
        2 | name: caf�
          |          ^ byte 0xe9 does not belong here
          = help: save the file as UTF-8

        """#),
    Golden(
      "UTF-16", bytes: [0xFF, 0xFE, 0x73, 0x00, 0x63, 0x00],
      expected: #"""
        error[WF002]: the file is UTF-16, not UTF-8
         --> a.yaml
          = help: save the file as UTF-8

        """#),
    Golden(
      "NUL", bytes: Array("schema: widgetfleet/v1\nname: a".utf8) + [0, 0x0A],
      expected: #"""
        error[WF003]: the file contains the control character U+0000
         --> a.yaml:2:8
          |
        2 | name: a�
          |        ^ invisible here
          = help: remove it

        """#),
    Golden(
      "escape sequence in the text", text: "schema: widgetfleet/v1\nname: \u{1B}[31mred",
      expected: #"""
        error[WF003]: the file contains the control character U+001B
         --> a.yaml:2:7
          |
        2 | name: �[31mred
          |       ^ invisible here
          = help: remove it

        """#),
    Golden(
      "bidirectional override", text: "schema: widgetfleet/v1\nname: abc # \u{202E}evil",
      expected: #"""
        error[WF003]: the file contains the control character U+202E
         --> a.yaml:2:13
          |
        2 | name: abc # �evil
          |             ^ invisible here
          = help: remove it

        """#),
    Golden(
      "escape sequence in a quoted name", edits: [("  weather:", "  \"we\\e[31m\":")],
      expected: #"""
        error[WF003]: the string contains the control character U+001B
         --> a.yaml:5:3
          |
        5 |   "we\e[31m":
          |   ^^^^^^^^^^ written as an escape
          = help: remove it

        error[WF303]: there is no kind 'weather'
          --> a.yaml:14:24
           |
        14 |       widgets: [{kind: weather}]
           |                        ^^^^^^^ not under kinds
           = help: kinds are 'we\u{1b}[31m'

        """#),
    Golden(
      "unclosed bracket", edits: [("{after: 15min}", "{after: 15min")],
      expected: #"""
        error[WF004]: this is not YAML: did not find expected ',' or '}' while parsing a flow mapping
         --> a.yaml:7:6
          |
        7 | fleet:
          |      ^ reading stopped here, in text that starts on line 6
          = help: close the bracket { with }, and separate keys with commas

        """#),
    Golden(
      "tab as indentation", edits: [("    reload:", "\treload:")],
      expected: #"""
        error[WF004]: this is not YAML: found character that cannot start any token while scanning for the next token
         --> a.yaml:6:1
          |
        6 |     reload: {after: 15min}
          | ^^^^ reading stopped here
          = help: indent with spaces, not tabs; a string that starts with @, ` or % needs quotes

        """#),
    Golden(
      "anchor and alias", edits: [("{after: 15min}", "&a {after: 15min}"), ("network: wifi", "network: *a")],
      expected: #"""
        error[WF005]: anchors are not supported
         --> a.yaml:6:13
          |
        6 |     reload: &a {after: 15min}
          |             ^^^^ an anchor
          = help: spell the value out; a string that starts with & or * needs quotes

        error[WF005]: aliases are not supported
          --> a.yaml:13:16
           |
        13 |       network: *a
           |                ^^ an alias
           = help: spell the value out; a string that starts with & or * needs quotes

        """#),
    Golden(
      "tag", edits: [("devices: 1k", "devices: !!str 1k")],
      expected: #"""
        error[WF006]: tags are not supported
         --> a.yaml:8:12
          |
        8 |   devices: !!str 1k
          |            ^^^^^^^^ a tag
          = help: remove it: the key determines the type; a string that starts with ! needs quotes

        """#),
    Golden(
      "second document", edits: [("kinds:", "---\nkinds:")],
      expected: #"""
        error[WF007]: the file contains more than one document
         --> a.yaml:4:1
          |
        4 | ---
          | ^^^ the second starts here
          = help: a file can contain only one scenario; split it here

        """#),
    Golden(
      "duplicate key", edits: [("    reload:", "    cpu: 1s\n    cpu: 2s\n    reload:")],
      expected: #"""
        error[WF008]: the key 'cpu' appears twice
         --> a.yaml:7:5
          |
        7 |     cpu: 2s
          |     ^^^ the first is on line 6
          = help: remove one of them

        """#),
    Golden(
      "empty text", text: "",
      expected: #"""
        error[WF009]: the file contains no scenario
         --> a.yaml
          = help: start with schema: widgetfleet/v1, or create one with `widgetfleet init`

        """#),
    Golden(
      "comments only", text: "# nothing\n",
      expected: #"""
        error[WF009]: the file contains no scenario
         --> a.yaml
          = help: start with schema: widgetfleet/v1, or create one with `widgetfleet init`

        """#),
    Golden(
      "a list as key", edits: [("    reload:", "    [a, b]: c\n    reload:")],
      expected: #"""
        error[WF010]: a key must be a string
         --> a.yaml:6:5
          |
        6 |     [a, b]: c
          |     ^^^^^^ a list as a key
          = help: a list or mapping cannot be a key

        """#),
    Golden(
      "33 brackets", text: "schema: widgetfleet/v1\na: " + String(repeating: "[", count: 40),
      expected: #"""
        error[WF011]: mappings and lists are nested more than 32 levels deep
         --> a.yaml:2:35
          |
        2 | a: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[
          |                                   ^ the 33rd opens here
          = help: remove brackets or indentation

        """#),
    Golden(
      "missing keys", text: "schema: widgetfleet/v1\nname: a\nkinds: {weather: {cpu: 1s}}\n",
      expected: #"""
        error[WF101]: the scenario lacks the key 'clock'
         --> a.yaml:1:1
          |
        1 | schema: widgetfleet/v1
          | ^ 'clock' is required
          = help: the simulated calendar

        error[WF101]: the scenario lacks the key 'fleet'
         --> a.yaml:1:1
          |
        1 | schema: widgetfleet/v1
          | ^ 'fleet' is required
          = help: the devices and their owners

        error[WF101]: kind 'weather' lacks the key 'reload'
         --> a.yaml:3:9
          |
        3 | kinds: {weather: {cpu: 1s}}
          |         ^^^^^^^ 'reload' is required
          = help: write reload: 1h, at-end or never; or phases

        """#),
    Golden(
      "unknown key at the top", edits: [("kinds:", "knds: {}\nkinds:")],
      expected: #"""
        error[WF102]: unknown key 'knds' in the scenario
         --> a.yaml:4:1
          |
        4 | knds: {}
          | ^^^^ not a key of a scenario
          = help: did you mean 'kinds'?

        """#),
    Golden(
      "unknown key of another level", edits: [("  devices: 1k", "  devices: 1k\n  jitter: {up_to: 1min}")],
      expected: #"""
        error[WF102]: unknown key 'jitter' in 'fleet'
         --> a.yaml:9:3
          |
        9 |   jitter: {up_to: 1min}
          |   ^^^^^^ not a key of 'fleet'
          = help: 'jitter' is a key of kinds.*

        """#),
    Golden(
      "unknown key that means its sibling", edits: [("  devices: 1k", "  users: 1k")],
      expected: #"""
        error[WF101]: 'fleet' lacks the key 'devices'
         --> a.yaml:7:1
          |
        7 | fleet:
          | ^^^^^ 'devices' is required
          = help: devices that have at least one of these widgets

        error[WF102]: unknown key 'users' in 'fleet'
         --> a.yaml:8:3
          |
        8 |   users: 1k
          |   ^^^^^ not a key of 'fleet'
          = help: did you mean 'devices'?

        """#),
    Golden(
      "unknown key without a neighbour", edits: [("{start: 2027", "{zzz: 1, start: 2027")],
      expected: #"""
        error[WF102]: unknown key 'zzz' in 'clock'
         --> a.yaml:3:9
          |
        3 | clock: {zzz: 1, start: 2027-01-18T00:00:00Z}
          |         ^^^ not a key of 'clock'
          = help: its keys are start, settle, warmup, duration, step

        """#),
    Golden(
      "set without equals", edits: [], settings: ["kinds.weather"],
      expected: #"""
        error[WF103]: --set takes PATH=VALUE
         --> --set argument:1:1
          |
        1 | kinds.weather
          | ^^^^^^^^^^^^^ no = here
          = help: write it like clock.step=1s

        """#),
  ]
}
