import Scenario
import SimulationKernel

/// The interface that a device is on and whether it is offline, brought up to date when it is looked at (MODEL.md 3.1).
struct NetworkState: BitwiseCopyable {
  /// The next draw of the interface; `.never` on a network that never changes.
  private(set) var redraw: Instant = .never
  /// The end of the present spell online or offline.
  private(set) var turn: Instant = .never
  /// Draws and turns so far: the indices of their draws.
  private var redraws: UInt32 = 1
  private var turns: UInt32 = 1
  /// Changes of the interface so far, from 0 again after 255.
  private(set) var changes: UInt8 = 0
  private(set) var isOnWifi = true
  private(set) var isOffline = false

  /// The stationary state at the beginning: the last draw of the interface lies an exponential gap before it.
  init(_ plan: NetworkPlan, stream: DeviceStream, wall: WallClock, beginning: Instant) {
    if let roaming = plan.roaming {
      let draws = stream.block(.interface)
      let lastDraw = beginning - roaming.gap.span(at: draws.first)
      isOnWifi = roaming.wifi[wall.reading(at: lastDraw).hour].happens(at: draws.second)
      redraw = beginning + roaming.gap.span(at: stream.block(.interface, index: 1).first)
    }
    if let offline = plan.offline {
      let draws = stream.block(.offline)
      isOffline = offline.share.happens(at: draws.first)
      turn = beginning + Self.spell(isOffline ? offline.offline : offline.online, at: draws.second)
    }
  }

  /// Index of the present interface.
  var interface: Int { isOnWifi ? 0 : 1 }

  /// Whether nothing changes up to and including `now`.
  @inline(__always)
  func isUpToDate(at now: Instant) -> Bool { now < redraw && now < turn }

  /// Goes on to the next change of the interface at or before `now` and returns its instant; nil when there is none.
  mutating func changeInterface(
    upTo now: Instant, _ plan: NetworkPlan, stream: DeviceStream, wall: WallClock
  ) -> Instant? {
    guard let roaming = plan.roaming else { return nil }
    while redraw <= now {
      let instant = redraw
      let draws = stream.block(.interface, index: Int(redraws))
      redraws &+= 1
      redraw = instant + roaming.gap.span(at: stream.block(.interface, index: Int(redraws)).first)
      let wifi = roaming.wifi[wall.reading(at: instant).hour].happens(at: draws.second)
      if wifi != isOnWifi {
        isOnWifi = wifi
        changes &+= 1
        return instant
      }
    }
    return nil
  }

  /// Goes on to the spell online or offline that holds at `now`.
  mutating func turn(upTo now: Instant, _ plan: NetworkPlan, stream: DeviceStream) {
    guard let offline = plan.offline else { return }
    while turn <= now {
      isOffline.toggle()
      let uniform = stream.block(.offline, index: Int(turns)).first
      turns &+= 1
      turn = turn + Self.spell(isOffline ? offline.offline : offline.online, at: uniform)
    }
  }

  /// A spell is at least a moment long.
  private static func spell(_ length: SpanSampler, at uniform: UInt64) -> TimeAmount {
    max(length.span(at: uniform), .milliseconds(1))
  }
}
