internal import Formats
internal import ShareModel

/// Recognizes documents of Apple's Pages, Numbers and Keynote.
///
/// Apple publishes no specification of the present format. It is an archive of `Index/*.iwa`, each a Snappy frame of
/// messages. The first message in `Index/Document.iwa` has the number of the application's document: 10000 in Pages, 1
/// in the others. Only Keynote has slides.
///
/// The format of 2009 is XML with a root element for each application ("iWork '09" programming guide: `sl:document`,
/// `ls:document`, `key:presentation`).
struct IWorkZipPart: ZipPart {
    private static let pages: MediaType = "application/vnd.apple.pages"
    private static let numbers: MediaType = "application/vnd.apple.numbers"
    private static let keynote: MediaType = "application/vnd.apple.keynote"

    /// The part of the XML format that is read for its root element, in bytes.
    private static let rootLimit = 4 << 10
    private static let pagesDocument = 10_000

    let concludes: Set<MediaType> = [pages, numbers, keynote]

    func inspect(_ archive: ZipArchive) throws -> Finding? {
        if archive.has(prefix: "index/", suffix: ".iwa") { return try present(archive) }
        if archive.has("index.apxl") || archive.has("index.apxl.gz") {
            return Finding(Self.keynote, Evidence("zip", "entry index.apxl"))
        }
        return try old(archive) ?? folder(archive)
    }

    /// The types that a file name may give to the format of 2013. It has an inner archive, which is not read.
    static func possible(_ archive: ZipArchive) -> Set<MediaType> {
        if archive.has("index.zip"), archive.has(prefix: "metadata/") { return [pages, numbers, keynote] }
        // The format of 2009 with a password: its XML is encrypted.
        return archive.has("buildversionhistory.plist") && archive.has("index.xml") ? [pages, numbers] : []
    }

    /// A document that is a folder and was packed as one. Only the folder's name shows the application.
    private func folder(_ archive: ZipArchive) -> Finding? {
        for (suffix, type) in [
            (".pages/index.zip", Self.pages), (".numbers/index.zip", Self.numbers), (".key/index.zip", Self.keynote),
        ] as [(StaticString, MediaType)] where archive.has(prefix: "", suffix: suffix) {
            let names = archive.directory.entries.lazy.map { archive.directory.name($0) }
            let folder = names.first?.prefix { $0 != UInt8(ascii: "/") } ?? []
            let isAlone = names.allSatisfy { $0.starts(with: folder) }
            return isAlone ? Finding(type, Evidence("zip", "one folder *\(suffix)"), .likely) : nil
        }
        return nil
    }

    private func present(_ archive: ZipArchive) throws -> Finding? {
        for name in ["index/slide", "index/masterslide", "index/templateslide"] as [StaticString]
        where archive.has(prefix: name, suffix: ".iwa") {
            return Finding(Self.keynote, Evidence("zip", "entries Index/*Slide*.iwa"))
        }
        if let head = try archive.bytes("index/document.iwa", limit: 64), let number = Self.firstMessage(head) {
            let type = number == Self.pagesDocument ? Self.pages : Self.numbers
            return Finding(type, Evidence("zip", "Index/Document.iwa begins with message \(number)"))
        }
        guard archive.has("index/document.iwa") else { return nil }
        // Every spreadsheet has tables; some documents of Pages have tables too.
        let hasTables = archive.has(prefix: "index/tables/")
        let says = hasTables ? "entries Index/Document.iwa and Index/Tables/" : "entry Index/Document.iwa, no slides"
        return Finding(hasTables ? Self.numbers : Self.pages, Evidence("zip", says), .guessed)
    }

    /// The number of the first message.
    ///
    /// The frame has four bytes, then Snappy's length and a literal. The literal starts with the length of the
    /// archive's header. Field 1 of the header is an identifier. Field 2 is the first message, and the number is its
    /// field 1.
    private static func firstMessage(_ head: [UInt8]) -> Int? {
        guard head.count > 8, head[0] == 0 else { return nil }
        var place = 4
        guard varint(head, &place) != nil, place < head.count, head[place] & 3 == 0 else { return nil }
        // The length of a literal is in its tag, or in up to four bytes after it.
        let length = Int(head[place] >> 2)
        place += length < 60 ? 1 : length - 58
        guard varint(head, &place) != nil, head.little(place, 1) == 0x08 else { return nil }
        place += 1
        guard varint(head, &place) != nil, head.little(place, 1) == 0x12 else { return nil }
        place += 1
        guard varint(head, &place) != nil, head.little(place, 1) == 0x08 else { return nil }
        place += 1
        return varint(head, &place)
    }

    /// Reads a number in groups of seven bits, at most five.
    private static func varint(_ bytes: [UInt8], _ place: inout Int) -> Int? {
        var value = 0
        for shift in stride(from: 0, to: 35, by: 7) {
            guard place < bytes.count else { return nil }
            let byte = bytes[place]
            place += 1
            value |= Int(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }

    private func old(_ archive: ZipArchive) throws -> Finding? {
        guard let head = try archive.bytes("index.xml", limit: Self.rootLimit),
            let root = XMLProlog(head)?.root, let namespace = root.namespace,
            namespace.hasPrefix("http://developer.apple.com/namespaces/")
        else { return nil }
        let type: MediaType? =
            switch (namespace.split(separator: "/").last, root.localName) {
            case ("sl", "document"): Self.pages
            case ("ls", "document"): Self.numbers
            case (_, "presentation"): Self.keynote
            default: nil
            }
        return type.map { Finding($0, Evidence("zip", "index.xml has the root element \(root.name)")) }
    }
}
