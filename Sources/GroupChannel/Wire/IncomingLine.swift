package import Files
internal import ShareModel

/// A line that the other side sent, decoded with the types that this side accepts.
package enum IncomingLine: Decodable {
    case hello(ChannelProtocol.Hello)
    case request(id: Int64, Content)
    case message(Content)
    /// The value is `nil` if it answers no open request, or is not of the type of the answer.
    case response(id: Int64, (any Sendable)?, descriptors: Int)
    case refused(Refusal)
    case goodbye(String?)

    package enum Content {
        case value(any ChannelMessage, descriptors: Int)
        case refused(Refusal, descriptors: Int)
    }

    /// A line that is none of the protocol.
    package struct Fault: Error {
        /// What the sender did.
        let why: String
    }

    /// What decoding needs to know.
    private struct Rules: Sendable {
        var types: ChannelTypes
        /// The type of the answer to an open request.
        var answer: @Sendable (Int64) -> (any (Decodable & Sendable).Type)?
        /// Set if the values are not to be decoded.
        var refusal: (code: Refusal.Code, why: String)?
    }

    /// A `CodingUserInfoKey` is `nil` only for an empty name of some coders, and then no value is decoded.
    private static let rulesKey = CodingUserInfoKey(rawValue: "sluice.channel.rules")

    /// Decodes a line within the limits. The values of types that are not accepted, and of lines that are too long or too deep, are
    /// not decoded.
    ///
    /// - Parameter answer: the type of the answer to the open request with this number; `nil` if there is none.
    package static func read(
        _ line: LineSplitter.Line, _ types: ChannelTypes, _ limits: ChannelLimits,
        answer: @escaping @Sendable (Int64) -> (any (Decodable & Sendable).Type)?
    ) throws(Fault) -> IncomingLine {
        var rules = Rules(types: types, answer: answer)
        var bytes = line.bytes
        // The decoder would take such a line for UTF-16, whose brackets are not counted.
        guard !bytes.contains(0) else { throw Fault(why: "it sent a line that is not in UTF-8") }
        if line.isTooLong {
            rules.refusal = (.tooLarge, "the line has more than \(limits.lineBytes) bytes")
            guard let head = LineHead.of(bytes) else { throw Fault(why: "it sent a line that is too long") }
            bytes = head
        } else if let pruned = LineDepth.pruned(bytes, limit: limits.depth) {
            rules.refusal = (.tooDeep, "the value has more than \(limits.depth) levels")
            bytes = pruned
        }
        do {
            return try JSONLines.decode(IncomingLine.self, from: bytes, userInfo: rulesKey.map { [$0: rules] } ?? [:])
        } catch {
            throw Fault(why: "it sent a line that is not one of the protocol")
        }
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: ChannelProtocol.Key.self)
        guard let key = container.allKeys.first, container.allKeys.count == 1 else { throw UnknownLine() }
        guard let rulesKey = Self.rulesKey, let rules = decoder.userInfo[rulesKey] as? Rules else {
            throw UnknownLine()
        }
        switch key {
        case .hello: self = .hello(try container.decode(ChannelProtocol.Hello.self, forKey: .hello))
        case .refused: self = .refused(try container.decode(Refusal.self, forKey: .refused))
        case .goodbye: self = .goodbye(try container.decode(ChannelProtocol.Goodbye.self, forKey: .goodbye).why)
        case .request, .message, .response:
            let fields = try container.nestedContainer(keyedBy: ChannelProtocol.Field.self, forKey: key)
            self = try Self(key, fields, rules)
        }
    }

    private init(
        _ key: ChannelProtocol.Key, _ fields: KeyedDecodingContainer<ChannelProtocol.Field>, _ rules: Rules
    ) throws {
        let descriptors = try fields.decodeIfPresent(Int.self, forKey: .descriptors) ?? 0
        switch key {
        case .response:
            let id = try fields.decode(Int64.self, forKey: .id)
            let answer = rules.refusal == nil ? rules.answer(id) : nil
            self = .response(
                id: id, try? answer.map { try fields.decode($0, forKey: .value) }, descriptors: descriptors)
        case .request:
            let id = try fields.decode(Int64.self, forKey: .id)
            self = .request(id: id, try Self.content(fields, rules, id: id, descriptors: descriptors))
        default:
            self = .message(try Self.content(fields, rules, id: nil, descriptors: descriptors))
        }
    }

    private static func content(
        _ fields: KeyedDecodingContainer<ChannelProtocol.Field>, _ rules: Rules, id: Int64?, descriptors: Int
    ) throws -> Content {
        let name = try fields.decode(String.self, forKey: .type)
        func refused(_ code: Refusal.Code, _ why: String) -> Content {
            .refused(Refusal(code, why, id: id, type: name), descriptors: descriptors)
        }
        if let refusal = rules.refusal { return refused(refusal.code, refusal.why) }
        guard let type = rules.types[name], (type is any ChannelRequest.Type) == (id != nil) else {
            return refused(
                .unknownType, id == nil ? "no such message is accepted here" : "no such request is accepted here")
        }
        do {
            return .value(try fields.decode(type, forKey: .value), descriptors: descriptors)
        } catch {
            return refused(.malformed, "the value is not of this type: \(error)".cut(toBytes: 1_000))
        }
    }

    /// The error for a line that is none of the protocol.
    private struct UnknownLine: Error {}
}
