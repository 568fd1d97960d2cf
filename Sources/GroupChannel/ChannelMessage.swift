/// A value that travels through a channel in one direction, and is not answered.
///
/// A receiver decodes only the types that it declared in ``ChannelTypes``.
public protocol ChannelMessage: Codable, Sendable {
    /// The name of the type in messages. Keep it when the Swift type gets another name.
    static var type: String { get }
}

/// A message that the other side answers with one value.
public protocol ChannelRequest: ChannelMessage {
    /// The value of the answer.
    associatedtype Answer: Codable & Sendable
}

/// The types that one side of a channel accepts. A message of any other type is refused, and its body is not decoded.
public struct ChannelTypes: Sendable {
    private let types: [String: any ChannelMessage.Type]

    /// Accepts these types. Of two types with one name, the last one counts.
    public init(_ types: any ChannelMessage.Type...) { self.init(types) }

    /// Accepts these types. Of two types with one name, the last one counts.
    public init(_ types: [any ChannelMessage.Type]) {
        self.types = Dictionary(types.map { ($0.type, $0) }) { $1 }
    }

    /// The names of the types, sorted.
    public var names: [String] { types.keys.sorted() }

    subscript(_ name: String) -> (any ChannelMessage.Type)? { types[name] }
}
