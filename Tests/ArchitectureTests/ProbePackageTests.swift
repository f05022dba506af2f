import Foundation
import Testing

/// The package for apps is separate: it has no dependencies, sends nothing, and is not used by the simulator.
@Suite struct ProbePackageTests {
  let repository = Repository()

  private func sources() throws -> [Repository.Source] {
    let folder = "Probe/Sources/"
    return try FileManager.default.subpathsOfDirectory(atPath: repository.root.appending(path: folder).path)
      .filter { $0.hasSuffix(".swift") }.sorted()
      .map { name in
        let path = folder + name
        return Repository.Source(target: "WidgetFleetProbe", path: path, text: try repository.text(of: path))
      }
  }

  @Test func packagesDoNotReferToEachOther() throws {
    #expect(!(try repository.text(of: "Package.swift")).contains("Probe"))
    #expect(!(try repository.text(of: "Probe/Package.swift")).contains(".package("))
    #expect(try repository.sources().allSatisfy { !$0.imports.contains("WidgetFleetProbe") })
  }

  /// Foundation is available on every phone; other imports are conditional.
  @Test func probeImportsOnlySystemModules() throws {
    let sources = try sources()
    #expect(sources.count > 5)
    for source in sources {
      #expect(Set(source.imports).isSubset(of: ["Foundation", "UIKit", "WidgetKit"]), "\(source.path)")
    }
  }

  @Test func probeHasNoNetworkCodeOrForcedUnwraps() throws {
    let network: Set = ["URLSession", "URLRequest", "NWConnection", "CFSocket", "socket", "connect", "fatalError"]
    for source in try sources() {
      let swift = SwiftWords(source.text)
      #expect(!swift.words.contains { network.contains($0.text) }, "\(source.path)")
      #expect(swift.forcedLines.isEmpty, "\(source.path)")
    }
  }

  @Test func probeFilesAreShort() throws {
    for source in try sources() { #expect(source.lines.count <= 401, "\(source.path)") }
  }
}
