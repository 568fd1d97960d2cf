import CVips
import Foundation
import SinkKit
import SinkTools

/// A picture in a regular file, read by libvips. The class owns the file's descriptor.
///
/// Libvips gets the descriptor, not the path, because it would parse a path that ends in `[…]` as options.
final class ImageFile {
    /// The longest side of a thumbnail, in pixels.
    static let longestSide: Int32 = 256
    /// The longest part of libvips' messages in an answer, in bytes.
    static let maximumProblemBytes = 500

    private let descriptor: Int32

    /// The values in a picture's header.
    struct Header: Equatable {
        /// The width in pixels, after the orientation is applied.
        var width: Int
        var height: Int
        /// The EXIF orientation as stored, 1 to 8.
        var orientation: Int
        /// The number of frames of an animation, or of pages of a TIFF; at least 1.
        var pages: Int
        /// Whether the reader streams the pixels instead of holding them all in memory.
        var streams: Bool
        /// Whether the colors are those of sRGB, or gray, and no profile says more.
        var isPlainSRGB: Bool
        var format: String
    }

    /// A thumbnail, with the problem of a damaged picture.
    struct Thumbnail {
        var product: Product
        var problem: String?
    }

    /// The reason why libvips cannot read a picture.
    enum Trouble: Error, CustomStringConvertible {
        /// No trusted reader supports the format.
        case noReader
        /// A reader supports the format, but not this variant of it; libvips' message.
        case unsupported(String)
        /// Reading failed; libvips' message.
        case failed(String)

        var description: String {
            switch self {
            case .noReader: "no reader knows the format"
            case .unsupported(let problem), .failed(let problem): problem
            }
        }
    }

    /// Initializes libvips, once in the process.
    static func start() throws {
        do {
            try call { cvips_start(ImageImport.id, $0, $1) }
        } catch {
            throw SinkFailure(.permanent, "libvips does not start: \(error); reinstall it")
        }
    }

    /// - Throws: ``SinkFailure`` if the file itself cannot be opened, which says nothing about the picture in it.
    init(_ path: String) throws {
        descriptor = try openRegularFile(path)
    }

    deinit {
        close(descriptor)
    }

    /// - Throws: ``Trouble``.
    func header() throws -> Header {
        var read = CVipsHeader()
        try Self.call { cvips_header(descriptor, &read, $0, $1) }
        // EXIF orientations from 5 on swap width and height.
        let turned = read.orientation >= 5
        return Header(
            width: Int(turned ? read.height : read.width), height: Int(turned ? read.width : read.height),
            orientation: Int(read.orientation), pages: Int(max(1, read.pages)), streams: read.streams,
            isPlainSRGB: read.is_plain_srgb, format: String(cString: read.format))
    }

    /// Writes a thumbnail into the folder `out`. If the picture is damaged, the thumbnail shows the readable part.
    ///
    /// - Parameter header: the picture's.
    /// - Throws: ``Trouble`` if no part is readable.
    func thumbnail(_ header: Header, in out: String) throws -> Thumbnail {
        do {
            return Thumbnail(product: try makeThumbnail(header, in: out, strict: true))
        } catch {
            // Libvips takes the small picture inside of the file, if there is one. It may be broken, and the picture whole.
            if ["heif", "avif"].contains(header.format),
                let product = try? makeThumbnail(header, in: out, strict: true, whole: true)
            {
                return Thumbnail(product: product)
            }
            return Thumbnail(product: try makeThumbnail(header, in: out, strict: false), problem: "\(error)")
        }
    }

    /// The largest block of EXIF that is read, in bytes.
    static let maximumEXIF = 1 << 20

    /// The block of EXIF as libvips finds it; `nil` if there is none.
    var exif: [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.maximumEXIF) { buffer, count in
            count = cvips_exif(descriptor, buffer.baseAddress, buffer.count)
        }
        return bytes.isEmpty ? nil : bytes
    }

    private func makeThumbnail(_ header: Header, in out: String, strict: Bool, whole: Bool = false) throws -> Product {
        var isPNG = false
        // Libvips' messages contain these paths. The folder of one delivery means nothing later, so it is left out.
        try Self.call(leavingOut: out + "/") { error, size in
            cvips_thumbnail(
                descriptor, Self.longestSide, header.isPlainSRGB, strict, whole, out + "/thumbnail.jpg",
                out + "/thumbnail.png",
                &isPNG, error, size)
        }
        return Product(
            path: isPNG ? "thumbnail.png" : "thumbnail.jpg", role: "thumbnail",
            type: isPNG ? "image/png" : "image/jpeg")
    }

    /// Writes the bare pixels of the picture, made to fit into a box, to the file `pixels` in the folder `out`.
    ///
    /// - Returns: the picture's size in the box, and the product.
    /// - Throws: ``Trouble``.
    func pixels(fitting box: PixelBox, in out: String) throws -> (size: PixelBox, product: Product) {
        var (width, height) = (box.width, box.height)
        try Self.call(leavingOut: out + "/") { cvips_pixels(descriptor, &width, &height, out + "/pixels", $0, $1) }
        return (
            PixelBox(width: width, height: height),
            Product(path: "pixels", role: "pixels", type: "application/octet-stream")
        )
    }

    /// - Parameter folder: a text that is removed from libvips' messages.
    private static func call(
        leavingOut folder: String? = nil, _ body: (UnsafeMutablePointer<CChar>?, Int) -> CVipsOutcome
    ) throws {
        var error = [CChar](repeating: 0, count: maximumProblemBytes)
        switch error.withUnsafeMutableBufferPointer({ body($0.baseAddress, $0.count) }) {
        case CVipsDone: return
        case CVipsNoReader: throw Trouble.noReader
        default: throw trouble(folder.map { text(error).replacing($0, with: "") } ?? text(error))
        }
    }

    private static func trouble(_ problem: String) -> Trouble {
        if problem.isEmpty { return .failed("its picture data is broken") }
        // These are the names of libheif's three errors for unsupported variants.
        let unsupported = ["Unsupported file-type", "Unsupported feature", "Unsupported codec"]
        return unsupported.contains { problem.contains($0) } ? .unsupported(problem) : .failed(problem)
    }

    /// Joins libvips' messages, one on each line, each once. The buffer's end may cut a character; decoding then replaces it.
    private static func text(_ error: [CChar]) -> String {
        let bytes = error.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        var messages: [Substring] = []
        for message in String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        where !messages.contains(message) {
            // The writer of the thumbnail reports that the reader gave it no pixels. A disk without room has a message of its
            // own.
            if !message.contains("unable to write to target") { messages.append(message) }
        }
        return messages.joined(separator: "; ")
    }
}
