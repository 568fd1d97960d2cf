internal import Formats
internal import ShareModel

/// Recognizes the type of a zip archive by its directory, and by the few entries that describe the whole archive. Each
/// of ``parts`` names its specification. An archive of an unknown type stays a zip archive.
struct ZipInspector: Inspector {
    let starts: Set<MediaType> = ["application/zip"]
    let concludes = parts.reduce(into: Set<MediaType>()) { $0.formUnion($1.concludes) }

    /// The parts in the order in which they are tried. An archive's own declaration has precedence over the names in
    /// it.
    static let parts: [any ZipPart] = [
        DeclaredZipPart(), OPCZipPart(), IWorkZipPart(), AppZipPart(), PictureZipPart(), NamedZipPart(),
    ]

    func inspect(_ sample: Sample) throws -> Finding? {
        guard let directory = try sample.zipDirectory() else { return nil }
        let archive = ZipArchive(directory: directory, content: sample.content)
        for part in Self.parts {
            if var finding = try part.inspect(archive) {
                // The part cannot distinguish these types, so a claim may decide.
                if finding.confidence == .guessed { sample.possible = part.concludes }
                // Local headers can be leftovers, so they are weaker evidence.
                if !directory.isCentral { finding.confidence = min(finding.confidence, .likely) }
                return finding
            }
        }
        sample.possible = PictureZipPart.possible(archive).union(IWorkZipPart.possible(archive))
        return nil
    }
}

/// Recognizes one family of archives.
protocol ZipPart: Sendable {
    /// The types that the part can conclude.
    var concludes: Set<MediaType> { get }

    /// The type of the archive; `nil` if it is not of this family.
    ///
    /// - Throws: an error if the content cannot be read.
    func inspect(_ archive: ZipArchive) throws -> Finding?
}

/// An archive with its directory.
struct ZipArchive {
    let directory: ZipDirectory
    let content: ContentBytes

    /// Whether there is an entry with this name, which must be in lower case.
    func has(_ name: StaticString) -> Bool { directory.entry(name) != nil }

    /// Whether there is an entry with this prefix and suffix, which must be in lower case.
    func has(prefix: StaticString, suffix: StaticString = "") -> Bool {
        directory.entry(prefix: prefix, suffix: suffix) != nil
    }

    /// The first bytes of an entry, decompressed; `nil` if there is no such entry, or if it cannot be decompressed.
    func bytes(_ name: StaticString, limit: Int) throws -> [UInt8]? {
        guard let entry = directory.entry(name) else { return nil }
        return try directory.bytes(of: entry, in: content, limit: limit)
    }
}
