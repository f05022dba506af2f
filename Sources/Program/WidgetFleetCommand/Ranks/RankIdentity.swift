import FleetReports
import Platform

/// Properties that must be identical on all ranks.
struct RankIdentity {
  private let fields: [(what: String, value: String)]

  init(_ arguments: [String], _ environment: Environment) {
    fields = [
      ("a different version of widgetfleet", Version.current),
      ("different arguments", arguments.dropFirst().joined(separator: "\0")),
      ("a different WIDGETFLEET_SEED", environment.seed ?? ""),
      ("a different WIDGETFLEET_OUT", environment.out ?? ""),
      ("a different scenario file of the same name", arguments.dropFirst(2).map(Self.hash).joined(separator: " ")),
    ]
  }

  /// Returns the SHA-256 hash of a small file. If the file does not exist, the hash is empty, which is harmless because
  /// only rank 0 reads the file.
  private static func hash(of path: String) -> String {
    guard !path.hasPrefix("-"), let bytes = try? InputFile.read(path) else { return "" }
    return SHA256.hexadecimal(of: bytes)
  }

  var bytes: [UInt8] { Array(fields.map(\.value).joined(separator: "\u{1}").utf8) }

  /// Returns a description of how these properties differ from those of another rank; `nil` if there is no relevant
  /// difference.
  func difference(from other: [UInt8]) -> String? {
    let values = String(decoding: other, as: UTF8.self).split(separator: "\u{1}", omittingEmptySubsequences: false)
    guard values.count == fields.count else { return fields[0].what }
    return zip(fields, values).first { own, value in
      value != own.value && !(own.what == fields[fields.count - 1].what && Self.isOnlyMissing(own.value, value))
    }?.0.what
  }

  /// Returns whether two lists of hashes are equal, ignoring missing hashes.
  private static func isOnlyMissing(_ own: String, _ other: Substring) -> Bool {
    let (own, other) = (
      own.split(separator: " ", omittingEmptySubsequences: false),
      other.split(separator: " ", omittingEmptySubsequences: false)
    )
    return own.count == other.count && zip(own, other).allSatisfy { $0 == $1 || $0.isEmpty || $1.isEmpty }
  }
}
