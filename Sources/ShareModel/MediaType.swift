/// A MIME type without parameters, in lower case: `image/jpeg`. RFC 6838, section 4.2.
public struct MediaType: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The type, in the form `type/subtype`.
    public let description: String

    /// Parses a MIME type: drops parameters and white space, and makes letters lower case.
    ///
    /// The result is `nil` unless the text is two non-empty tokens around one slash, with at most 255 bytes.
    public init?(_ text: some StringProtocol) { self.init(whole: String(text)) }

    /// This initializer is not generic, because unspecialized generic calls from other modules are slow.
    private init?(whole text: String) {
        // Most types are in this form already; this check saves the cost of making a new string.
        if Self.isEssence(text.utf8) {
            description = text
            return
        }
        let essence = String(text.prefix { $0 != ";" }.filter { !$0.isWhitespace }).lowercased()
        guard Self.isEssence(essence.utf8) else { return nil }
        description = essence
    }

    private init(known: String) { description = known }

    /// Whether the text is in the stored form already.
    private static func isEssence(_ text: String.UTF8View) -> Bool {
        // RFC 6838, section 4.2: at most 127 characters on each side of the slash.
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
        // RFC 6838 does not allow the asterisk, but senders declare `image/*`.
        case UInt8(ascii: "^"), UInt8(ascii: "*"): true
        default: false
        }
    }

    /// The part before the slash: `image`.
    public var type: Substring { description.prefix { $0 != "/" } }

    /// The part after the slash: `jpeg`.
    public var subtype: Substring { description.drop { $0 != "/" }.dropFirst() }

    /// Decodes the type from a string, as ``init(_:)`` parses it.
    ///
    /// - Throws: a `DecodingError` if the text is not a type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let type = Self(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(text)' is not a MIME type such as image/jpeg")
        }
        self = type
    }

    /// Encodes `type/subtype` as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension MediaType: ExpressibleByStringLiteral {
    /// A type literal in this program's code: two tokens around one slash, in lower case.
    public init(stringLiteral value: StaticString) {
        let text = value.description
        assert(Self(text)?.description == text, "not a MIME type in lower case: \(text)")
        self.init(known: text)
    }
}

extension MediaType {
    /// The type of bytes that no rule recognizes.
    public static let unknown = MediaType(known: "application/octet-stream")
    /// The type of content without bytes.
    public static let empty = MediaType(known: "application/x-empty")
    /// Text without markup, or text of an unknown specific type. RFC 2046, section 4.1.3.
    public static let plainText = MediaType(known: "text/plain")
    /// A web page. RFC 2854.
    public static let html = MediaType(known: "text/html")
    /// A PDF document, of any version. RFC 8118.
    public static let pdf = MediaType(known: "application/pdf")
    /// A link as content: one URL on each line. RFC 2483, section 5.
    public static let uriList = MediaType(known: "text/uri-list")
    /// A JSON text. RFC 8259.
    public static let json = MediaType(known: "application/json")
}
