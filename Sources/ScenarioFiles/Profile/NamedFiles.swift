/// The files that a scenario names, read by whoever knows where the scenario came from.
package struct NamedFiles: Sendable {
  /// Why a named file has no content: a sentence's end, such as `No such file or directory`.
  package struct Refusal: Error, Sendable {
    package var reason: String

    package init(reason: String) { self.reason = reason }
  }

  let content: @Sendable (String) -> Result<[UInt8], Refusal>

  /// - Parameter content: bytes of the file that a path of the scenario leads to.
  package init(_ content: @escaping @Sendable (String) -> Result<[UInt8], Refusal>) { self.content = content }

  /// For texts that stand alone, as resolved scenarios do.
  package static let none = NamedFiles { _ in .failure(Refusal(reason: "no other file is read for this scenario")) }
}
