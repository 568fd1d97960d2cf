extension String {
    /// The longest prefix of whole characters with at most `limit` bytes of UTF-8.
    public func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: limit)
        // The limit may be inside a scalar, which has at most four bytes.
        while end.samePosition(in: unicodeScalars) == nil { utf8.formIndex(before: &end) }
        // With the next scalar, which may continue the last character. The beginning of that character is looked for
        // once only: a hostile text may have a million combining marks in one.
        let head = String(unicodeScalars[...end])
        return String(head[..<head.index(before: head.endIndex)])
    }
}
