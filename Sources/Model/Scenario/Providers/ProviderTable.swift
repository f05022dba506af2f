/// The code of a provider without its type, which is erased once, before the simulation.
public final class ProviderCode: Sendable {
  /// The maximum size of a provider's memory.
  public static let maxMemoryBytes = 256

  /// The version of the code.
  public let version: String
  /// The size of a widget's memory.
  package let memoryBytes: Int
  private let begin: @Sendable (UnsafeMutableRawPointer) -> Void
  private let call: @Sendable (TimelineContext, UnsafeMutableRawPointer) -> SimulatedTimeline
  private let choose: (@Sendable (TimelineContext, UnsafeMutableRawPointer) -> SimulatedRequests)?

  /// Erases the type of a provider.
  @inlinable
  public convenience init<Provider: SimulatedTimelineProvider>(_ provider: Provider) {
    // A module that calls this gets its own copy, in which the calls to the provider are direct.
    self.init(
      version: provider.version, memoryBytes: MemoryLayout<Provider.Memory>.size,
      begin: { $0.storeBytes(of: Provider.Memory(), as: Provider.Memory.self) },
      call: { context, place in
        var memory = place.loadUnaligned(as: Provider.Memory.self)
        let timeline = provider.timeline(in: context, memory: &memory)
        place.storeBytes(of: memory, as: Provider.Memory.self)
        return timeline
      },
      choose: (provider as? any RequestChoosingProvider).map { Self.choice(of: $0) })
  }

  /// Returns the call to a provider that chooses requests.
  @usableFromInline
  static func choice<Provider: RequestChoosingProvider>(
    of provider: Provider
  ) -> @Sendable (TimelineContext, UnsafeMutableRawPointer) -> SimulatedRequests {
    { context, place in
      var memory = place.loadUnaligned(as: Provider.Memory.self)
      let requests = provider.requests(in: context, memory: &memory)
      place.storeBytes(of: memory, as: Provider.Memory.self)
      return requests
    }
  }

  @usableFromInline
  init(
    version: String, memoryBytes: Int, begin: @escaping @Sendable (UnsafeMutableRawPointer) -> Void,
    call: @escaping @Sendable (TimelineContext, UnsafeMutableRawPointer) -> SimulatedTimeline,
    choose: (@Sendable (TimelineContext, UnsafeMutableRawPointer) -> SimulatedRequests)?
  ) {
    self.version = version
    self.memoryBytes = memoryBytes
    self.begin = begin
    self.call = call
    self.choose = choose
  }

  /// Whether the provider chooses the requests of its runs.
  package var choosesRequests: Bool { choose != nil }

  /// Stores the initial value of a widget's memory.
  package func begin(in memory: UnsafeMutableRawPointer) { begin(memory) }

  /// Returns the timeline for a run of the widget with this memory.
  package func timeline(in context: TimelineContext, memory: UnsafeMutableRawPointer) -> SimulatedTimeline {
    call(context, memory)
  }

  /// Returns the requests of a run that is starting.
  package func requests(in context: TimelineContext, memory: UnsafeMutableRawPointer) -> SimulatedRequests {
    choose?(context, memory) ?? .all
  }
}

/// The providers that scenarios can use, by name.
public struct ProviderTable: Hashable, Sendable {
  private var codes: [String: ProviderCode] = [:]

  /// Creates a table without providers.
  public init() {}

  /// Adds a provider, replacing any provider with the same name.
  @inlinable
  public mutating func add(_ provider: some SimulatedTimelineProvider, named name: String) {
    add(ProviderCode(provider), named: name)
  }

  /// Adds the code of a provider, replacing any provider with the same name.
  public mutating func add(_ code: ProviderCode, named name: String) { codes[name] = code }

  /// The names in alphabetical order.
  public var names: [String] { codes.keys.sorted() }

  package subscript(name: String) -> ProviderCode? { codes[name] }

  private var versions: [String: String] { codes.mapValues(\.version) }

  /// Whether two tables have the same names and versions; code cannot be compared.
  public static func == (left: ProviderTable, right: ProviderTable) -> Bool { left.versions == right.versions }

  public func hash(into hasher: inout Hasher) { hasher.combine(versions) }
}

/// The provider that a kind names in place of a reload policy.
package struct ProviderName: Hashable, Sendable {
  package var name: String
  /// The version of the code; `nil` if the provider is not registered yet.
  package var version: String?

  package init(_ name: String, version: String? = nil) { (self.name, self.version) = (name, version) }
}

extension Kind {
  /// The provider that takes the place of the kind's policies; `nil` if the kind has policies.
  package var provider: ProviderName? {
    if case .provider(let name)? = phases.first?.reload { name } else { nil }
  }

  /// Replaces the kind's phases, windows and error policy with a provider.
  package mutating func follow(_ provider: ProviderName) {
    phases = [.with { $0.reload = .provider(provider) }]
    windows = []
    onError = .reload(.provider(provider))
  }
}

extension Scenario {
  /// Registers a provider for the kinds whose reload policy names it, and for the kind with this name.
  package mutating func use(_ provider: some SimulatedTimelineProvider, for name: String) {
    providers.add(ProviderCode(provider), named: name, for: &kinds)
  }
}

extension ProviderTable {
  /// Adds code for the kinds of a scenario whose reload policy names it, and for the kind with this name.
  ///
  /// - Returns: whether a kind uses the code.
  @discardableResult
  package mutating func add(_ code: ProviderCode, named name: String, for kinds: inout [Kind]) -> Bool {
    add(code, named: name)
    let users = kinds.indices.filter { kinds[$0].name == name || kinds[$0].provider?.name == name }
    for kind in users { kinds[kind].follow(ProviderName(name, version: code.version)) }
    return !users.isEmpty
  }

  /// Returns the first kind whose provider is not registered or needs too much memory, and the reason why it cannot be
  /// simulated.
  package func obstacle(among kinds: [Kind]) -> (kind: Kind, reason: String)? {
    for kind in kinds {
      guard let name = kind.provider?.name else { continue }
      guard let code = codes[name] else { return (kind, noProvider(named: name)) }
      if code.choosesRequests, kind.isBackgroundSession || kind.requests.count > SimulatedRequests.maxListed {
        let limit = "a background session, or among more than \(SimulatedRequests.maxListed)"
        return (kind, "provider \(name.inQuotes) cannot choose the requests of \(limit)")
      }
      guard code.memoryBytes > ProviderCode.maxMemoryBytes else { continue }
      let limit = "\(code.memoryBytes) bytes; at most \(ProviderCode.maxMemoryBytes) are simulated"
      return (kind, "the memory of provider \(name.inQuotes) has \(limit)")
    }
    return nil
  }

  /// Returns the message for a provider name that does not exist.
  package func noProvider(named name: String) -> String { "there is no provider \(name.inQuotes): \(list)" }

  /// The names as text for messages.
  package var list: String {
    codes.isEmpty
      ? "this program has no providers" : "this program has \(names.map(\.inQuotes).joined(separator: ", "))"
  }
}
