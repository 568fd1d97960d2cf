extension String {
    /// The longest prefix of whole characters with at most `limit` bytes of UTF-8.
    public func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: limit)
        // The limit may be inside a character.
        while end.samePosition(in: self) == nil { utf8.formIndex(before: &end) }
        return String(self[..<end])
    }
}
