/// The values that a provider keeps for a widget from one run to the next.
///
/// An app keeps such values in its App Group. Each placed widget has its own value, which is initialized with `init()`
/// on every phone. A value contains no references and has at most `ProviderCode.maxMemoryBytes` bytes.
///
/// ```swift
/// struct Memory: SimulatedMemory { var failures = 0; var fetched: Instant? }
/// ```
public protocol SimulatedMemory: BitwiseCopyable, Sendable {
  /// Creates the value with which each widget starts.
  init()
}

/// The memory of a provider that keeps nothing.
public struct NoMemory: SimulatedMemory {
  /// Creates the empty value.
  public init() {}
}

/// The code of a widget that decides when the next timeline is requested, in place of a scenario's reload policy.
///
/// It is called once at the end of each run. The requests, the cache, retries within a run and the budget remain those
/// of the scenario and the system. Equal calls must have equal results: use `TimelineContext.draw(_:)` for randomness,
/// not clocks or the system's random numbers.
///
/// ```swift
/// struct Backoff: SimulatedTimelineProvider {
///   struct Memory: SimulatedMemory { var failures: Int64 = 0 }
///
///   func timeline(in context: TimelineContext, memory: inout Memory) -> SimulatedTimeline {
///     memory.failures = context.answer.hasFailed ? min(memory.failures + 1, 6) : 0
///     return SimulatedTimeline(policy: .after(context.date + .minutes(15 << memory.failures)))
///   }
/// }
/// ```
public protocol SimulatedTimelineProvider: Sendable {
  /// The values that the provider keeps for a widget.
  associatedtype Memory: SimulatedMemory = NoMemory

  /// The version of the code, by which stored results are identified; change it whenever the results change.
  var version: String { get }

  /// Returns the timeline with which a run ends.
  ///
  /// - Parameters:
  ///   - context: the circumstances at the end of the run.
  ///   - memory: the values that the provider keeps for this widget.
  func timeline(in context: TimelineContext, memory: inout Memory) -> SimulatedTimeline
}

/// A provider that also decides which of its kind's requests a run sends.
///
/// ```swift
/// func requests(in context: TimelineContext, memory: inout Memory) -> SimulatedRequests {
///   context.isDataFresh ? .none : .only(0, 2)
/// }
/// ```
public protocol RequestChoosingProvider: SimulatedTimelineProvider {
  /// Returns the requests of a run; if there are none, the run ends with the widget's existing data.
  ///
  /// It is called at the start of each run, before the cache is checked.
  ///
  /// - Parameter context: the circumstances at the start of the run; its `answer` is `notAsked`.
  func requests(in context: TimelineContext, memory: inout Memory) -> SimulatedRequests
}

/// A choice among the requests that a kind lists.
public struct SimulatedRequests: BitwiseCopyable, Hashable, Sendable {
  /// The maximum number of listed requests among which a provider can choose.
  public static let maxListed = 64

  /// One bit for each listed request, starting with the lowest bit.
  package let bits: UInt64

  /// All requests.
  public static let all = SimulatedRequests(bits: .max)
  /// No requests.
  public static let none = SimulatedRequests(bits: 0)

  /// Returns the requests at these positions in the list, counted from 0.
  public static func only(_ places: Int...) -> SimulatedRequests {
    SimulatedRequests(bits: places.reduce(0) { $0 | (0..<maxListed ~= $1 ? 1 << UInt64($1) : 0) })
  }

  private init(bits: UInt64) { self.bits = bits }
}

extension SimulatedTimelineProvider {
  /// The version `1`, for code that has not changed yet.
  public var version: String { "1" }
}

/// A provider without parameters, which a program can specify by its type.
///
/// ```swift
/// struct Flight: ParameterlessProvider { ... }
/// WidgetFleetCommand.main(providers: ["flight": Flight.self])
/// ```
public protocol ParameterlessProvider: SimulatedTimelineProvider {
  /// Creates the provider.
  init()

  /// The code of a new provider; the default is right for every type.
  static var code: ProviderCode { get }
}

extension ParameterlessProvider {
  /// The code of a new provider.
  @inlinable public static var code: ProviderCode { ProviderCode(Self()) }
}
