import Foundation

/// The examples of the README and of the page on the commands: the code blocks, each with the heading above it.
struct Readme {
    struct Block {
        /// The last heading above it, without its marks.
        var heading: String
        /// What stands behind the opening fence: `console`, `json`, `swift` …; empty for an indented block.
        var language: String
        var text: String
        /// What a comment `<!-- before: … -->` above the block has a shell do first.
        var before: String

        var lines: [Substring] { text.split(separator: "\n") }
    }

    private(set) var blocks: [Block] = []

    static func load() throws -> Readme {
        let pages = ["README.md", "Sources/Ingestion/Documentation.docc/Commands.md"]
        return Readme(
            try pages.map { try String(contentsOf: PackageDump.root.appending(path: $0), encoding: .utf8) }
                .joined(separator: "\n"))
    }

    init(_ text: String) {
        var (heading, before) = ("", "")
        var open: (fence: Int, block: Block)?
        var indented: [Substring] = []
        func flush(_ blocks: inout [Block]) {
            guard !indented.isEmpty else { return }
            blocks.append(Block(heading: heading, language: "", text: indented.joined(separator: "\n"), before: before))
            (indented, before) = ([], "")
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let content = line.drop { $0 == " " }
            if let (fence, block) = open {
                if content.hasPrefix("```") {
                    blocks.append(block)
                    open = nil
                } else {
                    open?.block.text += line.dropFirst(min(fence, line.count - content.count)) + "\n"
                }
            } else if content.hasPrefix("```") {
                flush(&blocks)
                let language = String(content.drop { $0 == "`" })
                open = (
                    line.count - content.count, Block(heading: heading, language: language, text: "", before: before)
                )
                before = ""
            } else if line.hasPrefix("    ") {
                indented.append(line.dropFirst(4))
            } else {
                flush(&blocks)
                if line.hasPrefix("#") { heading = line.drop { $0 == "#" || $0 == " " }.description }
                if line.hasPrefix("<!-- before: ") { before = String(line.dropFirst(13).dropLast(4)) }
            }
        }
        flush(&blocks)
    }

    func blocks(_ language: String) -> [Block] { blocks.filter { $0.language == language } }
}
