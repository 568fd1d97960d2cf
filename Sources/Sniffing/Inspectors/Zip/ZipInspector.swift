internal import Formats
internal import ShareModel

/// What a zip archive is, by its directory and the few entries that describe the whole: each of ``parts`` names the
/// specification that it follows. An archive of which nothing is known stays one.
struct ZipInspector: Inspector {
    let starts: Set<MediaType> = ["application/zip"]
    let concludes = parts.reduce(into: Set<MediaType>()) { $0.formUnion($1.concludes) }

    /// In the order in which they are asked: what an archive says of itself comes before the names in it.
    static let parts: [any ZipPart] = [
        DeclaredZipPart(), OPCZipPart(), IWorkZipPart(), AppZipPart(), PictureZipPart(), NamedZipPart(),
    ]

    func inspect(_ sample: Sample) throws -> Finding? {
        guard let directory = try ZipDirectory(sample.content) else { return nil }
        let archive = ZipArchive(directory: directory, content: sample.content)
        for part in Self.parts {
            if var finding = try part.inspect(archive) {
                // Types that one part cannot tell apart.
                if finding.confidence == .guessed { sample.possible = part.concludes }
                if !directory.isCentral { finding.confidence = min(finding.confidence, .likely) }
                return finding
            }
        }
        sample.possible = PictureZipPart.possible(archive).union(IWorkZipPart.possible(archive))
        return nil
    }
}

/// One family of archives.
protocol ZipPart: Sendable {
    /// The types that it can give.
    var concludes: Set<MediaType> { get }

    /// What the archive is; `nil` where it is nothing of this family.
    ///
    /// - Throws: when the content cannot be read.
    func inspect(_ archive: ZipArchive) throws -> Finding?
}

/// An archive whose directory is known.
struct ZipArchive {
    let directory: ZipDirectory
    let content: ContentBytes

    /// Whether there is an entry of this name, in lower case.
    func has(_ name: StaticString) -> Bool { directory.entry(name) != nil }

    /// Whether an entry's name begins and ends so, in lower case.
    func has(prefix: StaticString, suffix: StaticString = "") -> Bool {
        directory.entry(prefix: prefix, suffix: suffix) != nil
    }

    /// The first bytes of an entry, unpacked; `nil` where there is no such entry, or it cannot be unpacked.
    func bytes(_ name: StaticString, limit: Int) throws -> [UInt8]? {
        guard let entry = directory.entry(name) else { return nil }
        return try directory.bytes(of: entry, in: content, limit: limit)
    }
}
