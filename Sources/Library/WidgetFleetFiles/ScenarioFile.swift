import Foundation
import ScenarioFiles
public import WidgetFleet

/// Scenarios read from YAML.
extension Scenario {
  /// Reads a scenario file.
  ///
  /// ```swift
  /// let scenario = try Scenario(contentsOf: "match-day.yaml")
  /// ```
  ///
  /// - Parameter path: the path of the file; the path of a profile in the file is relative to the file's folder.
  /// - Throws: `ScenarioError` if the file cannot be read or has problems.
  public init(contentsOf path: String) throws(ScenarioError) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let files = NamedFiles(providers: nil) { Self.bytes(of: $0.hasPrefix("/") ? $0 : folder + $0) }
    switch Self.bytes(of: path) {
    case .success(let bytes): try self.init(text: bytes, fileName: path, files: files)
    case .failure(let refusal): throw ScenarioError(["error: cannot read '\(path)': \(refusal.reason)"])
    }
  }

  /// Reads a scenario from YAML text.
  ///
  /// ```swift
  /// let scenario = try Scenario(yaml: "schema: widgetfleet/v1\nname: news\n...")
  /// ```
  ///
  /// - Throws: `ScenarioError` if the text has problems.
  public init(yaml text: String) throws(ScenarioError) {
    try self.init(text: Array(text.utf8), fileName: "text", files: .only(nil))
  }

  private static func bytes(of path: String) -> Result<[UInt8], NamedFiles.Refusal> {
    do {
      return .success([UInt8](try Data(contentsOf: URL(filePath: path))))
    } catch {
      return .failure(NamedFiles.Refusal(reason: error.localizedDescription))
    }
  }
}
