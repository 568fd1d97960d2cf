import Foundation
import GroupContainer
import ShareModel
import SystemPackage
import Testing

/// A small description with many links, whose title each answer of the sink repeats. The words of a package are indexed
/// in bounded pieces, so the work does not grow with the square of the links.
@Suite struct ManyLinksTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder(inMemory: true) }

    @Test func theWorkForWordsHasALimit() throws {
        let root = folder["container"]
        _ = try Container.open(at: root)
        try WordsTests.countWrites(root)
        let words = (0..<2_500).map { "w\($0 % 977)" }.joined(separator: " ")
        let links = (0..<120).map { #"{"representations": [{"link": "https://example.org/\#($0)"}]}"# }
        try folder.write(
            "in/links.share/share.json",
            """
            {"version": 1, "items": [{"title": "\(words)", "text": "\(words)", "attachments": [
                \(links.joined(separator: ",\n"))
            ]}]}
            """)
        let end = try Program(container: root).ingest(folder["in"])
        #expect(end.status == 0, "\(end.errors)")
        #expect(try end.summary.deliveries.delivered == 120)
        // Each of the deliveries has more than 10,000 bytes of words: 1.2 MB, and 72 MB with the square.
        #expect(try WordsTests.written(root) < 8 << 20)
    }
}
