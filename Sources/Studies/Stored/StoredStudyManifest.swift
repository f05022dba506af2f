/// What the manifest of a sweep or a tuning says of it as a whole.
package struct StoredStudyManifest: Hashable, Sendable {
  /// The key of `studyHash`.
  package static let hash = "study_sha256"

  /// SHA-256 of what the study varies and how, hexadecimal.
  package var studyHash: String

  /// - Parameter bytes: the content of manifest.json.
  package init(_ bytes: [UInt8]) throws(StoredFileError) {
    let file = StoredManifest.file
    studyHash = try StoredObject(try JSONReader.read(bytes, file: file), file).string(Self.hash)
  }
}
