import Scenario
import SimulationKernel

/// A builder for the endpoints listed under `backend.endpoints`.
struct EndpointBuilder: PartBuilder {
  let draft: Draft

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
        note: "conflicts with p50",
        help: "99 % of lognormal latencies are below p99, and half are below p50")
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
  /// Parses a rank distribution such as `zipf 1.0` and returns its exponent.
  static func zipf(_ text: String) throws(ValueProblem) -> Double {
    if text.hasPrefix("zipf "), let exponent = try? PlainNumbers.number(String(text.dropFirst(5))) { return exponent }
    throw ValueProblem(
      .unreadable, "is not a popularity", note: "not a rank distribution", help: .write(like: "zipf 1.0"))
  }
}

/// A check that the limits of endpoints are consistent with each other and with the clock (MODEL.md 6.1).
struct LimitCheck: PartBuilder {
  let draft: Draft
  let clock: Clock

  private static let longestStep = TimeAmount.seconds(10)

  /// Checks the limits of the endpoints that the file lists.
  func checkEndpoints() {
    let listed = root.section("backend").named("endpoints")
    for (endpoint, (_, section)) in zip(draft.endpoints, listed) {
      checkAutoscale(section, endpoint)
      guard clock.step > .zero else { continue }
      checkQueue(section, endpoint, clock.step)
      let cdn = section.section("cdn")
      checkTenth(cdn, "ttl", of: endpoint, endpoint.cdn?.ttl, clock.step)
      checkTenth(cdn, "stale_if_error", of: endpoint, endpoint.cdn?.staleIfError, clock.step)
      checkTenth(cdn, "error_ttl", of: endpoint, endpoint.cdn?.errorTTL, clock.step)
      checkTenth(section.section("autoscale"), "delay", of: endpoint, endpoint.autoscale?.delay, clock.step)
    }
  }

  private func checkAutoscale(_ section: Section, _ endpoint: Endpoint) {
    guard section.written("autoscale")?.pairs != nil else { return }
    let mayHaveCapacity = section.written("capacity") != nil || section.node?["capacity"]?.isNull == true
    if !mayHaveCapacity {
      problems.add(
        .missingKey, at: span(of: "autoscale", in: section),
        "endpoint \(endpoint.name.quoted) has 'autoscale' but lacks the key 'capacity'", note: "needs a capacity",
        help: .add("capacity", "7k/s"))
    }
    guard let scale = endpoint.autoscale else { return }
    let (minimum, maximum) = (QuantityText.rate(perSecond: scale.minimum), QuantityText.rate(perSecond: scale.maximum))
    if scale.minimum > scale.maximum {
      problems.add(
        .wrongOrder, at: section.section("autoscale").written("max")?.span, "'max' must not be below 'min'",
        note: "min is \(minimum)", help: Help.write(minimum).and("or swap the two"))
    } else if let capacity = endpoint.capacity, capacity < scale.minimum || capacity > scale.maximum {
      problems.add(
        .outOfRange, at: section.written("capacity")?.span,
        "'capacity' must be between the min \(minimum) and the max \(maximum) of 'autoscale'",
        note: capacity < scale.minimum ? "below min" : "above max",
        help: Help.write(capacity < scale.minimum ? minimum : maximum).and("it is the initial capacity"))
    }
  }

  /// Rejects a queue that is shorter than the number of requests served per step. Such a queue would refuse requests
  /// even though there is capacity for them.
  private func checkQueue(_ section: Section, _ endpoint: Endpoint, _ step: TimeAmount) {
    guard let capacity = endpoint.capacity, let queue = endpoint.queue else { return }
    // The comparison is in thousandths of a request; the tolerance allows only for binary rounding errors.
    let served = capacity * Double(step.milliseconds)
    guard Double(queue) * 1_000 < served * (1 - 1e-12) else { return }
    let whole = Int64(exactly: served / 1_000)?.grouped
    let number = whole ?? PlainNumbers.text(shifting: (served * 1e6).rounded() / 1e6, by: -3)
    problems.add(
      .queueTooShort, at: section.written("queue")?.span,
      "a queue of \(queue.grouped) holds fewer requests than are served per step "
        + "of \(QuantityText.duration(step)): \(number)",
      note: "less than \(number)",
      help: Help.write(String(Int64((served / 1_000).rounded(.up)))).and("or a shorter clock.step"))
  }

  private func checkTenth(
    _ section: Section, _ key: String, of endpoint: Endpoint, _ span: TimeAmount?, _ step: TimeAmount
  ) {
    guard let span, span > .zero, step.milliseconds > span.milliseconds / 10 else { return }
    let maximum = QuantityText.duration(.milliseconds(span.milliseconds / 10))
    problems.add(
      .stepTooLong, at: section.written(key)?.span,
      "\(key.quoted) \(QuantityText.duration(span)) of endpoint \(endpoint.name.quoted) is shorter than ten steps "
        + "of \(QuantityText.duration(step))",
      note: "step: at most \(maximum)",
      help: roundStep(ofAtMost: span.milliseconds / 10).map { Help.set("clock.step", $0).and("or a longer \(key)") })
  }

  /// Returns a round step length that evenly divides the settling, warm-up and measured periods; `nil` if there is
  /// none.
  private func roundStep(ofAtMost milliseconds: Int64) -> String? {
    let clock = root.section("clock")
    guard let warmup = clock.duration("warmup"), let duration = clock.duration("duration") else { return nil }
    let settle = clock.written("settle") == nil ? nil : clock.duration("settle")
    let spans = [settle ?? .zero, warmup, duration].map(\.milliseconds)
    let steps: [Int64] = [10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10, 5, 2, 1]
    return steps.first { step in step <= milliseconds && spans.allSatisfy { $0 % step == 0 } }
      .map { QuantityText.duration(.milliseconds($0)) }
  }

  /// Checks the step length against all limits, including limits set by outages (MODEL.md 6.1).
  func checkLongStep(_ events: [Event]) {
    let (step, endpoints) = (clock.step, draft.endpoints)
    let limited = events.compactMap(\.limitedEndpoint)
    let endpoint = endpoints.indices.first { endpoints[$0].hasFeedback || limited.contains($0) }
    guard step > Self.longestStep, let endpoint = endpoint.map({ endpoints[$0] }) else { return }
    problems.add(
      .stepTooLong, at: span(of: "step", in: root.section("clock")),
      "step \(QuantityText.duration(step)) is longer than 10s, and endpoint \(endpoint.name.quoted) has limits",
      note: "at most 10s", help: "devices see the state of the backend once per step")
  }
}
