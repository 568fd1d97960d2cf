internal import Formats
internal import ShareModel

/// The content under inspection, with data that several inspectors need.
final class Sample {
    let content: ContentBytes
    /// The first bytes: at least ``Formats/ContentBytes/startSize``, or all if there are fewer.
    let start: [UInt8]

    /// Types that a claim may give to the content, because the bytes cannot distinguish them from the conclusion or
    /// from each other. An inspector sets it; the sniffer forgets it at the next finding of another inspector.
    var possible: Set<MediaType> = []

    /// `nil` until the text was read. The inner optional is `nil` if the content is not text.
    private var readText: TextHead??
    /// `nil` until the directory was read. The inner optional is `nil` if there is none.
    private var readDirectory: ZipDirectory??

    init(_ content: ContentBytes) throws {
        self.content = content
        start = try content.start()
    }

    /// The window at the beginning.
    func head() throws -> [UInt8] { try content.head() }

    /// The directory of a zip archive; `nil` if there is none.
    func zipDirectory() throws -> ZipDirectory? {
        if let readDirectory { return readDirectory }
        let directory = try ZipDirectory(content)
        readDirectory = .some(directory)
        return directory
    }

    /// The window at the beginning as text; `nil` if it is not text.
    func text() throws -> TextHead? {
        if let readText { return readText }
        let text = try firstText()
        readText = text
        return text
    }

    /// Decodes the first bytes as text. Other content usually shows this in them, which saves the read of the window.
    private func firstText() throws -> TextHead? {
        let isAll = content.size <= Int64(start.count)
        guard let text = TextHead(start, isWhole: isAll) else {
            // The start may cut a character, or may be too short to recognize a language.
            return try isAll || Self.hasNone(start) ? nil : wholeText()
        }
        return isAll ? text : try wholeText()
    }

    private func wholeText() throws -> TextHead? {
        try TextHead(content.head(), isWhole: content.size <= Int64(content.budget.head))
    }

    private static func hasNone(_ start: [UInt8]) -> Bool { start.contains(0) }
}
