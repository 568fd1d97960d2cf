extension String {
    /// The text without white space and NULs around it.
    public var trimmed: String {
        let isEdge = { (character: Character) in character.isWhitespace || character == "\0" }
        guard let first = firstIndex(where: { !isEdge($0) }), let last = lastIndex(where: { !isEdge($0) }) else {
            return ""
        }
        return String(self[first...last])
    }
}
