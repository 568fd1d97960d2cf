import Formats
import Foundation
import ShareModel
import Testing

@testable import Sniffing

/// The text inspectors are at least as accurate as libmagic, for each type.
@Suite("Text beside libmagic")
struct TextAccuracyTests {
    private static let classes: Set<String> = ["text", "mail", "html", "link"]

    // The corpus is not part of the project; without it this test is skipped.
    @Test(.enabled(if: Corpus.isPresent, "no corpus: set SLUICE_CORPUS to its folder"))
    func isRightWhereLibmagicIsRight() throws {
        let magic = try Magic(window: ContentBytes.Budget.standard.head)
        let sniffer = try MagicSniffer()
        var exceptions: [String] = []
        var asked = 0
        var right = (ours: 0, theirs: 0)
        for row in try Corpus.rows() {
            let bytes = [UInt8](try Data(contentsOf: row.url))
            let isText = TextHead(Array(bytes.prefix(64 << 10)), isWhole: bytes.count <= 64 << 10) != nil
            guard isText || !row.classes.isDisjoint(with: Self.classes) else { continue }
            let found = try sniffer.identify(ContentBytes(bytes), claims: TypeClaims())
            let theirs = magic.type(of: Array(bytes.prefix(64 << 10)))
            asked += isText && found.evidence.contains { $0.source == "libmagic" } ? 1 : 0
            right.ours += row.right.contains(found.type.description) ? 1 : 0
            guard row.right.contains(theirs.description) else { continue }
            right.theirs += 1
            if !row.right.contains(found.type.description) {
                exceptions.append("\(row.path): \(found.type), not \(theirs)")
            }
        }
        print("text rows right: \(right.ours), libmagic alone: \(right.theirs)")
        #expect(exceptions.isEmpty, Comment(rawValue: exceptions.joined(separator: "\n")))
        #expect(right.ours > right.theirs)
        #expect(asked == 0)
    }
}
