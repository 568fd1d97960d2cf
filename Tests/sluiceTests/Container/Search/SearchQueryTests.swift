import Testing

@testable import ContainerTools

/// Reads what a person types.
@Suite struct SearchQueryTests {
    @Test(arguments: [
        [""], ["  ", "-"], ["\""], ["OR"], ["*"], ["()"],
    ])
    func nothingToLookForIsSaid(_ words: [String]) {
        #expect(
            throws: SearchQuery.Problem(description: "there is no word to look for; write one with a letter or a digit")
        ) {
            try SearchQuery(words)
        }
    }

    @Test(arguments: [
        (["-tea"], "all words are excluded"), (["type:"], "type: has no word"), (["after:may"], "after:may is no date"),
        (["before:2020-13"], "is no date"), (["-after:2020"], "is no date"), (["after:20"], "is no date"),
        (["after:2020-1-1-1"], "is no date"),
        (["subjekt:tea"], "there is no filter subjekt:; the filters are type:, from:"),
    ])
    func aProblemIsNamed(_ words: [String], _ problem: String) {
        let error = #expect(throws: SearchQuery.Problem.self) { try SearchQuery(words) }
        #expect(error?.description.contains(problem) ?? false)
    }

    @Test func aQueryHasALimit() throws {
        #expect(try SearchQuery([String(repeating: "a ", count: 100)]).groups.count == SearchQuery.termLimit)
        let long = try SearchQuery([String(repeating: "a", count: 10_000)]).match() ?? ""
        #expect(long.utf8.count < 3 * SearchQuery.byteLimit)
    }

    @Test func datesAreCompleted() throws {
        let query = try SearchQuery(["after:2024-3", "before:2025-01-9"])
        #expect(query.after == "2024-03" && query.before == "2025-01-09" && query.match() == nil)
    }

    /// A web address has a colon, and is no filter.
    @Test func otherColonsAreSigns() throws {
        for text in ["https://example.org", "mailto:a@example.org", "c:/tea", "12:30", "\"re: tea\""] {
            #expect(try SearchQuery([text]).groups.count == 1, "\(text)")
        }
        #expect(try SearchQuery(["Type:PDF"]).match()?.contains("{kind}") ?? false)
    }
}
