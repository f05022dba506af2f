import RequestLogs
import RequestStatistics

extension LogsReport {
  /// The content of the logs as one JSON document.
  package var document: [UInt8] {
    let census = picture.census
    let classes = RequestClass.allCases.filter { census.lines(of: $0) > 0 }.map { requestClass in
      JSONValue.object(
        [("class", .string("\(requestClass)")), ("requests", census.lines(of: requestClass).json)]
          + LoadSeries.Outcome.allCases.map { outcome in
            ("\(outcome)", census.series[LoadSeries(requestClass, outcome).index].json)
          })
    }
    let results = CacheResult.allCases.dropFirst().map { result in
      (key: "\(result)", value: census.cacheResults[Int(result.rawValue)].json)
    }
    let findings = picture.findings.map { finding -> JSONValue in
      [
        "code": finding.defect.rawValue, "title": finding.defect.meaning.title,
        "sentence": LogSentences.sentence(finding, picture), "note": finding.isNote, "refused": finding.isFatal,
      ]
    }
    let value: JSONValue = [
      "schema": "widgetfleet.logs/v1", "files": files.map(\.json), "lines": lines, "requests": parsed,
      "left_out": leftOut(files.rejected), "first": picture.span.map { _ in stamp(census.first) },
      "last": picture.span.map { _ in stamp(census.last) }, "stamp_milliseconds": census.digits.resolution,
      "busiest_minute": picture.busiestMinute.map { ["minute": stamp($0.start), "requests": $0.lines] as JSONValue },
      "classes": classes, "paths": named(census.paths, picture.names.paths),
      "user_agents": named(census.agents, picture.names.agents), "kinds": named(census.kinds, picture.names.kinds),
      "servers": named(census.nodes, picture.names.nodes), "statuses": numbered(census.statuses),
      "ios": numbered(census.systems), "cdn": JSONValue.object(results), "counts": countsJSON, "ids": idsJSON,
      "findings": findings,
    ]
    return value.bytes(lines: 3)
  }

  private var countsJSON: JSONValue? {
    counted.map { counted in
      [
        "column": countedColumn, "first": stamp(counted.start), "step_seconds": counted.stepSeconds,
        "steps": counted.counts.count, "missing": counted.missing.count, "requests": counted.total,
      ]
    }
  }

  private var idsJSON: JSONValue {
    let fields = candidates.map { candidate -> JSONValue in
      [
        "field": candidate.field, "lines": candidate.lines, "of": candidate.looked, "distinct": candidate.distinct,
      ]
    }
    return [
      "used": hasIDs, "requests": picture.census.signed, "distinct": hasIDs ? picture.distinctSenders : nil,
      "sampled_share": picture.senders.share, "candidates": fields,
    ]
  }
}

extension LogFileReport {
  fileprivate var json: JSONValue {
    [
      "file": path, "format": format?.rawValue, "reason": reason, "packed": stream.compression.rawValue,
      "members": stream.members, "bytes": bytes, "text_bytes": textBytes, "lines": lines, "requests": parsed,
      "left_out": leftOut(rejected), "torn": stream.isTorn, "garbage_bytes": stream.garbage, "same_as": duplicateOf,
      "problem": problem?.description,
    ]
  }
}

private func leftOut(_ count: (Rejection) -> Int) -> JSONValue {
  .object(Rejection.allCases.filter { count($0) > 0 }.map { (spelled($0), count($0).json) })
}

/// The maximum number of names from a table that a document lists.
private let maxNames = 100

private func named(_ counts: NameCounts, _ table: NameTable) -> JSONValue {
  let ranking = counts.ranked(table, maximum: maxNames)
  let rows = ranking.named.map { name, row -> JSONValue in
    [
      "name": name, "requests": row.lines, "failed": row.failures, "class": "\(row.commonestClass)",
      "mean_bytes": row.meanBytes,
    ]
  }
  return ["named": rows, "others": ranking.rest, "share_named_apart": table.share]
}

private func numbered(_ counts: [Int64]) -> JSONValue {
  .object(counts.enumerated().filter { $0.offset > 0 && $0.element > 0 }.map { ("\($0.offset)", $0.element.json) })
}
