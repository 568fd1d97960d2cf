import ShareModel
import SystemPackage
import Testing

@testable import GroupContainer

/// Every package that comes in is looked for: never by reading all that there are.
@Suite struct IdentifierSearchTests {
    @Test(arguments: [
        (IdentifierSearch.object("seq"), ["object_new", "object_head"]),
        (IdentifierSearch.package("seq"), ["package_head"]),
        (IdentifierSearch.packages("seq"), ["package_head"]),
    ])
    func whatComesInGoesByAnIndex(query: String, indexes: [String]) throws {
        let folder = try TestFolder()
        _ = try Container(opening: folder["container"])
        let value = query.contains("sha256") ? "x'0123456789abcdef'" : "'0123456789abcdef'"
        let plan = try SQL.run(
            folder["container"],
            "EXPLAIN QUERY PLAN \(query.replacing("?1", with: value).replacing("?2", with: value))")
        for table in ["object", "package"] { #expect(!plan.contains { $0.contains("SCAN \(table)") }, "\(plan)") }
        for index in indexes {
            #expect(plan.contains { $0.contains("SEARCH") && $0.contains("INDEX \(index) ") }, "\(plan)")
        }
    }

    /// Digests move from one index to the other now and then, and a package lies in a part by its number: each is found
    /// wherever it is.
    @Test func isFoundInEveryPart() throws {
        let folder = try TestFolder()
        let container = try Container(opening: folder["container"])
        let names = ["a1", "b2", "c3", "d4"]
        let proposals = names.map { PackageProposal.accepted($0, [$0], path: FilePath("/in/\($0)")) }
        _ = try container.catalog.commit([proposals[0]])
        // As if nearly as many had come in as lie in a part.
        try SQL.run(
            folder["container"],
            """
            INSERT INTO object (seq, sha256, size) VALUES (32766, zeroblob(32), 0);
            UPDATE sqlite_sequence SET seq = 70000 WHERE name = 'package'
            """)
        _ = try container.catalog.commit(Array(proposals.dropFirst()))
        let unmerged = try SQL.run(folder["container"], "SELECT seq FROM object WHERE merged IS NULL")
        #expect(unmerged == ["32769"])
        #expect(try SQL.run(folder["container"], "SELECT seq >> 15 FROM package ORDER BY 1") == ["0", "2", "2", "2"])
        for name in names { #expect(try container.catalog.receipt(name).id == name) }
        #expect(try container.catalog.knownObjects(among: Set(names.map { Digest(of: $0) })).count == 4)
        #expect(try container.catalog.commit(proposals).map(\.outcome) == Array(repeating: .duplicate, count: 4))
        #expect(try Set(Shard.all.flatMap { try digests(in: $0, of: folder["container"]) }).count == 5)
    }

    /// Of all objects in a folder of the store, in their order, a few at a time.
    private func digests(in shard: Shard, of container: FilePath) throws -> [Digest] {
        let database = try CatalogDatabase(reading: ContainerLayout(root: container).catalog)
        var digests: [Digest] = []
        while case let page = try database.read({ [digests] in
            try ObjectEntry.page($0, shard: shard.byte, after: digests.last, limit: 1)
        }), !page.isEmpty {
            digests += page.map(\.digest)
        }
        #expect(digests.map(\.description) == digests.map(\.description).sorted())
        return digests
    }

    @Test(arguments: [
        ("delivery", "object IS ?1 AND sink = 's' AND key = 'k'", "delivery_content"),
        ("delivery", "package = ?1", "delivery_package"),
        ("delivery", "sink = ?1 AND outcome = 'pending'", "delivery_open"),
        ("delivery", "sink = ?1 AND outcome IN ('failed', 'quarantined')", "delivery_trouble"),
    ])
    func goesByAnIndex(table: String, condition: String, index: String) throws {
        let folder = try TestFolder()
        _ = try Container(opening: folder["container"])
        let known = condition.replacing("?1", with: "'0123456789abcdef'")
        let plan = try SQL.run(
            folder["container"], "EXPLAIN QUERY PLAN SELECT seq FROM \(table) WHERE \(known)")
        #expect(plan.count == 1)
        #expect(plan.allSatisfy { $0.contains("SEARCH") && $0.contains(index) }, "\(plan)")
    }
}
