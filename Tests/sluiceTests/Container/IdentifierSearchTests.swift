import Testing

@testable import GroupContainer

/// Every package that comes in is looked for: never by reading all that there are.
@Suite struct IdentifierSearchTests {
    private static let prefix = "substr(id, 1, 8) BETWEEN substr('ab', 1, 8) AND substr('ab~', 1, 8)"

    @Test(arguments: [
        ("object", IdentifierSearch.byDigest, "object_head"),
        ("package", IdentifierSearch.byIdentifier, "package_head"),
        ("package", prefix, "package_head"),
        ("delivery", "object IS ?1 AND sink = 's' AND key = 'k'", "delivery_content"),
        ("delivery", "package = ?1", "delivery_package"),
        ("delivery", "sink = ?1 AND outcome = 'pending'", "delivery_open"),
        ("delivery", "sink = ?1 AND outcome IN ('failed', 'quarantined')", "delivery_trouble"),
    ])
    func goesByAnIndex(table: String, condition: String, index: String) throws {
        let folder = try TestFolder()
        _ = try Container(opening: folder["container"])
        let value = table == "object" ? "x'0123456789abcdef'" : "'0123456789abcdef'"
        let known = condition.replacing("?1", with: value)
        let plan = try SQL.run(
            folder["container"], "EXPLAIN QUERY PLAN SELECT seq FROM \(table) WHERE \(known)")
        #expect(plan.count == 1)
        #expect(plan.allSatisfy { $0.contains("SEARCH") && $0.contains(index) }, "\(plan)")
    }
}
