import FleetEngine
import FleetReports
import Pictures
import ScenarioFiles
import Studies

/// The `widgetfleet report` command, which creates the page for a results folder, or one figure of that page, from
/// run.bin.
struct ReportCommand {
  let settings: Settings
  let console: Console

  func run() throws(Failure) -> ExitCode {
    let folder = settings.operands[0]
    let content = try ResultsFolder(folder).results().content
    if let figure = settings.figure { return try draw(figure, of: content) }
    let path = settings.out ?? folder + "/" + ReportFile.page.name
    try OutputFile(path, isOwnPage: settings.out == nil).write(reportPage(of: content))
    console.note("report: \(path.printable)\n")
    return .success
  }

  private func draw(_ wanted: FigureSettings, of content: ReportContent) throws(Failure) -> ExitCode {
    let figures = PagePlot.all(of: content)
    guard let figure = PagePlot.named(wanted.name, in: figures) else {
      let names = PagePlot.names(of: figures)
      throw .usage(
        "this page has no figure '\(wanted.name.printable)'", command: "report",
        hint: Suggestion.hint(wanted.name, among: names) ?? "figures are \(names.joined(separator: ", "))")
    }
    let output = try settings.out.map { path throws(Failure) in try OutputFile(path) }
    let bytes = wanted.format == .svg ? figure.svg : try pixels(of: figure)
    guard let output else {
      try console.output(bytes)
      return .success
    }
    try output.write(bytes)
    console.note("figure: \(output.path.printable)\n")
    return .success
  }

  /// Returns a figure as a PNG image with two pixels per unit, which is wide enough for a slide.
  private func pixels(of figure: PagePlot) throws(Failure) -> [UInt8] {
    do {
      let size = (width: Int(2 * figure.size.width), height: Int(2 * figure.size.height))
      return try PictureLibrary().png(of: figure.svg, size: size)
    } catch {
      switch error {
      case .missing(let reason): throw .noPictures(reason: reason)
      case .refused: throw .bug("\(PictureLibrary.file) cannot render figure \(figure.name)")
      }
    }
  }
}
