#if canImport(WidgetKit)
  public import WidgetKit

  extension Probe {
    /// Records that WidgetKit requests a timeline; previews of the gallery are not recorded.
    ///
    /// - Parameters:
    ///   - context: the context passed to `getTimeline` or `timeline(for:in:)`.
    ///   - configuration: the person's choice, as a text that stays the same; only a hash is stored.
    public static func timeline(
      _ kind: String, in context: TimelineProviderContext, configuration: String = ""
    ) -> ProbeRun {
      guard !context.isPreview else { return ProbeRun(kind: kind, record: nil) }
      return timeline(kind, context.family.description, configuration: configuration)
    }

    /// Records a call and reloads the timelines of a kind, or of all for `nil`.
    public static func reload(_ reason: ProbeRecord.CallReason, kind: String? = nil) {
      called(reason, kind: kind)
      if let kind {
        WidgetCenter.shared.reloadTimelines(ofKind: kind)
      } else {
        WidgetCenter.shared.reloadAllTimelines()
      }
    }
  }
#endif
