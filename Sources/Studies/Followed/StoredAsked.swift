package import FleetEngine
package import Scenario
import SimulationKernel

/// What becomes of the refreshes that a kind's policy asks for, over all replications (MODEL.md 8.3).
package struct StoredAsked: Hashable, Sendable {
  package var kind: Int
  /// By `AskedRow`, per widget and day; nil: unknown, for no refresh that the policy asked for has run.
  package var perDay: [Double?]
  /// For how long all followed widgets are there, in seconds.
  package var seconds: Double

  package init(kind: Int, perDay: [Double?], seconds: Double) {
    self.kind = kind
    self.perDay = perDay
    self.seconds = seconds
  }

  package subscript(row: AskedRow) -> Double? { perDay[row.place] }

  /// - Parameter followed: of some time.
  package init(kind: Int, _ followed: FollowedResult) {
    self.kind = kind
    seconds = significant(Double(followed.milliseconds) / 1_000)
    let days = Double(followed.milliseconds) / Double(TimeAmount.day.milliseconds)
    // The mean time that the policy asked to pass before a refresh that ran.
    let interval = Double(followed[.asked]) / Double(followed.policyRuns)
    perDay = AskedRow.allCases.map { row -> Double? in
      switch row {
      case .policy: return significant(Double(followed.policyRuns) / days)
      case .other: return significant(Double(followed.otherRuns) / days)
      case .asks, .part:
        guard followed.policyRuns > 0, interval > 0 else { return nil }
        return significant(row.milliseconds(of: followed) / interval / days)
      }
    }
  }
}

/// A row of asked.csv: what the policy asks for, what is lost on what, and what runs.
package enum AskedRow: Hashable, CaseIterable, Sendable {
  case asks
  case part(AskedPart)
  case policy
  case other

  package static let allCases: [AskedRow] =
    [.asks] + AskedPart.allCases.filter { $0 != .asked && $0 != .without }.map { .part($0) } + [.policy, .other]

  /// What refreshes are lost on, the corrections included.
  package static let losses: [AskedRow] = allCases.filter { if case .part = $0 { true } else { false } }

  /// Its place among all.
  var place: Int {
    switch self {
    case .asks: 0
    case .part(let part): 1 + (Self.losses.firstIndex(of: .part(part)) ?? 0)
    case .policy: 1 + Self.losses.count
    case .other: 2 + Self.losses.count
    }
  }

  /// The name used in files.
  package var name: String {
    switch self {
    case .asks: "asks"
    case .part(let part): part.name
    case .policy: "policy"
    case .other: "other"
    }
  }

  /// The time that it stands for; what was caught up is taken from the losses.
  fileprivate func milliseconds(of followed: FollowedResult) -> Double {
    switch self {
    case .asks: Double(followed.milliseconds - followed[.without])
    case .part(.caughtUp): Double(0 - followed[.caughtUp])
    case .part(let part): Double(followed[part])
    case .policy, .other: 0
    }
  }
}

extension StoredRun {
  /// By kind, of those that any followed phone has.
  package static func asked(of result: RunResult) -> [StoredAsked] {
    result.scenario.kinds.indices.compactMap { kind in
      let followed = result.followed(kind)
      return followed.milliseconds > 0 ? StoredAsked(kind: kind, followed) : nil
    }
  }
}
