import ShareModel
import SystemPackage
import Testing

@testable import ContainerTools
@testable import Files
@testable import GroupContainer

/// The lookups of every ingested package use an index and never scan a table.
@Suite struct IdentifierSearchTests {
    @Test(arguments: [
        (IdentifierSearch.object("seq"), ["object_new", "object_head"]),
        (IdentifierSearch.package("seq"), ["package_head"]),
        (IdentifierSearch.packageRange("seq"), ["package_head"]),
        (IdentifierSearch.object("seq", where: "lost IS NULL"), ["object_new", "object_head"]),
        (ObjectEntry.pageQuery, ["object_new", "object_head"]),
    ])
    func lookupsOfNewPackagesUseAnIndex(query: String, indexes: [String]) throws {
        let folder = try TestFolder()
        _ = try Container.open(at: folder["container"])
        let value = query.contains("sha256") ? "x'0123456789abcdef'" : "'0123456789abcdef'"
        let plan = try SQL.run(
            folder["container"],
            "EXPLAIN QUERY PLAN "
                + query.replacing("?1", with: value).replacing("?2", with: value).replacing("?3", with: "9"))
        for index in indexes { #expect(plan.contains { $0.contains(" USING INDEX \(index)") }, "\(plan)") }
        #expect(!plan.contains { $0.contains("SCAN object") || $0.contains("SCAN package") }, "\(plan)")
    }

    /// Digests move from one index to the other, and a package's number determines its part of the index. Lookups must
    /// find both everywhere.
    @Test func isFoundInEveryPart() throws {
        let folder = try TestFolder()
        let container = try Container.open(at: folder["container"])
        let names = ["a1", "b2", "c3", "d4"]
        let proposals = names.map { PackageProposal.accepted($0, [$0], path: FilePath("/in/\($0)")) }
        _ = try container.catalog.commit([proposals[0]])
        // The next objects reach the number at which the indexes merge, and the next packages lie in a later part.
        try SQL.run(
            folder["container"],
            """
            INSERT INTO object (seq, sha256, size) VALUES (8190, zeroblob(32), 0);
            UPDATE sqlite_sequence SET seq = 70000 WHERE name = 'package'
            """)
        _ = try container.catalog.commit(Array(proposals.dropFirst()))
        let unmerged = try SQL.run(folder["container"], "SELECT seq FROM object WHERE merged IS NULL")
        #expect(unmerged == ["8193"])
        #expect(try SQL.run(folder["container"], "SELECT seq >> 15 FROM package ORDER BY 1") == ["0", "2", "2", "2"])
        for name in names { #expect(try container.catalog.receipt(name).id == name) }
        #expect(try container.catalog.knownObjects(among: Set(names.map { Digest(of: $0) })).count == 4)
        #expect(try container.catalog.commit(proposals).map(\.outcome) == Array(repeating: .duplicate, count: 4))
    }

    @Test func aPrefixOfPackagesInTwoPartsIsAmbiguous() throws {
        let folder = try TestFolder()
        let container = try Container.open(at: folder["container"])
        _ = try container.catalog.commit([.accepted("ab1", ["one"], path: "/in/1")])
        try SQL.run(folder["container"], "UPDATE sqlite_sequence SET seq = 70000 WHERE name = 'package'")
        _ = try container.catalog.commit([.accepted("ab2", ["two"], path: "/in/2")])
        for id in ["ab1", "ab2"] { #expect(try container.catalog.receipt(id).id == id) }
        #expect(throws: ContainerError.self) { try container.catalog.receipt("ab") }
    }

    /// Pages hold all objects in the order of their digests, from both indexes, even if several digests have the same
    /// first 32 bits.
    @Test(arguments: [1, 2, 3, 100]) func objectsAreReadInTheOrderOfTheirDigests(limit: Int) throws {
        let folder = try TestFolder()
        _ = try Container.open(at: folder["container"])
        // The first byte determines the folder.
        let heads = [
            "aa000000", "aa000000", "aa000000", "aa000001", "aa7f0000", "aa800000", "aaffffff", "a9ffffff", "ab000000",
        ]
        let rows = heads.enumerated().map { place, head in
            let tail = String(repeating: "\(9 - place)", count: 56)
            return "(x'\(head)\(tail)', 0, \(place.isMultiple(of: 2) ? "NULL" : "1"))"
        }
        try SQL.run(
            folder["container"], "INSERT INTO object (sha256, size, merged) VALUES \(rows.joined(separator: ", "))")
        let database = try CatalogDatabase(
            reading: ContainerLayout(root: folder["container"]).catalog, SystemFileSystem())
        var found: [Digest] = []
        while case let page = try database.read({ [found] in
            try ObjectEntry.page($0, shard: 0xAA, after: found.last, limit: limit)
        }), !page.isEmpty {
            #expect(page.count <= limit)
            found += page.map(\.digest)
        }
        #expect(found.count == 7)
        #expect(found.map(\.description) == found.map(\.description).sorted())
    }

    @Test(arguments: [
        ("delivery", "object IS ?1 AND sink = 's' AND key = 'k'", "delivery_content"),
        ("delivery", "package = ?1", "delivery_package"),
        ("delivery", "sink = ?1 AND outcome = 'pending'", "delivery_open"),
        ("delivery", "sink = ?1 AND outcome IN ('failed', 'quarantined')", "delivery_trouble"),
    ])
    func otherQueriesUseAnIndex(table: String, condition: String, index: String) throws {
        let folder = try TestFolder()
        _ = try Container.open(at: folder["container"])
        let known = condition.replacing("?1", with: "'0123456789abcdef'")
        let plan = try SQL.run(
            folder["container"], "EXPLAIN QUERY PLAN SELECT seq FROM \(table) WHERE \(known)")
        #expect(plan.count == 1)
        #expect(plan.allSatisfy { $0.contains("SEARCH") && $0.contains(index) }, "\(plan)")
    }
}
