import Foundation

extension Samples {
  /// The text of Docs/scenario-reference.yaml, with every key of the format.
  static let reference: String = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    return (try? String(contentsOf: root.appending(path: "Docs/scenario-reference.yaml"), encoding: .utf8)) ?? ""
  }()
}
