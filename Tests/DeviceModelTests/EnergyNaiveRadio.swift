import SimulationKernel

/// MODEL.md 7 simulated every millisecond, without states, as the reference for the account.
///
/// Powers are in microwatts, so that the energy of a millisecond is the same number of nanojoules; shares divide
/// evenly.
struct EnergyNaiveRadio {
  struct Profile {
    var promotion: (length: Int64, power: Int64)
    var active: Int64
    var tails: [(length: Int64, power: Int64)]

    var tailLength: Int64 { tails.reduce(0) { $0 + $1.length } }

    /// Returns the power at a given time after the radio was last busy.
    func tailPower(after span: Int64) -> Int64 {
      var end: Int64 = 0
      for tail in tails {
        end += tail.length
        if span < end { return tail.power }
      }
      return 0
    }
  }

  var profiles: [Profile]
  /// The end of the last request, and the number of the interface spell in which it was sent, by slot.
  var ends: [Int64]
  var spells: [Int]
  var spell = 0
  var interface = 0
  var isHeld = false
  /// The end of the promotion in progress, the slots waiting for it, and its energy so far.
  var promotionEnd: Int64 = .min
  var waiters: Set<Int> = []
  var promotionUsed: Int64 = 0
  /// When the radio was last busy, and who owned it then; empty for the user.
  var lastBusy: Int64 = .min / 2
  var lastOwners: [Int] = []

  var promotion: [Int64]
  var active: [Int64]
  var tail: [Int64]
  var wait: [Int64]
  var userTail: Int64 = 0
  var session: Int64 = 0
  /// The total energy drawn since the start, without sessions.
  var drawn: Int64 = 0

  init(_ profiles: [Profile], slots: Int) {
    self.profiles = profiles
    ends = Array(repeating: .min, count: slots)
    spells = Array(repeating: -1, count: slots)
    promotion = Array(repeating: 0, count: slots)
    active = promotion
    tail = promotion
    wait = promotion
  }

  var profile: Profile { profiles[interface] }

  private func flows(at now: Int64) -> [Int] { ends.indices.filter { ends[$0] > now && spells[$0] == spell } }

  /// Ends a promotion that is over or was cut short.
  mutating func settlePromotion() {
    guard let first = waiters.min() else { return }
    for slot in waiters { promotion[slot] += promotionUsed / Int64(waiters.count) }
    promotion[first] += promotionUsed % Int64(waiters.count)
    waiters = []
    promotionUsed = 0
  }

  /// Starts an instant, at which a promotion may end.
  mutating func begin(_ now: Int64) {
    if promotionEnd <= now { settlePromotion() }
  }

  mutating func send(_ slot: Int, at now: Int64, lasting length: Int64) -> Int64 {
    let delay: Int64
    if isHeld {
      delay = 0
    } else if promotionEnd > now {
      delay = promotionEnd - now
    } else if !flows(at: now).isEmpty || now - lastBusy <= profile.tailLength {
      delay = 0
    } else {
      delay = profile.promotion.length
      promotionEnd = now + delay
    }
    if delay > 0 { waiters.insert(slot) }
    spells[slot] = spell
    ends[slot] = max(ends[slot], now + delay + length)
    return delay
  }

  mutating func startSession(at now: Int64) {
    settlePromotion()
    promotionEnd = .min
    isHeld = true
  }

  mutating func endSession(at now: Int64) {
    isHeld = false
    lastBusy = now
    lastOwners = []
  }

  mutating func change(to next: Int, at now: Int64) {
    settlePromotion()
    promotionEnd = .min
    lastBusy = .min / 2
    interface = next
    spell += 1
  }

  /// Simulates the millisecond that starts now.
  mutating func pass(_ now: Int64) {
    if isHeld {
      session += 1_500_000
      return
    }
    let waiting = ends.indices.filter { ends[$0] > now }
    for slot in waiting { wait[slot] += 150_000 / Int64(waiting.count) }
    if !waiting.isEmpty { drawn += 150_000 }
    let flows = flows(at: now)
    if promotionEnd > now {
      promotionUsed += profile.promotion.power
      drawn += profile.promotion.power
    } else if !flows.isEmpty {
      for slot in flows { active[slot] += profile.active / Int64(flows.count) }
      drawn += profile.active
      lastBusy = now + 1
      lastOwners = flows
    } else {
      let power = profile.tailPower(after: now - lastBusy)
      for slot in lastOwners { tail[slot] += power / Int64(lastOwners.count) }
      if lastOwners.isEmpty { userTail += power }
      drawn += power
    }
  }
}
