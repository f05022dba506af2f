import Foundation
import Testing

@testable import widgetfleet

/// What shells make of the completions. `make test` installs the shells.
struct CompletionTests {
  private func shell(_ name: String, _ arguments: [String], in child: Child) throws -> Child.Outcome {
    let process = try child.start(
      [name] + arguments, environment: ["HOME": child.folder.path, "TERM": "dumb"],
      executable: URL(fileURLWithPath: "/usr/bin/env"))
    process.waitUntilExit()
    return child.outcome(of: process)
  }

  @Test(arguments: Shell.allCases) func theShellReadsThem(_ name: Shell) throws {
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

  /// zsh completes only for a person: this asks for the function's being there.
  @Test func zshKnowsTheFunction() throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Shell.zsh.script, to: "script")
    let text = "autoload -U compinit; compinit -D; source ./script; print -r -- $_comps[widgetfleet]"
    #expect(try shell("zsh", ["-f", "-c", text], in: child).output == "_widgetfleet\n")
  }
}
