/// What manifest.json says of the folder of a sweep's part; of what sweep it is a part, its store says.
package struct StoredPartManifest: Hashable, Sendable {
  package static let schema = "widgetfleet.manifest/sweep-part-v1"

  /// SHA-256 of the store beside it, hexadecimal.
  package var storeHash: String

  /// - Parameter bytes: the content of manifest.json.
  package init(_ bytes: [UInt8]) throws(StoredFileError) {
    let file = StoredManifest.file
    let document = StoredObject(try JSONReader.read(bytes, file: file), file)
    let schema = try document.string("schema")
    guard schema == Self.schema else { throw StoredFileError(file, .otherSchema("'\(schema)'")) }
    guard try document.boolean("complete") else { throw StoredFileError(file, .incomplete) }
    storeHash = try document.string("runs_sha256")
  }
}
