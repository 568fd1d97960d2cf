public import SinkKit

extension Delivery {
    /// The content, and the path of its file.
    ///
    /// - Parameter sink: the identifier of the sink, for the message.
    /// - Throws: `SinkFailure` if the host gave no path, because the sink's `sink.json` asks for none.
    public func contentFile(for sink: String) throws -> (part: Part, path: String) {
        guard let part = parts.first(where: { $0.role == .content }), let path = part.path else {
            throw SinkFailure(.permanent, "the delivery has no content with a path; \(sink) needs a file to read")
        }
        return (part, path)
    }
}
