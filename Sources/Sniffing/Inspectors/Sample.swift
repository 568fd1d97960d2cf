internal import Formats
internal import ShareModel

/// Content that is being looked into, and what several inspectors want of it.
final class Sample {
    let content: ContentBytes
    /// The first bytes, at least ``Formats/ContentBytes/startSize`` where there are as many.
    let start: [UInt8]

    /// What claims may make of the conclusion where the bytes cannot tell these types from it or from one another.
    var possible: Set<MediaType> = []

    private var readText: TextHead??

    init(_ content: ContentBytes) throws {
        self.content = content
        start = try content.start()
    }

    /// The window at the beginning.
    func head() throws -> [UInt8] { try content.head() }

    /// The window at the beginning as text; `nil` where it is none.
    func text() throws -> TextHead? {
        if let readText { return readText }
        let text = try firstText()
        readText = text
        return text
    }

    /// What is no text shows that in its first bytes, mostly; the window is not read for it.
    private func firstText() throws -> TextHead? {
        let isAll = content.size <= Int64(start.count)
        guard let text = TextHead(start, isWhole: isAll) else {
            // A character that the start cuts, or a language that looks otherwise in a larger stretch.
            return try isAll || Self.hasNone(start) ? nil : wholeText()
        }
        return isAll ? text : try wholeText()
    }

    private func wholeText() throws -> TextHead? {
        try TextHead(content.head(), isWhole: content.size <= Int64(content.budget.head))
    }

    private static func hasNone(_ start: [UInt8]) -> Bool { start.contains(0) }
}
