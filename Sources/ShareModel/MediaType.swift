/// A MIME type without parameters, in lower case: `image/jpeg`. RFC 6838, section 4.2.
public struct MediaType: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The whole type, `type/subtype`.
    public let description: String

    /// Takes the essence of a MIME type: parameters and white space are dropped, letters made lower case.
    ///
    /// Returns `nil` for whatever is not two non-empty tokens around one slash, or is longer than 255 bytes.
    public init?(_ text: some StringProtocol) { self.init(whole: String(text)) }

    /// Not generic, since what is generic is slow when another module calls it.
    private init?(whole text: String) {
        if Self.isEssence(text.utf8) {
            description = text
            return
        }
        let essence = String(text.prefix { $0 != ";" }.filter { !$0.isWhitespace }).lowercased()
        guard Self.isEssence(essence.utf8) else { return nil }
        description = essence
    }

    private init(known: String) { description = known }

    /// Whether text is a type as it is kept, as nearly all are.
    private static func isEssence(_ text: String.UTF8View) -> Bool {
        guard text.count <= 255, let slash = text.firstIndex(of: UInt8(ascii: "/")) else { return false }
        let subtype = text[slash...].dropFirst()
        return slash != text.startIndex && !subtype.isEmpty && text[..<slash].allSatisfy(isToken)
            && subtype.allSatisfy(isToken)
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "_"): true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "&"): true
        case UInt8(ascii: "^"), UInt8(ascii: "*"): true
        default: false
        }
    }

    /// The part before the slash: `image`.
    public var type: Substring { description.prefix { $0 != "/" } }

    /// The part after the slash: `jpeg`.
    public var subtype: Substring { description.drop { $0 != "/" }.dropFirst() }

    /// Reads the type from a string, as ``init(_:)`` does; a `DecodingError` where that is none.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let type = Self(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(text)' is not a MIME type such as image/jpeg")
        }
        self = type
    }

    /// Writes `type/subtype` as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension MediaType: ExpressibleByStringLiteral {
    /// A type that the program itself names: two tokens around one slash, in lower case.
    public init(stringLiteral value: StaticString) {
        let text = value.description
        assert(Self(text)?.description == text, "not a MIME type in lower case: \(text)")
        self.init(known: text)
    }
}

extension MediaType {
    /// Bytes that nobody recognized: the honest "unknown".
    public static let unknown = MediaType(known: "application/octet-stream")
    /// No bytes at all.
    public static let empty = MediaType(known: "application/x-empty")
    /// Text without markup, or of no finer type that anybody knows. RFC 2046, section 4.1.3.
    public static let plainText = MediaType(known: "text/plain")
    /// A web page. RFC 2854.
    public static let html = MediaType(known: "text/html")
    /// A PDF document, of any version. RFC 8118.
    public static let pdf = MediaType(known: "application/pdf")
    /// A link as content: one URL a line. RFC 2483, section 5.
    public static let uriList = MediaType(known: "text/uri-list")
    /// A JSON text. RFC 8259.
    public static let json = MediaType(known: "application/json")
}
