package import FleetEngine
package import Scenario
package import SimulationKernel

// The fields of a run's series and histograms in the run's file. They are checked against the scenario when read.

extension StoredRun {
  /// Writes or reads everything except the scenario, which is stored in a separate section of the file.
  package mutating func visit(_ file: inout StoredFields) {
    file.field(&devicesSimulated)
    if SampleWaves(scenario).sizes.dropLast().contains(devicesSimulated) {
      scenario.run.settledDevices = devicesSimulated
    }
    file.check(devicesSimulated == scenario.devicesSimulated, "a sample from another scenario")
    file.field(&eventSpans)
    file.check(eventSpans.allSatisfy { scenario.events.indices.contains($0.event) }, "an event from another scenario")
    file.field(&windowSpans)
    let hasWindows = windowSpans.allSatisfy { scenario.windows.indices.contains($0.window) }
    file.check(hasWindows, "a window from another scenario")
    file.field(&replications)
    file.check((1...10_000).contains(replications.count), "an impossible number of replications")
    file.check(replications.allSatisfy { $0.fits(scenario) }, "steps or minutes from another scenario")
    file.check(areCounted, "counts that do not agree")
    file.field(&groups)
    file.check(groups.allSatisfy { has(kind: $0.kind) && has(cohort: $0.cohort) }, "a group from another scenario")
    file.field(&phoneDays)
    file.field(&hours)
    file.check(hours.allSatisfy { has(kind: $0.kind) }, "hours from another scenario")
    file.check(
      hours.count.isMultiple(of: 24)
        && hours.indices.allSatisfy { hours[$0].hour == $0 % 24 && hours[$0].kind == hours[$0 / 24 * 24].kind },
      "hours out of order")
    file.field(&asked)
    file.check(asked.allSatisfy { has(kind: $0.kind) }, "refreshes from another scenario")
  }

  private func has(kind: Int) -> Bool { scenario.kinds.indices.contains(kind) }
  private func has(cohort: Int) -> Bool { scenario.fleet.cohorts.indices.contains(cohort) }

  /// Whether all sums of related counts are valid and the counts by cause add up to the load.
  private var areCounted: Bool {
    let loads = replications.lazy.flatMap(\.load)
    let rows = replications.lazy.flatMap(\.minutes)
    return loads.flatMap(\.arrivals).areCounts && loads.flatMap(\.failures).areCounts
      && rows.map(\.requests).areCounts && rows.map(\.failed).areCounts && rows.map(\.retries).areCounts
      && loads.flatMap(\.origin).reduce(0, +) <= Self.maxOriginRequests
      && replications.allSatisfy { replication in
        replication.load.lazy.flatMap(\.arrivals).reduce(0, +)
          == replication.minutes.lazy.map(\.requests).reduce(0, +)
      }
  }

  /// The maximum total number of requests that pass a CDN. It ensures that the number in thousandths fits into 64 bits.
  private static let maxOriginRequests = 9e15
}

extension StoredReplication: Stored {
  package static var blank: StoredReplication { StoredReplication(load: [], minutes: []) }

  package mutating func visit(_ file: inout StoredFields) {
    file.fields(of: &self, \.load, \.minutes)
  }

  /// Returns whether the replication has a series for each endpoint over the whole clock, and refers only to existing
  /// minutes, endpoints and cohorts.
  fileprivate func fits(_ scenario: Scenario) -> Bool {
    let step = max(scenario.clock.step.milliseconds, 1)
    let steps = Int((scenario.clock.duration.milliseconds + step - 1) / step)
    return load.count == scenario.endpoints.count
      && zip(load, scenario.endpoints).allSatisfy { series, endpoint in
        series.arrivals.count == steps && series.failures.count == steps
          && zip(series.arrivals, series.failures).allSatisfy { $0 >= $1 }
          && (series.origin.isEmpty || endpoint.cdn != nil && series.origin.count == steps)
          && (series.queue.isEmpty || series.queue.count == steps)
      }
      && minutes.allSatisfy { row in
        (0..<scenario.clock.minutes).contains(row.minute) && load.indices.contains(row.endpoint)
          && scenario.fleet.cohorts.indices.contains(row.cohort)
      }
  }
}

extension StoredLoad: Stored {
  package static var blank: StoredLoad { StoredLoad() }

  package mutating func visit(_ file: inout StoredFields) {
    file.fields(of: &self, \.arrivals, \.failures, \.origin, \.queue)
    file.check(origin.allSatisfy { $0 >= 0 }, "a load below 0")
  }
}

extension StoredQueueStep: Stored {
  package static var blank: StoredQueueStep {
    StoredQueueStep(reached: 0, base: 0, room: 0, capacity: 0, refused: 0, backlog: 0)
  }

