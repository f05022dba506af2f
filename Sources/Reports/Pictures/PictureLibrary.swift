internal import CRsvg

/// The library that renders drawings as PNG images. It is loaded at run time because only PNG files need it.
///
/// The pixels depend on the version of the library and on the fonts installed on the machine.
package struct PictureLibrary {
  /// The reason why a picture cannot be rendered.
  package enum Problem: Error, Hashable, Sendable {
    /// The library cannot be loaded, or it lacks a function that the program needs.
    case missing(reason: String)
    /// The library rejected the drawing.
    case refused
  }

  /// The file name of the library, and the name of the Debian package that contains it.
  package static let file = "librsvg-2.so.2"
  package static let package = "librsvg2-2"

  private let read: WFReadPicture
  private let render: WFRenderPicture
  private let unreference: WFRelease
  private let createSurface: WFCreateSurface
  private let destroySurface: WFRelease
  private let createContext: WFCreateContext
  private let destroyContext: WFRelease
  private let writePNG: WFWritePNG

  /// - Parameter name: the name of the library file, with or without a path.
  package init(opening name: String = PictureLibrary.file) throws(Problem) {
    guard let handle = dlopen(name, RTLD_NOW) else { throw Self.missing() }
    read = try Self.call("rsvg_handle_new_from_data", handle, WFReadPicture.self)
    render = try Self.call("rsvg_handle_render_document", handle, WFRenderPicture.self)
    // The library's handle also gives access to the functions of other libraries that it links.
    unreference = try Self.call("g_object_unref", handle, WFRelease.self)
    createSurface = try Self.call("cairo_image_surface_create", handle, WFCreateSurface.self)
    destroySurface = try Self.call("cairo_surface_destroy", handle, WFRelease.self)
    createContext = try Self.call("cairo_create", handle, WFCreateContext.self)
    destroyContext = try Self.call("cairo_destroy", handle, WFRelease.self)
    writePNG = try Self.call("cairo_surface_write_to_png_stream", handle, WFWritePNG.self)
  }

  /// Returns a drawing as a PNG image.
  ///
  /// - Parameter svg: a complete SVG document.
  /// - Parameter size: the size in pixels, at most 16 384 in each dimension.
  package func png(of svg: [UInt8], size: (width: Int, height: Int)) throws(Problem) -> [UInt8] {
    guard (1...16_384).contains(size.width), (1...16_384).contains(size.height),
      let picture = read(svg, UInt(svg.count), nil)
    else { throw .refused }
    defer { unreference(picture) }
    guard let surface = createSurface(Int32(WF_ARGB32), Int32(size.width), Int32(size.height)) else { throw .refused }
    defer { destroySurface(surface) }
    guard let context = createContext(surface) else { throw .refused }
    defer { destroyContext(context) }
    var place = WFRectangle(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    guard render(picture, context, &place, nil) != 0 else { throw .refused }
    var bytes: [UInt8] = []
    let status = withUnsafeMutablePointer(to: &bytes) { taker in
      writePNG(
        surface,
        { taker, bytes, count in
          taker?.assumingMemoryBound(to: [UInt8].self).pointee += UnsafeBufferPointer(start: bytes, count: Int(count))
          return 0
        }, taker)
    }
    guard status == 0, !bytes.isEmpty else { throw .refused }
    return bytes
  }

  private static func call<Call>(
    _ name: String, _ handle: UnsafeMutableRawPointer, _: Call.Type
  ) throws(Problem) -> Call {
    guard let address = dlsym(handle, name) else { throw missing() }
    return unsafeBitCast(address, to: Call.self)
  }

  private static func missing() -> Problem {
    .missing(reason: dlerror().map { String(cString: $0) } ?? "it cannot be opened")
  }
}
