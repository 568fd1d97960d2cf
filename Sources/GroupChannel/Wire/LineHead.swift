/// The part of a line before its value.
enum LineHead {
    private static let value = Array(#""value":"#.utf8)
    /// The most bytes of the part.
    private static let limit = 4 << 10

    /// A line with everything before the value, and no value; `nil` if the value does not come last.
    ///
    /// Inside of a string, the quotation marks around the name would be escaped, so the bytes are found nowhere else.
    static func of(_ line: [UInt8]) -> [UInt8]? {
        let head = line.prefix(limit)
        guard
            let place = head.indices.first(where: { head[$0...].starts(with: value) })
        else { return nil }
        return head[..<place] + value + Array("null}}".utf8)
    }
}
