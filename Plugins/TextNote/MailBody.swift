import CGMime

/// Reads the bodies of parts.
enum MailBody {
    /// The bytes that a filter decodes at a time.
    private static let piece = 1 << 16

    /// The decoded bytes of a part, at most `limit`, and whether it has more.
    static func bytes(of part: UnsafeMutablePointer<GMimePart>, limit: Int) -> (bytes: [UInt8], isCut: Bool)? {
        guard let content = g_mime_part_get_content(part), let stream = g_mime_data_wrapper_get_stream(content) else {
            return nil
        }
        g_mime_stream_reset(stream)
        guard let filtered = g_mime_stream_filter_new(stream) else { return nil }
        defer { g_object_unref(gpointer(filtered)) }
        if let filter = g_mime_filter_basic_new(g_mime_data_wrapper_get_encoding(content), 0) {
            UnsafeMutableRawPointer(filtered).withMemoryRebound(to: GMimeStreamFilter.self, capacity: 1) {
                _ = g_mime_stream_filter_add($0, filter)
            }
            g_object_unref(gpointer(filter))
        }
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            let got = withUnsafeTemporaryAllocation(of: CChar.self, capacity: piece) { buffer in
                let count = g_mime_stream_read(filtered, buffer.baseAddress, buffer.count)
                bytes.append(contentsOf: UnsafeRawBufferPointer(buffer).prefix(max(0, count)))
                return count
            }
            if got <= 0 { break }
        }
        let isCut = bytes.count > limit
        bytes.removeLast(max(0, bytes.count - limit))
        return (bytes, isCut)
    }
}
