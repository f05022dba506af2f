import FleetEngine
package import Scenario
import SimulationKernel

/// What recorded bursts cost on a radio, in nanojoules, by component; processor time is not in it.
package struct RadioPrice: Hashable, Sendable {
  package var promotion = 0.0
  package var active = 0.0
  package var transfer = 0.0
  package var tail = 0.0
  package var wait = 0.0

  package init() {}

  package var total: Double { promotion + active + transfer + tail + wait }

  package subscript(component: EnergyComponent) -> Double {
    switch component {
    case .promotion: promotion
    case .active: active
    case .transfer: transfer
    case .tail: tail
    case .wait: wait
    case .cpu: 0
    }
  }

  static func += (left: inout RadioPrice, right: RadioPrice) {
    left.promotion += right.promotion
    left.active += right.active
    left.transfer += right.transfer
    left.tail += right.tail
    left.wait += right.wait
  }
}

/// Prices bursts recorded on one radio as if another had carried them.
///
/// An approximation: another radio would have begun and ended transfers a little earlier or later, and lengths of
/// silence are known to 1/64. Both radios are priced from the same record.
struct RadioPricing {
  /// Awake for answers (MODEL.md 7.2), in watts.
  private static let waiting = 0.15

  let use: RadioResult
  /// That carried them.
  let own: RadioProfile

  func price(on radio: RadioProfile) -> RadioPrice {
    let length = radio.tails.reduce(0) { $0 + Double($1.length.milliseconds) }
    let promotions = promotions(tail: length)
    let longer = Double(radio.roundTrip.milliseconds - own.roundTrip.milliseconds) * Double(use.bursts)
    let active = max(Double(use.activeMilliseconds) + longer, 0)
    var price = RadioPrice()
    price.promotion = promotions * Double(radio.promotion.energy.nanojoules)
    price.active = active * Double(radio.active.microwatts)
    price.transfer =
      (Double(use.bytesDown) * Double(radio.down.picojoules) + Double(use.bytesUp) * Double(radio.up.picojoules)) / 125
    price.tail = tails(of: radio)
    price.wait = (active + promotions * Double(radio.promotion.length.milliseconds)) * Self.waiting * 1_000_000
    return price
  }

  /// Requests that find the radio asleep, a radio with tails of so many milliseconds.
  private func promotions(tail: Double) -> Double {
    [use.wokenAgain, use.wokenAfterOthers].reduce(0) { sum, bins in
      sum
        + bins.indices.reduce(0) { $0 + Double(bins[$1]) * (1 - Self.within(tail, ofBin: $1)) }
    }
  }

  /// The tails that widgets began, each up to the end of its silence.
  private func tails(of radio: RadioProfile) -> Double {
    [use.wokenAgain, use.left].reduce(0) { sum, bins in
      sum
        + bins.indices.reduce(0) { sum, bin in
          bins[bin] == 0 ? sum : sum + Double(bins[bin]) * Self.tail(of: radio, ofBin: bin)
        }
    }
  }

  /// The share of a bin's silences that are no longer than a tail; they are spread evenly over the bin.
  private static func within(_ tail: Double, ofBin bin: Int) -> Double {
    guard let (from, width) = SilenceBins.edges(ofBin: bin) else { return 0 }
    // A request joins a tail that ends as it is sent, and lengths are whole milliseconds.
    return min(max((tail + 1 - Double(from)) / Double(width), 0), 1)
  }

  /// The mean energy of the tails during a bin's silences.
  private static func tail(of radio: RadioProfile, ofBin bin: Int) -> Double {
    var energy = 0.0
    var begin = 0.0
    for spell in radio.tails {
      let end = begin + Double(spell.length.milliseconds)
      energy += (meanMinimum(end, ofBin: bin) - meanMinimum(begin, ofBin: bin)) * Double(spell.power.microwatts)
      begin = end
    }
    return energy
  }

  /// The mean of min(silence, limit) over a bin.
  private static func meanMinimum(_ limit: Double, ofBin bin: Int) -> Double {
    guard let (from, width) = SilenceBins.edges(ofBin: bin) else { return limit }
    // Whole milliseconds from..<from + width.
    let first = Double(from)
    let last = Double(from + width - 1)
    if limit >= last { return (first + last) / 2 }
    if limit <= first { return limit }
    return (limit + first) / 2 * (limit - first) / (last - first) + limit * (last - limit) / (last - first)
  }
}