  package mutating func visit(_ file: inout StoredFields) {
    file.load(&reached)
    file.load(&base)
    file.limit(&room)
    file.limit(&capacity)
    file.load(&refused)
    file.load(&backlog)
  }
}

extension StoredFields {
  /// Reads or writes a load of the whole fleet.
  fileprivate mutating func load(_ value: inout Double) {
    field(&value)
    check((0...1e18).contains(value), "an impossible load")
  }

  /// Reads or writes the maximum load of a step, which may be infinite.
  fileprivate mutating func limit(_ value: inout Double) {
    var finite = value.isFinite ? value : nil
    field(&finite)
    check((0...1e18).contains(finite ?? 0), "an impossible capacity")
    value = finite ?? .infinity
  }
}

extension Cause: Stored {
  package static var blank: Cause { .policy }

  package mutating func visit(_ file: inout StoredFields) {
    var number = Int64(rawValue)
    file.field(&number)
    let known = UInt8(exactly: number).flatMap(Cause.init)
    file.check(known != nil, "a cause unknown to this version")
    self = known ?? .policy
  }
}

extension TypicalPhone: Stored {
  package static var blank: TypicalPhone { TypicalPhone(place: .p50, device: 0, refreshes: []) }

  package mutating func visit(_ file: inout StoredFields) {
    file.fields(of: &self, \.place, \.device, \.refreshes)
    file.check(device >= 0, "an impossible phone")
  }
}

extension TypicalPhone.Refresh: Stored {
  package static var blank: Self { Self(at: .start, cause: .policy) }

  package mutating func visit(_ file: inout StoredFields) { file.fields(of: &self, \.at, \.cause) }
}

extension StoredMinute: Stored {
  package static var blank: StoredMinute {
    StoredMinute(minute: 0, endpoint: 0, cohort: 0, cause: .policy, requests: 0, failed: 0, retries: 0)
  }

  package mutating func visit(_ file: inout StoredFields) {
    file.field(&minute)
    file.field(&endpoint)
    file.field(&cohort)
    file.field(&cause)
    file.field(&requests)
    file.field(&failed)
    file.field(&retries)
  }
}

extension StoredGroup: Stored {
  package static var blank: StoredGroup { StoredGroup(cohort: 0, kind: 0) }

  package mutating func visit(_ file: inout StoredFields) {
    file.fields(of: &self, \.cohort, \.kind, \.runsPerDay, \.exhaustedHours, \.dataAge, \.pushToView)
    file.check(exhaustedHours.count == 24 && exhaustedHours.areCounts, "hours of another day")
  }
}

extension CountHistogram: Stored {
  package static var blank: CountHistogram { CountHistogram() }

  package mutating func visit(_ file: inout StoredFields) {
    file.field(&counts)
    file.check(counts.count <= 1_000_000 && counts.areCounts, "an impossible histogram")
  }
}

extension SpanBins.Bin: Stored {
  package static var blank: SpanBins.Bin { SpanBins.Bin(from: 0, to: 1, count: 0) }

  package mutating func visit(_ file: inout StoredFields) {
    file.fields(of: &self, \.from, \.to, \.count)
    file.check(count > 0 && from >= 0 && to > from && to <= 1_000_000_000_000_000, "an invalid bin")
  }
}

extension StoredHour: Stored {
  package static var blank: StoredHour { StoredHour(kind: 0, hour: 0) }

  package mutating func visit(_ file: inout StoredFields) {
    file.fields(of: &self, \.kind, \.hour, \.refreshes, \.views, \.staleShare, \.dataAge, \.lowBalance, \.balance)
    file.check((0...1).contains(staleShare ?? 0), "an invalid share")
  }
}

extension StoredAsked: Stored {
  package static var blank: StoredAsked { StoredAsked(kind: 0, perDay: [], seconds: 0) }

  package mutating func visit(_ file: inout StoredFields) {
    file.fields(of: &self, \.kind, \.perDay, \.seconds)
    file.check(perDay.count == AskedRow.allCases.count && seconds >= 0, "refreshes that no policy requests")
  }
}

extension WindowSpan: Stored {
  package static var blank: WindowSpan { WindowSpan(window: 0, from: .start, to: .start) }

  package mutating func visit(_ file: inout StoredFields) {
    file.fields(of: &self, \.window, \.from, \.to)
    file.check(from <= to, "an end before its start")
  }
}

extension EventSpan: Stored {
  package static var blank: EventSpan { EventSpan(event: 0, from: .start, to: .start) }

  package mutating func visit(_ file: inout StoredFields) {
    file.fields(of: &self, \.event, \.from, \.to)
    file.check(from <= to, "an end before its start")
  }
}
