import Scenario
package import SimulationKernel

// The list of each result's fields, from which its sum and its bytes follow.

extension ReplicationResult: SummedFields {
  package static func list(_ fields: inout some FieldList<ReplicationResult>) {
    fields.sum(\.load)
    fields.merge(\.causeMinutes)
    fields.sum(\.groups)
    fields.merge(\.devices.rows)
    fields.sum(\.eventCount)
    fields.sum(\.runCount)
    fields.sum(\.batteries)
    fields.sum(\.phoneDays)
    fields.sum(\.energy)
    fields.derived(\.spreads)
    fields.derived(\.backend)
  }
}

extension LoadSeries: SummedFields {
  package static func list(_ fields: inout some FieldList<LoadSeries>) {
    fields.sum(\.arrivals)
    fields.sum(\.failures)
  }
}

extension CauseMinute: SummedRow {
  package static func list(_ fields: inout some FieldList<CauseMinute>) {
    fields.place(\.minute)
    fields.place(\.endpoint)
    fields.place(\.cohort)
    fields.place(\.cause)
    fields.sum(\.traffic)
  }

  package static var blank: CauseMinute {
    CauseMinute(minute: 0, endpoint: 0, cohort: 0, cause: .policy, traffic: Traffic())
  }

  package func precedes(_ other: CauseMinute) -> Bool {
    (minute, endpoint, cohort, cause.rawValue) < (other.minute, other.endpoint, other.cohort, other.cause.rawValue)
  }
}

extension Traffic: SummedFields {
  package static func list(_ fields: inout some FieldList<Traffic>) {
    fields.sum(\.requests)
    fields.sum(\.successes)
    fields.sum(\.failures)
    fields.sum(\.bytesUp)
    fields.sum(\.bytesDown)
    fields.sum(\.retries)
  }
}

extension GroupResult: SummedFields {
  package static func list(_ fields: inout some FieldList<GroupResult>) {
    fields.label(\.cohort)
    fields.label(\.kind)
    fields.sum(\.instances)
    fields.sum(\.runs)
    fields.sum(\.runsPerDay)
    fields.sum(\.runsPerDayByCause)
    fields.sum(\.chargedRunsPerDay)
    fields.sum(\.freeRunsPerDay)
    fields.sum(\.lateness)
    fields.sum(\.waits)
    fields.sum(\.budgetExhausted)
    fields.sum(\.budgetExhaustedByHalf)
    fields.sum(\.cacheHits)
    fields.sum(\.views)
    fields.sum(\.staleViews)
    fields.sum(\.staleViewsAfter)
    fields.sum(\.dataAge)
    fields.sum(\.traffic)
    fields.sum(\.saved)
    fields.sum(\.energy)
    fields.sum(\.followed)
    fields.sum(\.milliseconds)
    fields.sum(\.wholeDays)
    fields.sum(\.millisecondsByHalf)
  }
}

extension WaitTally: SummedFields {
  package static func list(_ fields: inout some FieldList<WaitTally>) {
    fields.sum(\.count)
    fields.sum(\.totalMilliseconds)
  }
}

extension CountHistogram: SummedFields {
  package static func list(_ fields: inout some FieldList<CountHistogram>) { fields.sumOpen(\.counts) }
}

extension SpanHistogram: SummedFields {
  package static func list(_ fields: inout some FieldList<SpanHistogram>) {
    fields.sum(\.counts)
    fields.sum(\.sumMilliseconds)
  }
}

extension ShareHistogram: SummedFields {
  package static func list(_ fields: inout some FieldList<ShareHistogram>) { fields.sum(\.bins) }
}
