/// The name of an account: what a person calls it, and what settings, messages and the names of files have.
public struct AccountName: Sendable, Hashable, CustomStringConvertible {
    /// 1 to 64 lower-case ASCII letters, digits and hyphens, as in the name of a sink.
    public let description: String

    /// The name; `nil` if the text is none.
    public init?(_ text: String) {
        let isWord = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "-")
        }
        guard (1...Self.limit).contains(text.utf8.count), isWord else { return nil }
        description = text
    }

    /// In bytes.
    public static let limit = 64
}

extension AccountName: Codable {
    /// Decodes the text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let name = AccountName(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "it is not the name of an account")
        }
        self = name
    }

    /// Encodes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// An account, and the person at the service who is logged in with it.
public struct AccountUser: Sendable, Hashable, Codable {
    /// The account.
    public var account: AccountName
    /// The person, as the service names them.
    public var user: String

    /// An account and its person.
    public init(account: AccountName, user: String) { (self.account, self.user) = (account, user) }
}
