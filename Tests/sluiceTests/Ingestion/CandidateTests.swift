import Formats
import Testing

@testable import Ingestion

@Suite struct CandidateTests {
    /// If each level of nesting looked twice, the innermost text would be looked at 1,024 times.
    @Test func eachNestedTextIsLookedAtOnce() {
        var list = PropertyList.string("words")
        for _ in 0..<10 { list = .array([list]) }
        var looks = 0
        let found = PropertyListFileURL.first(in: list) { _ in
            looks += 1
            return true
        }
        #expect(found == "words")
        #expect(looks == 1)
    }

    @Test func theFirstFileURLIsFound() {
        let list = PropertyList.array([.string("words"), .array([.string(" file:///a ")]), .string("file:///b")])
        #expect(PropertyListFileURL.first(in: list) { $0.isFileURL } == "file:///a")
        #expect(PropertyListFileURL.first(in: .array([])) { $0.isFileURL } == nil)
    }
}
