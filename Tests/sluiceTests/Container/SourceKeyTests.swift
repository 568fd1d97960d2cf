import Testing

@testable import GroupContainer

/// The queries for the packages of one path run for each package that comes in, so they must not read whole tables.
@Suite struct SourceKeyTests {
    @Test(arguments: [
        "SELECT seq FROM package WHERE \(SourceKey.ofPath) AND superseded_by IS NULL ORDER BY seq",
        "UPDATE package SET superseded_by = 'x' WHERE \(SourceKey.ofPath) AND superseded_by IS NULL AND seq <> 4",
        "SELECT seq FROM package WHERE seq IN (\(SourceKey.numbers)) ORDER BY seq",
        "SELECT source.path \(SourceKey.sources)",
    ])
    func noTableIsScanned(_ query: String) throws {
        let folder = try TestFolder()
        _ = try Container.open(at: folder["container"])
        let values = query.replacing("?1", with: "x'2f61'").replacing("?2", with: "1").replacing("?3", with: "4")
        let plan = try SQL.run(folder["container"], "EXPLAIN QUERY PLAN " + values)
        // The subquery for the paths of one package, and the numbers of the packages of one path, are short lists.
        let scans = plan.filter { $0.contains("SCAN ") && !$0.contains("SCAN arrival") }
        #expect(!plan.isEmpty && scans.isEmpty, "\(plan)")
    }
}
