internal import ShareModel

/// The version and the greeting of the channel protocol: JSON lines, as in the sink protocol.
package enum ChannelProtocol {
    /// The versions that this module speaks.
    static let versions = [1]

    /// The first line of each side.
    package struct Hello: Codable {
        var versions: [Int]
        /// The types that the sender of this greeting accepts.
        var accepts: [String]
        /// Names of optional features. This version has none.
        var features: [String]?

        /// The highest version that both sides speak; `nil` if there is none.
        var common: Int? { versions.filter(ChannelProtocol.versions.contains).max() }
    }

    /// The key of a line. Its value is an object.
    enum Key: String, CodingKey {
        case hello, request, response, message, refused, goodbye
    }

    /// The keys of a request, a response and a message. In the sorted order of ``JSONLines``, the value comes last, so that the
    /// rest can be read of a line that is too long.
    enum Field: String, CodingKey {
        case descriptors, id, type, value
    }

    /// The value of `goodbye`.
    struct Goodbye: Codable {
        var why: String?
    }
}
