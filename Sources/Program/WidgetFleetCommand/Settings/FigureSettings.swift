/// The settings for exporting a figure of a report page as a standalone image.
struct FigureSettings {
  enum Format: String, CaseIterable {
    case svg, png
  }

  let name: String
  let format: Format

  /// Reads the settings; returns `nil` if `--figure` is not given.
  init?(_ values: ArgumentValues, _ command: Command) throws(Failure) {
    guard command.action == .report else { return nil }
    format = values.last(.pictureFormat).flatMap(Format.init) ?? .svg
    guard let name = values.last(.figure) else {
      if values.has(.pictureFormat) {
        throw .usage("--as needs --figure NAME, the figure to draw", command: command.name)
      }
      return nil
    }
    self.name = name
    if format == .png, values.last(.out) == nil {
      throw .usage("--as png needs -o FILE: it is not written to standard output", command: command.name)
    }
  }
}

extension Option {
  static let figure = Option(
    "figure", .text("NAME"), "draw only one figure from the page, for a slide: --figure load (a wrong name lists them)")
  static let pictureFormat = Option(
    "as", .choice(FigureSettings.Format.allCases.map(\.rawValue)), "with --figure: vector drawing or pixels (svg)")
}
