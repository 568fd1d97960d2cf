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
        (["before:2020-13"], "is no date"), (["-after:2020"], "after: cannot be excluded"),
        (["after:20"], "is no date"),
        (["after:2030 after:2020"], "after: is there twice"),
        (["before:2030", "before:2020"], "before: is there twice"),
        (["after:2020-1-1-1"], "is no date"),
        (["subjekt:tea"], "there is no filter subjekt:; the filters are type:, from:"),
    ])
    func aProblemIsNamed(_ words: [String], _ problem: String) {
        let error = #expect(throws: SearchQuery.Problem.self) { try SearchQuery(words) }
        #expect(error?.description.contains(problem) ?? false)
    }

    @Test func aQueryHasALimit() throws {
        let limit = SearchQuery.termLimit
        #expect(try SearchQuery([String(repeating: "a ", count: limit)]).groups.count == limit)
        let many = #expect(throws: SearchQuery.Problem.self) {
            try SearchQuery([String(repeating: "a ", count: limit + 1)])
        }
        #expect(many?.description.contains("there are 65 words; write at most 64") == true)
        _ = try SearchQuery([String(repeating: "a", count: SearchQuery.byteLimit)])
        // A word that was cut would find another one with the same beginning.
        let long = #expect(throws: SearchQuery.Problem.self) {
            try SearchQuery([String(repeating: "a", count: SearchQuery.byteLimit + 1)])
        }
        #expect(long?.description.contains("has 513 bytes; write at most 512") == true)
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
