internal import Formats
internal import GroupContainer
internal import ShareModel
internal import Sniffing
internal import Unpacking

/// Brings a candidate's bytes into the staging area, in one pass and fixed memory, and says what they are.
final class Stager {
    private let area: StagingArea
    private let sniffer: any ContentSniffer
    private let meter: ProgressMeter
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 4096)

    init(area: StagingArea, sniffer: any ContentSniffer, meter: ProgressMeter) {
        self.area = area
        self.sniffer = sniffer
        self.meter = meter
    }

    deinit { buffer.deallocate() }

    /// Opens the candidate, once, and takes all of it.
    ///
    /// - Throws: ``UnpackingError`` where the source is at fault, another error where the container or the run is.
    func stage(_ candidate: Candidate, claims: TypeClaims, opener: SourceOpener) throws -> StagedContent {
        let file = try area.makeFile()
        var isBundle = false
        switch candidate.content {
        case .bytes(let bytes): try bytes.withUnsafeBytes { try append($0, to: file) }
        case .file(let reference):
            switch try opener.open(reference) {
            case .file(let source): try copy(source, to: file)
            case .bundle(let bundle):
                isBundle = true
                try bundle.pack { try append($0, to: file) }
            }
        }
        return try conclude(file, candidate, isBundle: isBundle, claims: claims)
    }

    private func conclude(_ file: StagingFile, _ candidate: Candidate, isBundle: Bool, claims: TypeClaims) throws
        -> StagedContent
    {
        let content = ContentBytes(descriptor: file.descriptor.rawValue, size: file.size)
        let identification = try identify(content, candidate, isBundle: isBundle, claims: claims)
        let imageSize = ContentClass(of: identification.type) == .image ? try ImageSize(content) : nil
        return StagedContent(
            object: file.finish(), identification: identification, isBundle: isBundle, imageSize: imageSize)
    }

    /// Takes bytes at hand, such as a package's manifest.
    func stage(_ bytes: [UInt8]) throws -> StagedObject {
        let file = try area.makeFile()
        try bytes.withUnsafeBytes { try file.append($0) }
        return file.finish()
    }

    /// Takes a file that a sink made, of at most `limit` bytes: a larger one is not read.
    func stage(product: FileReference, limit: Int64, claims: TypeClaims, opener: SourceOpener) throws -> StagedContent {
        guard case .file(let source) = try opener.open(product) else {
            throw UnpackingError(.refused, "\(product.text) is a folder; a product is one file")
        }
        guard source.size <= limit else {
            throw UnpackingError(.limit, "\(product.text) is larger than \(limit) bytes")
        }
        let file = try area.makeFile()
        try copy(source, to: file)
        return try conclude(file, Candidate(file: product), isBundle: false, claims: claims)
    }

    private func copy(_ source: borrowing OpenedFile, to file: StagingFile) throws {
        while true {
            let count = try source.read(into: buffer)
            guard count > 0 else { break }
            try append(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: file)
            // One that grows as fast as it is read would never end.
            if source.size > 0, file.size > source.size { break }
        }
        try source.checkUnchanged(afterReading: file.size)
    }

    private func append(_ bytes: UnsafeRawBufferPointer, to file: StagingFile) throws {
        try Task.checkCancellation()
        try file.append(bytes)
        meter.add(bytes: bytes.count)
    }

    private func identify(_ content: ContentBytes, _ candidate: Candidate, isBundle: Bool, claims: TypeClaims) throws
        -> Identification
    {
        if candidate.form == .link {
            return Identification(
                type: .uriList, confidence: .certain, evidence: [Evidence("form", candidate.why ?? "sent as a link")])
        }
        // Claims about a document folder are not claims about the archive that it is packed in.
        let claims = isBundle ? TypeClaims() : claims
        var identification = try sniffer.identify(content, claims: claims)
        if candidate.form == .text, identification.type == .unknown {
            identification = Identification(
                type: .plainText, confidence: .guessed, evidence: [Evidence("form", "sent as text")])
        }
        if let warning = candidate.warning { identification.warnings.append(warning) }
        if isBundle {
            identification.warnings.append("a folder, packed as one archive; unpack it to open the document")
        }
        return identification
    }
}

/// A candidate's bytes in the staging area.
struct StagedContent {
    let object: StagedObject
    let identification: Identification
    /// A folder that was packed.
    let isBundle: Bool
    /// As the header states it; `nil` where it is no image, or one whose header is not read.
    let imageSize: ImageSize?
}
