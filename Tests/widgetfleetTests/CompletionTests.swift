import Foundation
import Testing

@testable import WidgetFleetCommand

/// The completions in real shells, which `make test` installs.
struct CompletionTests {
  private func shell(_ name: String, _ arguments: [String], in child: Child) throws -> Child.Outcome {
    let process = try child.start(
      [name] + arguments, environment: ["HOME": child.folder.path, "TERM": "dumb"],
      executable: URL(fileURLWithPath: "/usr/bin/env"))
    process.waitUntilExit()
    return child.outcome(of: process)
  }

  @Test(arguments: Shell.allCases) func shellsAcceptTheCompletions(_ name: Shell) throws {
    let child = try Child()
    defer { child.remove() }
    let script = try child.run(["completions", name.rawValue])
    #expect(script.status == 0 && script.error.isEmpty)
    try child.write(script.output, to: "script")
    let checked = try shell(name.rawValue, ["-n", "script"], in: child)
    #expect(checked.status == 0 && checked.error.isEmpty, "\(checked.error)")
    for command in Command.all {
      #expect(script.output.contains(command.name))
      for option in command.options { #expect(script.output.contains(option.name), "\(option.name)") }
    }
  }

  @Test(arguments: [
    (["widgetfleet", "va"], "validate"), (["widgetfleet", "run", "--dry"], "--dry-run"),
    (["widgetfleet", "validate", "--format", "gi"], "github"),
    (["widgetfleet", "validate", "--format", "=", "gi"], "github"), (["widgetfleet", "init", "wea"], "weather"),
    (["widgetfleet", "run", "sma"], "small.yaml"), (["widgetfleet", "explain", "p999_"], "p999_rps"),
    (["widgetfleet", "run", "-o", "sma"], "small.yaml"),
  ]) func bashCompletes(_ words: [String], _ expected: String) throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Shell.bash.script, to: "script")
    let list = words.map(\.shellQuoted).joined(separator: " ")
    let text =
      "source ./script; compopt() { :; }; COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1); _widgetfleet; "
      + "printf '%s\\n' \"${COMPREPLY[@]}\""
    let reply = try shell("bash", ["-c", text], in: child)
    #expect(reply.output == expected + "\n", "\(reply.error)")
  }

  /// The paths for the scenario on the command line, using its names; without one, those that need no names.
  @Test(arguments: [
    (["run", "small.yaml", "--set", "kinds.weather.jitter.u"], ["kinds.weather.jitter.up_to="]),
    (["run", "small.yaml", "--set", "os.idle"], ["os.idle=", "os.idle.after=", "os.idle.give_up="]),
    (["run", "small.yaml", "--set", "=", "clock.st"], ["clock.start=", "clock.step="]),
    (["sweep", "small.yaml", "--vary", "fleet.cohorts.all.person.un"], ["fleet.cohorts.all.person.unlocks_per_day="]),
    (["sweep", "--vary", "os.budget.ca"], ["os.budget.capacity=", "os.budget.cap=", "os.budget.carry_over="]),
    (["run", "--set", "kinds.weather.reload.aft"], []),
  ]) func bashCompletesPaths(_ words: [String], _ expected: [String]) throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Shell.bash.script, to: "script")
    let list = ([Child.executable.path] + words).map(\.shellQuoted).joined(separator: " ")
    let text =
      "source ./script; compopt() { :; }; COMP_WORDS=(\(list)); COMP_CWORD=\(words.count); _widgetfleet; "
      + "printf '%s\\n' \"${COMPREPLY[@]}\""
    let reply = try shell("bash", ["-c", text], in: child)
    #expect(reply.output.split(separator: "\n").map(String.init) == expected, "\(reply.error)")
  }

  /// The zsh candidates for a path; its `compadd` is intercepted, because zsh completes only interactively.
  @Test func zshOffersPaths() throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Shell.zsh.script, to: "script")
    let text =
      "autoload -U compinit; compinit -D; source ./script; compadd() { print -rl -- \"$@\" }; "
      + "program=\(Child.executable.path.shellQuoted); words=(run small.yaml --set ''); _widgetfleet_paths"
    let offered = try shell("zsh", ["-f", "-c", text], in: child).output.split(separator: "\n")
    #expect(offered.contains("kinds.weather.reload.after") && offered.contains("os.idle.after"))
    #expect(!offered.contains { $0.contains("*") || $0.hasPrefix("sweep") })
  }

  /// Every path offered is accepted by --set, and names that a shell would expand are left out.
  @Test func pathsOfAScenario() throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(
      Child.scenario(extra: "events: [{name: storm, at: \"00:10\", zone: UTC, push: {type: widget}}]"), to: "storm.yaml"
    )
    let listed = try child.run(["completions", "bash", "--paths", "storm.yaml"])
    #expect(listed.status == 0 && listed.error.isEmpty)
    let paths = listed.output.split(separator: "\n").map(String.init)
    #expect(Set(paths).count == paths.count && paths.contains("events.storm.push.over"))
    for path in paths {
      let outcome = try child.run(["validate", "storm.yaml", "--set", path + "=zzz"])
      #expect(!outcome.error.contains("does not name a key"), "\(path): \(outcome.error)")
    }
    let hostile = Child.scenario().replacing("weather", with: "\"$(touch owned)\"")
    try child.write(hostile, to: "hostile.yaml")
    let safe = try child.run(["completions", "bash", "--paths", "hostile.yaml"])
    #expect(safe.status == 0 && !safe.output.contains("touch") && safe.output.contains("clock.step"))
    #expect(try child.run(["completions", "bash", "--paths", "nowhere"]).status == 4)
  }

  @Test(arguments: [
    ("widgetfleet va", "validate"), ("widgetfleet run --dry", "--dry-run"),
    ("widgetfleet validate --format gi", "github"), ("widgetfleet init wea", "weather"),
    ("widgetfleet run sma", "small.yaml"), ("widgetfleet explain p999_", "p999_rps"),
  ]) func fishCompletes(_ line: String, _ expected: String) throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Shell.fish.script, to: "script")
    let reply = try shell("fish", ["-c", "source ./script; complete -C \(line.shellQuoted)"], in: child)
    let words = reply.output.split(separator: "\n").compactMap { $0.split(separator: "\t").first.map(String.init) }
    #expect(words == [expected], "\(reply.error)")
  }

  /// Because zsh completes only interactively, this checks that the function exists.
  @Test func zshRegistersTheFunction() throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Shell.zsh.script, to: "script")
    let text = "autoload -U compinit; compinit -D; source ./script; print -r -- $_comps[widgetfleet]"
    #expect(try shell("zsh", ["-f", "-c", text], in: child).output == "_widgetfleet\n")
  }
}
