import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import Reading

/// The real program walks over every folder in Samples/groups. To add a case, add a folder.
@Suite struct GroupSampleTests {
    /// Each line of a case's `.expected` has the files of one package, with their roles if they are not `content`.
    @Test(arguments: GroupSample.all) func packages(of sample: GroupSample) throws {
        let place = try TestFolder()
        let program = Program(container: place["container"])
        let receipts = try program.ingest(sample.folder, options: ["--no-deliver"]).receipts
        #expect(receipts.allSatisfy { $0.outcome == .accepted })
        let roles = try Self.roles(place["container"])
        let found = try receipts.map { try Self.line($0, below: sample.folder, roles: roles) }
        let expected = try sample.expected()
        #expect(found == expected)
    }

    private static func line(_ receipt: Receipt, below folder: FilePath, roles: [String: [String]]) throws -> String {
        let lead = String(receipt.source.path.dropFirst(folder.string.count + 1))
        let names = [lead] + receipt.providers.dropFirst().map(\.name)
        let roles = try #require(roles[receipt.id])
        #expect(names.count == roles.count && receipt.groups.count == 1)
        return zip(names, roles).map { $1 == "content" ? $0 : "\($0) (\($1))" }.joined(separator: ", ")
    }

    /// The roles in the deliveries, by package. All deliveries of a package with one group have the same.
    private static func roles(_ container: FilePath) throws -> [String: [String]] {
        let rows = try SQL.run(
            container, "SELECT package.id, payload FROM delivery JOIN package ON package.seq = delivery.package")
        return rows.reduce(into: [:]) { roles, row in
            let parts = row.split(separator: "|").map(String.init)
            roles[parts[0]] = parts[1].split(separator: " ").map(String.init)
        }
    }

    /// The first case of a rule makes packages of several files, and the second one makes none.
    @Test(arguments: FolderRule.all.map(\.name)) func everyRuleHasItsSamples(_ rule: String) throws {
        let name = rule.lowercased().replacing(" ", with: "-")
        #expect(try GroupSample(name: name).expected().allSatisfy { $0.contains(", ") })
        let lookalikes = try GroupSample(name: name + "-lookalike").expected()
        #expect(lookalikes.count > 1 && !lookalikes.contains { $0.contains(", ") })
    }

    @Test func everySampleHasARow() throws {
        let page = try String(contentsOf: PackageDump.root.appending(path: "Samples/README.md"), encoding: .utf8)
        let section = try #require(
            page.components(separatedBy: "\n## ").first { $0.hasPrefix("Files of one folder") })
        let rows = section.matches(of: /(?m)^\| `([a-z-]+)\/` \|/).map { String($0.1) }
        #expect(rows.sorted() == GroupSample.all.map(\.name))
    }
}

/// A folder in Samples/groups.
struct GroupSample: CustomTestStringConvertible, CustomStringConvertible, Sendable {
    let name: String

    private static let home = FilePath(PackageDump.root.appending(path: "Samples/groups").path)

    static let all = Disk.names(in: home).filter { !$0.hasSuffix(".expected") }.map { GroupSample(name: $0) }

    var description: String { name }
    var testDescription: String { name }
    var folder: FilePath { Self.home.appending(name) }

    func expected() throws -> [String] {
        try String(contentsOfFile: folder.string + ".expected", encoding: .utf8).split(separator: "\n").map(String.init)
    }
}
