import Scenario
import SimulationKernel

/// The days before a placement, through which the balance of a widget goes whose C follows its views (MODEL.md 1.4).
struct DaysBefore {
  /// Dates with views: a week, which C follows, and the days after it.
  static let dates = 35

  let slot: Slot
  /// C by the views of a week.
  let byWeek: PreparedList<RunMillionths>
  /// Views a day, before the days' factors.
  let views: Double
  let demand: DailyDemand
  /// The share of a day's capacity that accrues between midnight and the time of the placement.
  let accrued: Double

  /// The level at the time of the placement, from one four weeks before.
  ///
  /// - Parameter today: the date of the placement.
  func level(from first: Double, until today: LocalDay, _ bounds: BalanceBounds, _ phone: inout PhoneCore) -> Double {
    var week = InlineArray<7, Int>(repeating: 0)
    var (sum, level, before) = (0, first, 0.0)
    for day in 0..<Self.dates {
      let date = LocalDay(number: today.number - Int64(Self.dates - day))
      let seen = Int(Views.earlier(slot, on: date, mean: views, &phone))
      sum += seen - week[day % 7]
      week[day % 7] = seen
      guard day >= 6 else { continue }
      let capacity = byWeek[min(sum, byWeek.count - 1)].runs
      if day > 6 {
        let added = before + (capacity - before) * accrued
        level = min(max(level + added - asked(day, seen: seen, &phone), 0), bounds.room(capacity: capacity))
      }
      before = capacity
    }
    return level
  }

  /// The charged runs of a day with so many views: a draw with their mean and variance.
  private func asked(_ day: Int, seen: Int, _ phone: inout PhoneCore) -> Double {
    let draws = phone.draws(.pastDemand, part: phone.widget(slot).member.place, index: day / 4)
    let word =
      switch day % 4 {
      case 0: draws.word0
      case 1: draws.word1
      case 2: draws.word2
      default: draws.word3
      }
    // A uniform has variance 1/12; what a balance sums over some days is near a normal.
    let chance = (12 * demand.rest).squareRoot() * ((Double(word) + 0.5) * 0x1p-32 - 0.5)
    return demand.mean + demand.perView * (Double(seen) - views) + chance
  }
}
