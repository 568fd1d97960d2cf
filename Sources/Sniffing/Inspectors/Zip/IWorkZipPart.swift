internal import Formats
internal import ShareModel

/// Documents of Apple's Pages, Numbers and Keynote. Apple publishes no specification of the present form: archives of
/// `Index/*.iwa`, each a Snappy frame of messages, whose first in `Index/Document.iwa` bears the number of the
/// application's document (10000 in Pages, 1 in the others), and slides in Keynote alone. The form of 2009 is XML,
/// whose root element says it ("iWork '09" programming guide: `sl:document`, `ls:document`, `key:presentation`).
struct IWorkZipPart: ZipPart {
    private static let pages: MediaType = "application/vnd.apple.pages"
    private static let numbers: MediaType = "application/vnd.apple.numbers"
    private static let keynote: MediaType = "application/vnd.apple.keynote"

    /// The root is among the first bytes of the XML form.
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

    /// What a name may make of the form of 2013 with an archive inside, since that is not looked into.
    static func possible(_ archive: ZipArchive) -> Set<MediaType> {
        archive.has("index.zip") && archive.has(prefix: "metadata/") ? [pages, numbers, keynote] : []
    }

    /// A document that is a folder, and was packed as such: only its name says which application's it is.
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
        // Every spreadsheet has tables; of the rest, some do.
        let hasTables = archive.has(prefix: "index/tables/")
        let says = hasTables ? "entries Index/Document.iwa and Index/Tables/" : "entry Index/Document.iwa, no slides"
        return Finding(hasTables ? Self.numbers : Self.pages, Evidence("zip", says), .guessed)
    }

    /// The number of the first message: behind the frame's four bytes and Snappy's length a literal, in it the length
    /// of the archive's header, field 1 (an identifier), field 2 with the first message, whose field 1 it is.
    private static func firstMessage(_ head: [UInt8]) -> Int? {
        guard head.count > 8, head[0] == 0 else { return nil }
        var place = 4
        guard varint(head, &place) != nil, place < head.count, head[place] & 3 == 0 else { return nil }
        // A literal's length is in its tag, or in up to four bytes behind it.
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

    /// A number in groups of seven bits, at most five of them.
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
