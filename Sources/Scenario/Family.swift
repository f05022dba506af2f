/// WidgetKit's widget families, as far as requests differ by them.
public enum Family: Int, BitwiseCopyable, CaseIterable, Sendable {
  case small, medium, large, extraLarge
}
