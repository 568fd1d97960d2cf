import SinkKit
import SinkTools

/// Reads the upright size, the format, the number of frames and the words of a picture, and creates a thumbnail.
///
/// The words are the values of EXIF, IPTC and XMP, also those of sidecars. Exiv2 reads them even in many formats that
/// the sink cannot draw.
///
/// A picture that cannot be read counts as delivered, because the container keeps the content anyway. In its metadata,
/// `readable` is false and `problem` has the reason; `damaged` is true if its bytes are broken. The sink cannot read:
/// - formats with readers that libvips does not trust with hostile input, above all SVG. The SVG renderer itself is
///   safe, but it passes embedded pictures to decoders that are not.
/// - camera raw files that look like TIFF. Libvips would find a preview first, whose size is not the size of the
///   picture.
struct ImageImport: Sink {
    static let id = "image-import"
    static let version = "0.1.0"

    mutating func configure(_ configuration: JSONValue) throws {
        try ImageFile.start()
        PictureTags.start()
    }

    mutating func deliver(_ delivery: Delivery, report: Report) throws -> Settlement {
        let (part, path) = try delivery.contentFile(for: Self.id)
        let file = try ImageFile(path)
        let sidecars = delivery.parts.filter { $0.role == .sidecar }.compactMap(\.path)
        let words = PictureWords(path, sidecars: sidecars) { file.exif }.metadata
        return try describe(file, part, report, delivery).adding(words)
    }

    private func describe(
        _ file: ImageFile, _ part: Delivery.Part, _ report: Report, _ delivery: Delivery
    ) throws -> Settlement {
        let header: ImageFile.Header
        do {
            header = try file.header()
        } catch ImageFile.Trouble.noReader {
            return unreadable("libvips has no reader for \(part.type) that it trusts with hostile input")
        } catch ImageFile.Trouble.unsupported(let problem) {
            return unreadable(problem)
        } catch ImageFile.Trouble.failed(let problem) {
            return .delivered(metadata: [
                "readable": .bool(false), "damaged": .bool(true), "problem": .string(problem),
            ])
        }
        if header.format == "tiff", !part.type.hasPrefix("image/tiff") {
            return unreadable("libvips reads \(part.type) as TIFF, and would find only its preview")
        }
        try report.progress()
        return thumbnail(of: file, header, out: delivery.out)
    }

    private func unreadable(_ problem: String) -> Settlement {
        .delivered(metadata: ["readable": .bool(false), "problem": .string(problem)])
    }

    private func thumbnail(of file: ImageFile, _ header: ImageFile.Header, out: String) -> Settlement {
        var metadata = header.metadata
        if let tooLarge = PixelLimits.refusal(of: header) {
            metadata["no_thumbnail"] = .string(tooLarge)
            return .delivered(metadata: .object(metadata))
        }
        do {
            let thumbnail = try file.thumbnail(header, in: out)
            metadata["damaged"] = .bool(thumbnail.problem != nil)
            metadata["problem"] = thumbnail.problem.map { .string($0) }
            return .delivered(metadata: .object(metadata), products: [thumbnail.product])
        } catch {
            if case ImageFile.Trouble.unsupported = error {} else { metadata["damaged"] = .bool(true) }
            metadata["problem"] = .string("\(error)")
            return .delivered(metadata: .object(metadata))
        }
    }
}

extension ImageFile.Header {
    fileprivate var metadata: [String: JSONValue] {
        var all: [String: JSONValue] = [
            "readable": .bool(true), "format": .string(format),
            "width": .integer(Int64(width)), "height": .integer(Int64(height)),
        ]
        if orientation != 1 { all["orientation"] = .integer(Int64(orientation)) }
        if pages > 1 { all[format == "tiff" ? "pages" : "frames"] = .integer(Int64(pages)) }
        return all
    }
}

extension Settlement {
    /// The settlement with more metadata; what it has already stays.
    fileprivate func adding(_ words: [String: JSONValue]) -> Settlement {
        guard case .delivered(.object(let found), let products) = self else { return self }
        return .delivered(metadata: .object(found.merging(words) { old, _ in old }), products: products)
    }
}
