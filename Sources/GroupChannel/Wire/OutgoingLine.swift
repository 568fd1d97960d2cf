internal import ShareModel

/// A line that this side sends.
package struct OutgoingLine: Encodable {
    private let key: ChannelProtocol.Key
    private let content: any Encodable

    package static func hello(_ types: ChannelTypes) -> OutgoingLine {
        OutgoingLine(
            key: .hello, content: ChannelProtocol.Hello(versions: ChannelProtocol.versions, accepts: types.names))
    }

    package static func request(_ id: Int64, _ value: some ChannelRequest, descriptors: Int) -> OutgoingLine {
        OutgoingLine(
            key: .request, content: Content(value, id: id, descriptors: descriptors, name: type(of: value).type))
    }

    package static func message(_ value: some ChannelMessage, descriptors: Int) -> OutgoingLine {
        OutgoingLine(key: .message, content: Content(value, descriptors: descriptors, name: type(of: value).type))
    }

    package static func response(_ id: Int64, _ value: some Encodable, descriptors: Int) -> OutgoingLine {
        OutgoingLine(key: .response, content: Content(value, id: id, descriptors: descriptors))
    }

    package static func refused(_ refusal: Refusal) -> OutgoingLine { OutgoingLine(key: .refused, content: refusal) }

    package static func goodbye(_ why: String?) -> OutgoingLine {
        OutgoingLine(key: .goodbye, content: ChannelProtocol.Goodbye(why: why))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ChannelProtocol.Key.self)
        try container.encode(content, forKey: key)
    }

    /// The bytes of the line, with its line feed.
    ///
    /// - Throws: `LineTooLong` above the limit; an `EncodingError` for a value that JSON cannot express.
    package func bytes(limit: Int) throws -> [UInt8] { try JSONLines.line(self, limit: limit) }

    private struct Content<Value: Encodable>: Encodable {
        let value: Value
        let id: Int64?
        let descriptors: Int
        let name: String?

        init(_ value: Value, id: Int64? = nil, descriptors: Int, name: String? = nil) {
            (self.value, self.id, self.descriptors, self.name) = (value, id, descriptors, name)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: ChannelProtocol.Field.self)
            try container.encode(value, forKey: .value)
            try container.encodeIfPresent(id, forKey: .id)
            try container.encodeIfPresent(name, forKey: .type)
            if descriptors > 0 { try container.encode(descriptors, forKey: .descriptors) }
        }
    }
}
