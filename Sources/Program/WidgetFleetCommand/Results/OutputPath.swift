import Platform

/// The location of a results folder, which consists of an open parent folder and a name.
struct OutputPath: Sendable {
  let path: String
  /// The path of `parent`.
  let folder: String
  let parent: Descriptor
  let name: String

  /// Opens the parent folder, creating any missing folders on its path.
  ///
  /// - Throws: `Failure` if the name belongs to something that must not be replaced. In this case, no folders are
  ///   created.
  init(_ path: String) throws(Failure) {
    try self.init(parentOf: path)
    try checkReplaceable()
  }

  /// Opens the parent folder without checking the entry with the given name.
  init(parentOf path: String) throws(Failure) {
    let (folder, name) = try OutputPath.split(path)
    self.path = path
    self.folder = folder
    self.name = name
    if let existing = Descriptor.folder(at: folder) {
      parent = existing
    } else {
      try OutputPath.make(folder)
      guard let made = Descriptor.folder(at: folder) else { throw .cannotWrite(path: folder, errno: errno) }
      parent = made
    }
  }

  /// Checks that the name is unused or belongs to something that may be replaced.
  func checkReplaceable() throws(Failure) {
    switch parent.kind(of: name) {
    case .nothing: return
    case .link: try checkLink()
    case .folder:
      if !hasManifest { throw refused("it is a folder without a widgetfleet manifest") }
      if let file = inputInside { throw refused("this command reads its \(file)") }
    case .other: throw refused("it is not a folder")
    case .unknown(let number): throw .cannotWrite(path: path, errno: number)
    }
  }

  /// Checks that the name is not a link to a stream or device, which must not be replaced.
  func checkLink() throws(Failure) {
    if parent.leadsToStream(name) { throw refused("it is a link to a stream or a device") }
  }

  /// The name of a file that this process has read and that would be removed with the folder; `nil` if there is none.
  ///
  /// Manifests are ignored because they are read only to identify the results in a folder.
  private var inputInside: String? {
    ResultsLayout.allNames.first {
      $0 != ResultsLayout.manifestName && FileIdentity("\(path)/\($0)", followsLinks: false)?.isInput == true
    }
  }

  private var hasManifest: Bool { parent.folder(name).map(Self.hasManifest) ?? false }

  /// Returns whether a folder contains a manifest of WidgetFleet results.
  static func hasManifest(_ path: String) -> Bool { Descriptor.folder(at: path).map(hasManifest) ?? false }

  private static func hasManifest(_ folder: Descriptor) -> Bool {
    defer { folder.close() }
    let name = ResultsLayout.manifestName
    return folder.kind(of: name) == .other && folder.begins(name, with: ResultsLayout.manifestPrefix)
  }

  private func refused(_ reason: String) -> Failure { .notReplaced(path: path, reason: reason) }

  /// Splits a path into the parent folder and the last component. A path that ends with `.` or `..` is resolved first.
  private static func split(_ path: String) throws(Failure) -> (folder: String, name: String) {
    var parts = path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
    let root = path.hasPrefix("/") ? "/" : ""
    if parts.last == "." || parts.last == ".." {
      guard let real = realpath(path, nil) else { throw .cannotWrite(path: path, errno: errno) }
      defer { free(real) }
      return try split(String(cString: real))
    }
    guard let name = parts.popLast() else { throw .notReplaced(path: path, reason: "it is the root folder") }
    let folder = root + parts.joined(separator: "/")
    return (folder.isEmpty ? "." : folder, name)
  }

  /// Creates a folder and any missing parent folders.
  private static func make(_ path: String) throws(Failure) {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      made += part + "/"
      if mkdir(made, 0o777) != 0, errno != EEXIST, errno != EISDIR { throw .cannotWrite(path: made, errno: errno) }
    }
  }
}
