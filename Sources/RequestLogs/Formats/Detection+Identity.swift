extension Detection {
  private static let user: StaticString = "remote_user"

  /// Fields of some lines that look as if they told who sends.
  func identities(_ plan: LinePlan, _ sample: Text) -> [IdentityCandidate] {
    let row = Row(slots: table.slots, longestLine: options.limits.line)
    defer { row.free() }
    var search = IdentitySearch()
    for line in Self.lines(sample) where line[0] != UInt8(ascii: "#") && line.count <= options.limits.line {
      row.clear()
      search.beginLine()
      switch plan.lines {
      case .pattern(let format): if format.fill(row, line) == nil { Self.take(row, &search) }
      case .table(let format): if format.fill(row, line) == nil { Self.take(row, &search) }
      case .objects(let format):
        guard format.fill(row, line) == nil else { continue }
        Self.take(row, &search)
        ObjectLines.visitMembers(line) { name, value in
          if KnownFields.meanings[name.string] == nil { search.take(name, value) }
        }
      case .counts: return []
      }
    }
    return search.candidates
  }

  private static func take(_ row: Row, _ search: inout IdentitySearch) {
    let text = row[.path].isEmpty ? Target.ofRequest(row[.request]) : row[.path]
    let target = Target(text)
    search.takeQuery(target.query.isEmpty ? row[.query] : target.query)
    if !row[.user].isEmpty { search.take(Self.user.text, row[.user]) }
  }
}
