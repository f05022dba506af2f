import Foundation

extension Samples {
  /// Every key of the format: Docs/scenario-reference.yaml.
  static let reference: String = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    return (try? String(contentsOf: root.appending(path: "Docs/scenario-reference.yaml"), encoding: .utf8)) ?? ""
  }()
}
