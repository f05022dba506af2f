import Foundation
import Testing

/// Installed packages are listed with a reason, and Python packages are the reviewed files.
@Suite struct DependencyTests {
  private let repository = Repository()

  /// Returns the words in the document, split at blanks, commas, bars and Markdown marks.
  private func listed() throws -> Set<String> {
    let text = try repository.text(of: "Docs/DEPENDENCIES.md")
    return Set(text.split { " ,|\n`();:".contains($0) }.map { $0.lowercased() })
  }

  @Test func debianPackagesAreListed() throws {
    let script = try repository.text(of: "Scripts/setup.sh")
    let packages = script.matches(of: #/\bneed ([a-z0-9][a-z0-9+.-]*) /#).map { String($0.1) }
    #expect(packages.count > 20)
    let listed = try listed()
    for package in packages { #expect(listed.contains(package), "\(package) has no line in Docs/DEPENDENCIES.md") }
  }

  /// Downloads not made by pip also have their hash next to their address.
  @Test func theYAMLSuiteIsPinned() throws {
    let lines = try repository.text(of: "Tests/Tools/yaml-test-suite.txt").split(separator: "\n")
    let line = try #require(lines.first { !$0.hasPrefix("#") })
    let match = try #require(line.wholeMatch(of: #/https:\/\/\S+\/([a-z0-9_]+)-[0-9.]+\.tar\.gz [0-9a-f]{64} \S+/#))
    #expect(try listed().contains(String(match.1)))
  }

  @Test(arguments: [
    "Tests/Tools/requirements.txt", "Tests/Tools/locust.txt", "Tests/Tools/real-logs.txt",
    "Tests/Tools/yaml-examples.txt",
    "Tests/Browser/requirements.txt", "Tests/Cluster/requirements.txt", "Bench/Peers/requirements.txt",
  ]) func pythonPackagesArePinned(_ path: String) throws {
    let text = try repository.text(of: path).replacing("\\\n", with: " ")
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.allSatisfy(\.isWhitespace) }
    let listed = try listed()
    for line in lines {
      let form = #/^([A-Za-z0-9._-]+)==[^ ]+( +--hash=sha256:[0-9a-f]{64})+ *$/#
      let found = try #require(line.firstMatch(of: form), "\(line)")
      #expect(listed.contains(found.1.lowercased()), "\(found.1) has no line in Docs/DEPENDENCIES.md")
    }
    #expect(!lines.isEmpty)
  }

  /// A list used without this option would not be verified.
  @Test func hashesAreRequired() throws {
    let script = try repository.text(of: "Scripts/setup.sh")
    let lines = script.split(separator: "\n")
    let calls = lines.filter { $0.contains("python_packages ") && $0.contains(".txt") }
    #expect(calls.count == 5)
    for call in calls { #expect(call.contains("--require-hashes"), "\(call)") }
  }
}
