internal import Formats

/// The metadata of a movie, as Apple's programs write it.
///
/// The boxes are those of ISO/IEC 14496-12, section 4.2; the box `meta` and what is in it are specified in Apple's
/// QuickTime File Format, "Metadata".
enum QuickTimeMetadata {
    /// The most boxes that are looked at. A movie of a phone has four or five.
    private static let boxLimit = 32
    /// The lengths of an identifier. It is a UUID as text; a shorter one would be found in any file.
    private static let identifierLengths = 16...64

    /// The identifier that a live photo's movie has in common with its still; `nil` if the movie has none.
    static func contentIdentifier(of file: SiblingFile) -> [UInt8]? {
        guard let value = value(of: "com.apple.quicktime.content.identifier", in: file),
            identifierLengths.contains(value.count)
        else { return nil }
        return value
    }

    private static func value(of key: String, in file: SiblingFile) -> [UInt8]? {
        guard let movie = movieHeader(of: file), let metadata = Boxes(movie[...]).body("meta") else { return nil }
        // QuickTime has the boxes at once; ISO has the version and the flags before them.
        let isBare = metadata.dropFirst(4).starts(with: "hdlr".utf8)
        let boxes = Boxes(metadata.dropFirst(isBare ? 0 : 4))
        // Keys have the form of boxes, behind their version and number. A value goes by the place of its key.
        guard let keys = boxes.body("keys"), let values = boxes.body("ilst"),
            let place = Boxes(keys.dropFirst(8)).enumerated().first(where: { $0.element.body.elementsEqual(key.utf8) }),
            let value = Boxes(values).first(where: { Boxes.number($0.name) == place.offset + 1 }),
            let data = Boxes(value.body).body("data")
        else { return nil }
        // The type of the value and its language.
        return Array(data.dropFirst(8))
    }

    /// The content of the box `moov`, or its beginning; `nil` if there is none. That of a live photo has some thousand
    /// bytes.
    private static func movieHeader(of file: SiblingFile) -> [UInt8]? {
        var place: Int64 = 0
        for _ in 0..<boxLimit {
            let head = file.bytes(16, from: place)
            guard head.count >= 8 else { return nil }
            // A size of 1 stands for a longer number behind the name, and 0 for the rest of the file.
            let isLong = Boxes.number(head[..<4]) == 1 && head.count == 16
            let (stated, header) = (Boxes.number(isLong ? head[8...] : head[..<4]), Int64(isLong ? 16 : 8))
            let size = stated == 0 ? Int64.max : Int64(clamping: stated)
            guard size >= header else { return nil }
            if head[4..<8].elementsEqual("moov".utf8) {
                return file.bytes(Int(min(size - header, Int64(SiblingFile.metadataBytes))), from: place + header)
            }
            guard size <= Int64.max - 16 - place else { return nil }
            place += size
        }
        return nil
    }
}

/// Boxes in memory, one after the other, up to the first one that is not whole.
private struct Boxes: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func next() -> (name: ArraySlice<UInt8>, body: ArraySlice<UInt8>)? {
        guard rest.count >= 8, case let size = Int(Self.number(rest.prefix(4))), (8...rest.count).contains(size) else {
            return nil
        }
        let box = rest.prefix(size)
        rest = rest.dropFirst(size)
        return (box.dropFirst(4).prefix(4), box.dropFirst(8))
    }

    /// The content of the first box of a name; `nil` if there is none.
    func body(_ name: String) -> ArraySlice<UInt8>? { first { $0.name.elementsEqual(name.utf8) }?.body }

    static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
