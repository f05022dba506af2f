import Scenario
import SimulationKernel

/// `backend.endpoints`: the endpoints that the file lists.
struct EndpointBuilder: PartBuilder {
  let draft: Draft

  /// Adds them to the draft.
  func build() {
    for (pair, section) in root.section("backend").named("endpoints") {
      var endpoint: Endpoint = section.filled()
      endpoint.name = pair.key
      endpoint.latency = latency(section)
      endpoint.baseLoad = baseLoad(section)
      endpoint.rateLimit = section.part("rate_limit")
      endpoint.autoscale = section.part("autoscale")
      endpoint.cdn = cdn(section)
      draft.add(endpoint)
    }
  }

  private func latency(_ section: Section) -> LatencyQuantiles? {
    guard let quantiles: LatencyQuantiles = section.part("latency") else { return nil }
    let (median, p99) = (quantiles.median, quantiles.p99)
    if median > p99 || (median == .zero && p99 > .zero) {
      problems.add(
        .wrongOrder, at: section.section("latency").written("p99")?.span,
        median > p99 ? "'p99' must not be below 'p50'" : "a 'p50' of 0s needs a 'p99' of 0s",
        note: "does not go with p50",
        help: "of a lognormal latency 99 % are below p99 and half below p50")
    }
    return quantiles
  }

  private func baseLoad(_ section: Section) -> BaseLoad? {
    guard section.written("base_load")?.pairs != nil else { return nil }
    let hours = hours(section.section("base_load"))
    var load: BaseLoad? = section.part("base_load")
    load?.hours = hours
    return load
  }

  private func cdn(_ section: Section) -> CDN? {
    var cdn: CDN? = section.part("cdn")
    cdn?.popularity = popularity(section.section("cdn"))
    return cdn
  }

  private func popularity(_ cdn: Section) -> Popularity {
    cdn.read("popularity", Quantities.zipf).map { .zipf(exponent: $0) }
      ?? .uniform
  }
}

extension Quantities {
  /// zipf 1.0: the exponent.
  static func zipf(_ text: String) throws(ValueProblem) -> Double {
    if text.hasPrefix("zipf "), let exponent = try? PlainNumbers.number(String(text.dropFirst(5))) { return exponent }
    throw ValueProblem(
      .unreadable, "is not a popularity", note: "not a law of ranks", help: .write(like: "zipf 1.0"))
  }
}
