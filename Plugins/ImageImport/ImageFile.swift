import CVips
import Foundation
import SinkKit

/// A picture in a regular file, as libvips reads it. Owns the file's descriptor.
///
/// Libvips gets the descriptor, not the path: it would take a name that ends in `[…]` for options.
final class ImageFile {
    /// The longest side of a thumbnail, in pixels.
    static let longestSide: Int32 = 256
    /// What is kept of libvips' words, in bytes.
    static let maximumProblemBytes = 500

    private let descriptor: Int32

    /// What a picture's header says.
    struct Header: Equatable {
        /// In pixels, with the orientation applied.
        var width: Int
        var height: Int
        /// EXIF's orientation as it was stored: 1 to 8.
        var orientation: Int
        /// Frames of an animation, pages of a TIFF; at least 1.
        var pages: Int
        /// Whether the reader can let the pixels stream by.
        var streams: Bool
        var format: String
    }

    /// What was made, and what was wrong with the picture's pixels, where something was.
    struct Thumbnail {
        var product: Product
        var problem: String?
    }

    /// Why libvips does not read the picture.
    enum Trouble: Error, CustomStringConvertible {
        /// No trusted reader knows the format.
        case noReader
        /// A reader knows the format, but not this kind of it. In libvips' words.
        case unsupported(String)
        /// In libvips' words.
        case failed(String)

        var description: String {
            switch self {
            case .noReader: "no reader knows the format"
            case .unsupported(let problem), .failed(let problem): problem
            }
        }
    }

    /// Readies libvips, once for the process.
    static func start() throws {
        do {
            try call { cvips_start(ImageImport.id, $0, $1) }
        } catch {
            throw SinkFailure(.permanent, "libvips does not start: \(error); reinstall it")
        }
    }

    /// - Throws: ``SinkFailure`` where the file itself cannot be opened: that says nothing about the picture.
    init(_ path: String) throws {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw SinkFailure(.transient, "\(path) cannot be opened: \(String(cString: strerror(errno)))")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw SinkFailure(.permanent, "\(path) is not a regular file")
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// - Throws: ``Trouble``.
    func header() throws -> Header {
        var read = CVipsHeader()
        try Self.call { cvips_header(descriptor, &read, $0, $1) }
        // From 5 on, EXIF's orientations swap the sides.
        let turned = read.orientation >= 5
        return Header(
            width: Int(turned ? read.height : read.width), height: Int(turned ? read.width : read.height),
            orientation: Int(read.orientation), pages: Int(max(1, read.pages)), streams: read.streams,
            format: String(cString: read.format))
    }

    /// Makes a thumbnail in the folder `out`; of a damaged picture, of what can be read.
    ///
    /// - Throws: ``Trouble`` where not even that works.
    func thumbnail(in out: String) throws -> Thumbnail {
        do {
            return Thumbnail(product: try makeThumbnail(in: out, strict: true))
        } catch {
            return Thumbnail(product: try makeThumbnail(in: out, strict: false), problem: "\(error)")
        }
    }

    private func makeThumbnail(in out: String, strict: Bool) throws -> Product {
        var isPNG = false
        try Self.call { error, size in
            cvips_thumbnail(
                descriptor, Self.longestSide, strict, out + "/thumbnail.jpg", out + "/thumbnail.png", &isPNG, error,
                size)
        }
        return Product(
            path: isPNG ? "thumbnail.png" : "thumbnail.jpg", role: "thumbnail",
            type: isPNG ? "image/png" : "image/jpeg")
    }

    private static func call(_ body: (UnsafeMutablePointer<CChar>?, Int) -> CVipsOutcome) throws {
        var error = [CChar](repeating: 0, count: maximumProblemBytes)
        switch error.withUnsafeMutableBufferPointer({ body($0.baseAddress, $0.count) }) {
        case CVipsDone: return
        case CVipsNoReader: throw Trouble.noReader
        default: throw trouble(text(error))
        }
    }

    private static func trouble(_ problem: String) -> Trouble {
        if problem.isEmpty { return .failed("the reader gives up without a reason") }
        // Libheif's names for its three errors of this kind.
        let unsupported = ["Unsupported file-type", "Unsupported feature", "Unsupported codec"]
        return unsupported.contains { problem.contains($0) } ? .unsupported(problem) : .failed(problem)
    }

    /// Libvips puts one complaint on a line; the cut may have split a character, which is then replaced.
    private static func text(_ error: [CChar]) -> String {
        let bytes = error.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").joined(separator: "; ")
    }
}
