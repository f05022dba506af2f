import Scenario
import SimulationKernel

/// `backend.endpoints`: the endpoints that the file lists.
struct EndpointBuilder: PartBuilder {
  let draft: Draft

  /// Adds them to the draft.
  func build() {
    for (pair, section) in root.section("backend").named("endpoints") {
      draft.add(
        Endpoint(
          name: pair.key, latency: latency(section), timeout: section.duration("timeout") ?? .seconds(30),
          capacity: section.rate("capacity"), queue: section.count("queue"), baseLoad: baseLoad(section),
          rateLimit: rateLimit(section), autoscale: autoscale(section), cdn: cdn(section)))
    }
  }

  private func latency(_ section: Section) -> LatencyQuantiles? {
    guard section.written("latency")?.pairs != nil else { return nil }
    let latency = section.section("latency")
    guard let median = latency.duration("p50"), let p99 = latency.duration("p99") else { return nil }
    if median > p99 || (median == .zero && p99 > .zero) {
      problems.add(
        .wrongOrder, at: latency.written("p99")?.span,
        median > p99 ? "'p99' must not be below 'p50'" : "a 'p50' of 0s needs a 'p99' of 0s",
        note: "does not go with p50",
        help: "of a lognormal latency 99 % are below p99 and half below p50")
    }
    return LatencyQuantiles(median: median, p99: p99)
  }

  private func baseLoad(_ section: Section) -> BaseLoad? {
    guard section.written("base_load")?.pairs != nil else { return nil }
    let load = section.section("base_load")
    let hours = hours(load)
    guard let rate = load.rate("rate"), let zone = load.text("zone") else { return nil }
    return BaseLoad(rate: rate, hours: hours, zone: zone)
  }

  private func rateLimit(_ section: Section) -> RateLimit? {
    guard section.written("rate_limit")?.pairs != nil else { return nil }
    let limit = section.section("rate_limit")
    guard let rate = limit.rate("rate"), let retryAfter = limit.duration("retry_after") else { return nil }
    return RateLimit(rate: rate, retryAfter: retryAfter)
  }

  private func autoscale(_ section: Section) -> Autoscale? {
    guard section.written("autoscale")?.pairs != nil else { return nil }
    let scale = section.section("autoscale")
    guard let target = scale.share("target"), let delay = scale.duration("delay"), let step = scale.share("step"),
      let least = scale.rate("min"), let most = scale.rate("max")
    else { return nil }
    return Autoscale(target: target, delay: delay, step: step, least: least, most: most)
  }

  private func cdn(_ section: Section) -> CDN? {
    guard section.written("cdn")?.pairs != nil else { return nil }
    let cdn = section.section("cdn")
    guard let keys = cdn.count("keys"), let ttl = cdn.duration("ttl") else { return nil }
    return CDN(
      keys: keys, ttl: ttl, collapsing: cdn.flag("collapsing"), staleIfError: cdn.duration("stale_if_error") ?? .zero,
      errorTTL: cdn.duration("error_ttl") ?? .zero, popularity: popularity(cdn))
  }

  private func popularity(_ cdn: Section) -> Popularity {
    cdn.read("popularity") { text throws(ValueProblem) in try Quantities.zipf(text) }.map { .zipf(exponent: $0) }
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
