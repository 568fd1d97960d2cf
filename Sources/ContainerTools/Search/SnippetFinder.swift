/// Finds the passage of a text with the best hits.
struct SnippetFinder {
    /// The signs that the full-text index puts around a hit. ``IndexedText`` removes them from all texts.
    static let (open, close) = (UInt8(1), UInt8(2))
    /// The length of a passage, in bytes.
    static let length = 160
    /// The largest number of hits that are compared.
    private static let hitLimit = 10_000

    /// - Parameter marked: the text with the signs.
    /// - Returns: `nil` if there is no hit.
    static func find(_ marked: String, source: SearchColumn) -> SearchHit.Snippet? {
        var marked = marked
        return marked.withUTF8 { bytes in
            guard let window = bestWindow(bytes) else { return nil }
            return SearchHit.Snippet(
                parts: parts(bytes, window), page: page(bytes, window.lowerBound), source: source.rawValue)
        }
    }

    /// The place of the passage: the first one of those with the most different hits, and of these with the most hits.
    private static func bestWindow(_ bytes: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        var hits: [Int] = []
        for index in bytes.indices where bytes[index] == open {
            hits.append(index)
            if hits.count == hitLimit { break }
        }
        guard var best = hits.first else { return nil }
        let words = hits.map { word(bytes, at: $0) }
        // The words in the window, with the number of their hits.
        var inside: [String: Int] = [:]
        var (most, end) = ((words: 0, hits: 0), 0)
        for (number, start) in hits.enumerated() {
            while end < hits.count, hits[end] < start + length * 3 / 4 {
                inside[words[end], default: 0] += 1
                end += 1
            }
            let found = (words: inside.count, hits: end - number)
            if found > most { (most, best) = (found, start) }
            // The window leaves this hit.
            let left = (inside[words[number]] ?? 1) - 1
            inside[words[number]] = left > 0 ? left : nil
        }
        var start = max(0, best - length / 4)
        while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        // The passage begins at a word, and does not reach over the end of a page or text.
        if start > 0 {
            let space = bytes[start..<best].firstIndex { $0 <= 0x20 && $0 != open && $0 != close }
            start = space ?? start
        }
        if let border = bytes[start..<best].lastIndex(where: isBorder) { start = border + 1 }
        var stop = min(bytes.count, best + length)
        if let border = bytes[best..<stop].firstIndex(where: isBorder) { stop = border }
        while stop < bytes.count, bytes[stop] & 0xC0 == 0x80 { stop += 1 }
        if stop < bytes.count, !isBorder(bytes[stop]),
            let space = bytes[best..<stop].lastIndex(of: 0x20), space > best + length / 2
        {
            stop = space
        }
        return start..<stop
    }

    /// The hit at a place, without regard to the case of its letters.
    private static func word(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> String {
        let rest = bytes[(place + 1)...].prefix(wordLimit)
        return String(decoding: rest.prefix { $0 != close }, as: UTF8.self).lowercased()
    }

    /// The number of bytes in which two words may differ.
    private static let wordLimit = 64

    private static func isBorder(_ byte: UInt8) -> Bool { byte == 0x0C || byte == 0x1C }

    private static func parts(_ bytes: UnsafeBufferPointer<UInt8>, _ window: Range<Int>) -> [SearchHit.Snippet.Part] {
        var parts: [SearchHit.Snippet.Part] = []
        var current: [UInt8] = []
        var isHit = false
        func end() {
            let text = IndexedText.restore(String(decoding: current, as: UTF8.self))
            if !text.isEmpty { parts.append(.init(text: text, isHit: isHit)) }
            current = []
        }
        for byte in bytes[window] {
            if byte == open || byte == close {
                end()
                isHit = byte == open
            } else if byte > 0x20 {
                current.append(byte)
            } else if current.last != 0x20 {
                current.append(0x20)
            }
        }
        end()
        guard !parts.isEmpty else { return [] }
        parts[0].text = String(parts[0].text.drop(while: \.isWhitespace))
        let last = parts.count - 1
        while parts[last].text.last?.isWhitespace ?? false { parts[last].text.removeLast() }
        if window.lowerBound > 0, !isBorder(bytes[window.lowerBound - 1]) {
            parts.insert(.init(text: "… ", isHit: false), at: 0)
        }
        if window.upperBound < bytes.count, !isBorder(bytes[window.upperBound]) {
            parts.append(.init(text: " …", isHit: false))
        }
        return parts.filter { !$0.text.isEmpty }
    }

    /// The number of the page at a place in its document; `nil` if the document has no pages.
    private static func page(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int? {
        let start = bytes[..<place].lastIndex(of: 0x1C).map { $0 + 1 } ?? 0
        let before = bytes[start..<place].count { $0 == 0x0C }
        if before > 0 { return before + 1 }
        let end = bytes[place...].firstIndex(of: 0x1C) ?? bytes.count
        return bytes[place..<end].contains(0x0C) ? 1 : nil
    }
}
