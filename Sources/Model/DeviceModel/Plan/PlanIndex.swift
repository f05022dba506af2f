/// An index into a list. Each list has a distinct index type, so that, for example, the index of a kind cannot be used
/// as the index of a cohort.
package protocol PlanIndex: BitwiseCopyable, ExpressibleByIntegerLiteral, Hashable, Sendable {
  /// Creates an index.
  ///
  /// - Parameter place: the zero-based position in the list.
  init(_ place: Int)
  var place: Int { get }
}

extension PlanIndex {
  @inline(__always) package init(integerLiteral place: Int) { self.init(place) }
}

/// A widget, by its index among the widgets of its phone.
package struct Slot: PlanIndex {
  /// The maximum number of widgets on a phone.
  package static let maximum = 64

  private let number: UInt8

  @inline(__always) package init(_ place: Int) { number = UInt8(truncatingIfNeeded: place) }
  @inline(__always) package var place: Int { Int(number) }
}

/// A widget kind, by its index in the scenario.
package struct KindIndex: PlanIndex {
  private let number: UInt16

  @inline(__always) package init(_ place: Int) { number = UInt16(truncatingIfNeeded: place) }
  @inline(__always) package var place: Int { Int(number) }
}

/// A cohort, by its index in the scenario.
package struct CohortIndex: PlanIndex {
  private let number: UInt16

  @inline(__always) package init(_ place: Int) { number = UInt16(truncatingIfNeeded: place) }
  @inline(__always) package var place: Int { Int(number) }
}

/// A widget that a cohort's phones may have, by its index among the cohort's widgets, which is also the key of its
/// draws.
package struct MemberIndex: PlanIndex {
  private let number: UInt8

  @inline(__always) package init(_ place: Int) { number = UInt8(truncatingIfNeeded: place) }
  @inline(__always) package var place: Int { Int(number) }
}

/// An endpoint, by its index in the scenario.
package struct EndpointIndex: PlanIndex {
  private let number: UInt16

  @inline(__always) package init(_ place: Int) { number = UInt16(truncatingIfNeeded: place) }
  @inline(__always) package var place: Int { Int(number) }
}

/// An external event that reaches phones, by its index in the plan.
package struct EventIndex: PlanIndex {
  private let number: UInt16

  @inline(__always) package init(_ place: Int) { number = UInt16(truncatingIfNeeded: place) }
  @inline(__always) package var place: Int { Int(number) }
}

/// A reload requested by the app, by its index in the plan.
package struct ReloadIndex: PlanIndex {
  private let number: UInt8

  @inline(__always) package init(_ place: Int) { number = UInt8(truncatingIfNeeded: place) }
  @inline(__always) package var place: Int { Int(number) }
}

/// A cache on a phone, by its index; the caches of kinds come before the caches of widgets.
struct CacheIndex: PlanIndex {
  private let number: UInt32

  @inline(__always) init(_ place: Int) { number = UInt32(truncatingIfNeeded: place) }
  @inline(__always) var place: Int { Int(number) }
}

/// The index of an event's push for a kind among the pushes to a phone, ordered by event and then by kind.
struct EventWaitIndex: PlanIndex {
  private let number: UInt32

  @inline(__always) init(_ place: Int) { number = UInt32(truncatingIfNeeded: place) }
  @inline(__always) var place: Int { Int(number) }
}

/// The first indices of a list in ascending order, up to a given count.
struct Indices<Index: PlanIndex>: Sequence, IteratorProtocol {
  private var following = 0
  private let count: Int

  @inline(__always) init(_ count: Int) { self.count = count }

  @inline(__always)
  mutating func next() -> Index? {
    guard following < count else { return nil }
    defer { following &+= 1 }
    return Index(following)
  }
}
