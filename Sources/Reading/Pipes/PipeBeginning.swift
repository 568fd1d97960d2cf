internal import Formats

/// The form of the bytes on a pipe, as their beginning tells.
package enum PipeBeginning: Equatable {
    /// One description in JSON, or several, each on a line of its own.
    case descriptions
    /// The body of a form: `multipart/form-data`.
    case form
    /// A web address and nothing else.
    case link(String)
    case unknown

    /// The pipe's name in messages.
    package static let name = "standard input"

    /// What a pipe can have, for a person who sent something else.
    package static let expected = """
        \(name) begins like none of these: a description or lines of descriptions in JSON ('{'), the body of a form \
        (multipart/form-data), one web address
        """

    /// - Parameter head: the first bytes. If they are fewer than ``PeekableStream/headBytes``, they are all bytes.
    package init(_ head: [UInt8]) {
        let text = head.dropFirst(Self.markCount(head)).drop(while: \.isJSONSpace)
        if text.first == UInt8(ascii: "{") {
            self = .descriptions
        } else if MultipartParser.boundary(in: head) != nil {
            self = .form
        } else if head.count < PeekableStream.headBytes, let address = Self.address(text) {
            self = .link(address)
        } else {
            self = .unknown
        }
    }

    /// The only word of a text, if it is a web address.
    private static func address(_ text: ArraySlice<UInt8>) -> String? {
        let word = text.prefix { $0 > 0x20 && $0 != 0x7F }
        guard text[word.endIndex...].allSatisfy(\.isJSONSpace),
            case .link(let address) = InputAddress(bytes: Array(word))
        else { return nil }
        return address
    }

    /// The length of the byte order mark that some editors write before a text; 0 if there is none.
    static func markCount(_ bytes: [UInt8]) -> Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }
}

extension UInt8 {
    /// White space of JSON. RFC 8259, section 2.
    var isJSONSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
