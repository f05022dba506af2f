#if canImport(WidgetKit)
  public import WidgetKit

  extension Probe {
    /// Records that WidgetKit requests a timeline, except for previews in the widget gallery.
    ///
    /// - Parameters:
    ///   - context: the context passed to `getTimeline` or `timeline(for:in:)`.
    ///   - configuration: the user's choice as a stable text, of which only a hash is stored.
    public static func timeline(
      _ kind: String, in context: TimelineProviderContext, configuration: String = ""
    ) -> ProbeRun {
      guard !context.isPreview else { return ProbeRun(kind: kind, record: nil) }
      return timeline(kind, context.family.description, configuration: configuration)
    }

    /// Records a call and reloads the timelines of a kind, or of all kinds for `nil`.
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
