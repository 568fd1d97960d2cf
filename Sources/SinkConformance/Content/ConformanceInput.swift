internal import Files
internal import ShareModel
internal import SinkHost
internal import SinkKit

/// Content for testing a sink.
struct ConformanceInput {
    /// Names the content in the reason of a failure.
    let label: String
    /// The first part is the leading one.
    var parts: [Part]
    var title: String?
    var text: String?

    struct Part {
        var role = Delivery.Part.Role.content
        var name: String
        var type: String
        var bytes: [UInt8]
    }

    init(label: String, parts: [Part], title: String? = nil, text: String? = nil) {
        self.label = label
        self.parts = parts
        self.title = title
        self.text = text
    }

    init(_ type: String, name: String, _ bytes: some Sequence<UInt8>) {
        self.init(label: "\(name), \(type)", parts: [Part(name: name, type: type, bytes: Array(bytes))])
    }

    /// The same input with other bytes in its leading part.
    func with(_ label: String, bytes: [UInt8]) -> Self {
        var copy = Self(label: "\(label) as \(parts.first?.type ?? "")", parts: parts, title: title, text: text)
        if !copy.parts.isEmpty { copy.parts[0].bytes = bytes }
        return copy
    }
}
