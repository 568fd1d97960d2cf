import Foundation
import SystemPackage
import Testing

/// A small description with many links, whose title each answer of the sink repeats. A package is indexed once for all of
/// its changes, and within limits, so the work does not grow with the square of the links.
@Suite struct ManyLinksTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder(inMemory: true) }

    @Test func theWorkForWordsHasALimit() throws {
        let root = folder["container"]
        let words = (0..<2_500).map { "w\($0 % 977)" }.joined(separator: " ")
        let links = (0..<120).map { #"{"representations": [{"link": "https://example.org/\#($0)"}]}"# }
        try folder.write(
            "in/links.share/share.json",
            """
            {"version": 1, "items": [{"title": "\(words)", "text": "\(words)", "attachments": [
                \(links.joined(separator: ",\n"))
            ]}]}
            """)
        let program = Program(container: root)
        let end = try program.ingest(folder["in"])
        #expect(end.status == 0, "\(end.errors)")
        #expect(try end.summary.deliveries.delivered == 120)
        #expect(try program.run(["search", "w976"]).status == 0)
        let last = try #require(try SQL.run(root, "SELECT max(seq) FROM change").first)
        #expect(try SQL.run(root, "SELECT seen FROM entry", in: "search.sqlite") == [last], "one read saw everything")
        // Each of the deliveries has more than 10,000 bytes of words, and most of them are the same.
        let bytes = try SQL.run(root, "SELECT length(text) < 100000 FROM words", in: "search.sqlite")
        #expect(bytes == ["1"])
    }
}
