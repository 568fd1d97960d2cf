internal import Glibc

/// Encodings of text by their names in the system's converter, such as `ISO-8859-1` or `CP932`.
public enum Charset {
    /// The text of bytes in the encoding `name`. Bytes that have no meaning in it are left out.
    ///
    /// `nil` if the system does not know the encoding.
    public static func decode(_ bytes: ArraySlice<UInt8>, _ name: String) -> String? {
        if bytes.allSatisfy({ $0 < 0x80 }), !isWide(name) { return String(decoding: bytes, as: UTF8.self) }
        let upper = name.uppercased()
        if upper == "UTF-8" || upper == "UTF8" { return String(decoding: bytes, as: UTF8.self) }
        let converter = iconv_open("UTF-8", name)
        guard let converter, Int(bitPattern: converter) != -1 else { return nil }
        defer { iconv_close(converter) }
        return convert(bytes.map { CChar(bitPattern: $0) }, converter)
    }

    /// Converts in pieces, so that memory holds the input, the output and one piece.
    private static func convert(_ input: [CChar], _ converter: iconv_t) -> String {
        var input = input
        var result: [UInt8] = []
        result.reserveCapacity(input.count)
        input.withUnsafeMutableBufferPointer { input in
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1 << 16) { piece in
                var (from, left) = (input.baseAddress, input.count)
                while left > 0 {
                    var (to, room) = (piece.baseAddress, piece.count)
                    let status = iconv(converter, &from, &left, &to, &room)
                    let reason = errno
                    result.append(contentsOf: UnsafeRawBufferPointer(piece).prefix(piece.count - room))
                    if status != -1 || reason == E2BIG { continue }
                    // The end of the content may cut a character.
                    if reason == EINVAL { break }
                    from = from.map { $0 + 1 }
                    left -= 1
                }
                // Some encodings hold the last character back, because a mark may follow it.
                var (to, room) = (piece.baseAddress, piece.count)
                _ = iconv(converter, nil, nil, &to, &room)
                result.append(contentsOf: UnsafeRawBufferPointer(piece).prefix(piece.count - room))
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Whether ASCII bytes mean something else in this encoding.
    private static func isWide(_ name: String) -> Bool {
        let upper = name.uppercased()
        return ["UTF-16", "UTF-32", "UCS-2", "UCS-4", "UTF-7", "ISO-2022", "HZ"].contains { upper.hasPrefix($0) }
    }
}
