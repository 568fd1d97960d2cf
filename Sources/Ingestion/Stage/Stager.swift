internal import Files
internal import Formats
internal import GroupContainer
internal import Reading
internal import ShareModel
internal import Sniffing

/// Copies a candidate's bytes into the staging area and identifies them, in one pass and in fixed memory.
final class Stager {
    let area: any StagingArea
    private let sniffer: any ContentSniffer
    private let meter: ProgressMeter
    let known: KnownContent?
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 4096)

    /// - Parameter known: the content that needs no room; `nil` if all content does.
    init(area: any StagingArea, sniffer: any ContentSniffer, meter: ProgressMeter, known: KnownContent? = nil) {
        self.area = area
        self.known = known
        self.sniffer = sniffer
        self.meter = meter
    }

    deinit { buffer.deallocate() }

    /// Opens the candidate once and stages all of it.
    ///
    /// - Throws: ``ReadingError`` if the source is at fault, and another error if the container or the run is. That
    ///   error is a ``ContainerError`` with the code `tooLarge` if this content has no room, and other content has.
    func stage(_ candidate: Candidate, claims: TypeClaims, opener: SourceOpener) throws -> StagedContent {
        switch candidate.content {
        case .bytes(let bytes): return try stage(bytes, candidate, claims: claims)
        case .part(let part): return try stage(try opener.open(part), candidate, claims: claims)
        case .file(let reference):
            switch try opener.open(reference) {
            case .file(let source): return try stage(source, candidate, claims: claims)
            case .bundle(let bundle): return try stage(bundle, candidate, claims: claims)
            }
        }
    }

    /// Stages bytes in memory, such as a package's manifest.
    func stage(_ bytes: [UInt8]) throws -> StagedObject {
        try bytes.withUnsafeBytes { bytes in
            let digest = Digest(of: bytes)
            do {
                return try sparing(area.stage(bytes, digest: digest))
            } catch  where error.isFullDisk {
                guard let stored = try known?.object(digest, size: Int64(bytes.count)) else { throw error }
                return stored
            }
        }
    }

    /// Stages a file that a sink made. The sink can still enlarge it.
    ///
    /// - Parameter size: the size that the host has checked, in bytes. A file of another size is refused. At most one
    ///   piece of a copy more is written, even if the file grows meanwhile.
    func stage(product: FileReference, size: Int64, claims: TypeClaims, opener: SourceOpener) throws -> StagedContent {
        guard case .file(let source) = try opener.open(product) else {
            throw ReadingError(.refused, "\(product.text) is a folder; a product is one file")
        }
        guard source.size == size else {
            throw ReadingError(
                .changed,
                "\(product.text) had \(size) bytes and now has \(source.size); a sink must not change a product after its "
                    + "answer")
        }
        // For the other sources, the size 0 means "unknown". This file would be read for as long as the sink writes.
        guard size > 0 else { return try stage([], Candidate(file: product), claims: claims) }
        return try stage(source, Candidate(file: product), claims: claims)
    }

    /// Stages an open file, from its beginning.
    func stage(_ source: borrowing OpenedFile, _ candidate: Candidate, claims: TypeClaims) throws
        -> StagedContent
    {
        // A file that fits into the buffer is identified and hashed there, then written once. A file of `/proc` states
        // size 0; it is whole if it ends before the buffer is full.
        let count = try source.size <= buffer.count ? fill(from: source) : 0
        let isWhole = count < buffer.count && source.size <= buffer.count || Int64(count) == source.size
        guard isWhole else {
            do {
                return try stageInPieces(source, after: buffer[..<count], candidate, claims: claims)
            } catch  where error.isFullDisk {
                return try findStored(source, candidate, claims: claims, after: error)
            }
        }
        let bytes = Array(buffer[..<count])
        let stamp = try stamp(of: source, afterReading: Int64(bytes.count), digest: Digest(of: bytes))
        try source.payload?.check(bytes)
        var content = try stage(bytes, candidate, claims: claims)
        content.setTimes(of: source, stamp)
        return content
    }

    /// Stages a part. A part that fits into the buffer is identified and hashed there.
    private func stage(_ part: consuming OpenedPart, _ candidate: Candidate, claims: TypeClaims) throws -> StagedContent
    {
        var count = try fill(from: part)
        guard count == buffer.count else { return try stage(Array(buffer[..<count]), candidate, claims: claims) }
        // The container's own statement of the size may be false, so no room is reserved by it.
        let file = try area.makeFile()
        while count > 0 {
            try append(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: file)
            count = try fill(from: part)
        }
        return try conclude(file, file.finish(), candidate, isBundle: false, claims: claims)
    }

    /// Packs a folder as one archive.
    private func stage(_ bundle: borrowing Bundle, _ candidate: Candidate, claims: TypeClaims) throws -> StagedContent {
        let size = try bundle.packedSize()
        do {
            let file = try area.makeFile(expecting: size)
            try bundle.pack { try append($0, to: file) }
            return try conclude(file, file.finish(), candidate, isBundle: true, claims: claims)
        } catch  where error.isFullDisk {
            return try findStored(size, candidate, isBundle: true, claims: claims, after: error) { body in
                // The type of an archive is at its beginning.
                var head: [UInt8] = []
                try bundle.pack { bytes in
                    head += bytes.prefix(buffer.count - head.count)
                    try body(bytes)
                }
                return ContentBytes(head)
            }
        }
    }

    private func fill(from part: borrowing OpenedPart) throws -> Int {
        var count = 0
        while count < buffer.count {
            let read = try part.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
            guard read > 0 else { break }
            count += read
        }
        return count
    }

    /// Stages content that is in memory as a whole: identifies it, hashes it, and writes it once.
    private func stage(_ bytes: [UInt8], _ candidate: Candidate, claims: TypeClaims) throws -> StagedContent {
        try Task.checkCancellation()
        let content = ContentBytes(bytes)
        let identification = try identify(content, candidate, isBundle: false, claims: claims)
        let size = try imageSize(content, identification)
        let staged = StagedContent(
            object: try stage(bytes), identification: identification, isBundle: false, imageSize: size)
        meter.add(bytes: bytes.count)
        return staged
    }

    /// Fills the buffer with as many bytes as the file states, or with all of them if it states size 0.
    ///
    /// - Returns: the number of bytes.
    private func fill(from source: borrowing OpenedFile) throws -> Int {
        var count = 0
        // If the file has grown, its stamp shows it afterwards.
        while count < buffer.count, source.size == 0 || count < source.size {
            let read = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
            guard read > 0 else { break }
            count += read
        }
        return count
    }

    private func stageInPieces(
        _ source: borrowing OpenedFile, after first: Slice<UnsafeMutableRawBufferPointer>, _ candidate: Candidate,
        claims: TypeClaims
    ) throws -> StagedContent {
        let file = try area.makeFile(expecting: source.size)
        let object = try file.take(source.descriptor, after: UnsafeRawBufferPointer(rebasing: first)) { buffer in
            try source.read(into: buffer)
        } _: { count in
            try Task.checkCancellation()
            meter.add(bytes: count)
            // The copy of a file that grows as fast as it is read would never end.
            if source.size > 0, file.size > source.size { try source.checkUnchanged(afterReading: file.size) }
        }
        let stamp: SourceStamp?
        do {
            stamp = try self.stamp(of: source, afterReading: file.size, digest: object.digest)
            try source.payload?.check(object.digest) { body in try read(file, body) }
        } catch {
            object.discard()
            throw error
        }
        // This discards the object by itself.
        var content = try conclude(file, object, candidate, isBundle: false, claims: claims)
        content.setTimes(of: source, stamp)
        return content
    }

    /// Makes sure that the staged bytes are those of the file.
    ///
    /// A sender may move or remove a file while it is read, and then no later run finds it. So a file of which only the
    /// time of change is another one is read a second time, by the open descriptor.
    ///
    /// - Parameter digest: the SHA-256 of the staged bytes.
    /// - Returns: the stamp by which a later run can recognize the file; `nil` if it says too little.
    /// - Throws: with code `changed` if the file has other bytes now.
    func stamp(of source: borrowing OpenedFile, afterReading count: Int64, digest: @autoclosure () -> Digest)
        throws -> SourceStamp?
    {
        if case .unchanged(let stamp) = try source.trace(afterReading: count) { return stamp }
        try source.rewind()
        let hasher = SHA256Hasher()
        var total: Int64 = 0
        while total <= count, case let read = try source.read(into: buffer), read > 0 {
            try Task.checkCancellation()
            hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<read]))
            total += Int64(read)
        }
        guard hasher.finish() == digest() else { throw source.changed }
        return nil
    }

    /// Passes the bytes of a staged file on.
    private func read(_ file: any StagingFile, _ body: (UnsafeRawBufferPointer) -> Void) throws {
        var offset: Int64 = 0
        while case let count = try file.descriptor.read(fromAbsoluteOffset: offset, into: buffer), count > 0 {
            try Task.checkCancellation()
            body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += Int64(count)
        }
    }

    /// Concludes the type of a staged object. Discards the object if that fails.
    private func conclude(
        _ file: any StagingFile, _ object: StagedObject, _ candidate: Candidate, isBundle: Bool, claims: TypeClaims
    ) throws -> StagedContent {
        do {
            let content = ContentBytes(descriptor: file.descriptor.rawValue, size: file.size)
            let identification = try identify(content, candidate, isBundle: isBundle, claims: claims)
            let size = try imageSize(content, identification)
            return StagedContent(
                object: try sparing(object), identification: identification, isBundle: isBundle, imageSize: size)
        } catch {
            object.discard()
            throw error
        }
    }

    func imageSize(_ content: ContentBytes, _ identification: Identification) throws -> ImageSize? {
        ContentClass(of: identification.type) == .image ? try ImageSize(content) : nil
    }

    private func append(_ bytes: UnsafeRawBufferPointer, to file: any StagingFile) throws {
        try Task.checkCancellation()
        try file.append(bytes)
        meter.add(bytes: bytes.count)
    }

    func identify(_ content: ContentBytes, _ candidate: Candidate, isBundle: Bool, claims: TypeClaims) throws
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
    /// Whether the content is a folder, packed as a tar.
    let isBundle: Bool
    /// The size that the image's header states; `nil` for other content, and for images whose header is not read.
    let imageSize: ImageSize?
    /// The stamp of the file that the content comes from, which did not change meanwhile; `nil` for other content.
    var stamp: SourceStamp?
    /// The time of the last change of that file's content; `nil` for other content.
    private(set) var modified: Timestamp?

    /// A file that was only moved or got other permissions has no stamp, and still its time.
    mutating func setTimes(of source: borrowing OpenedFile, _ stamp: SourceStamp?) {
        self.stamp = stamp
        modified = stamp.map { Timestamp(nanoseconds: $0.modified) } ?? source.modified
    }
}
