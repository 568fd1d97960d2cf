import Foundation
import ShareModel
import Testing

@testable import Reading
@testable import sluice

/// The guides list what the program has: each limit, each option, each form of standard input.
@Suite struct GuideTests {
    private func guide(_ path: String) throws -> String {
        try String(contentsOf: PackageDump.root.appending(path: "Sources/\(path)"), encoding: .utf8)
    }

    private func section(_ title: String, of page: String) throws -> String {
        let parts = page.components(separatedBy: "\n## \(title)\n")
        try #require(parts.count == 2)
        return try #require(parts[1].components(separatedBy: "\n## ").first)
    }

    /// A limit without its consequence in the guide is one that nobody can rely on.
    @Test func everyLimitOfReadingIsExplained() throws {
        let page = try guide("Reading/Documentation.docc/Reading.md")
        let table = try section("Limits", of: page)
        let limits = Mirror(reflecting: ReadingLimits()).children.compactMap(\.label)
        #expect(limits.count > 15)
        for limit in limits { #expect(table.contains("``ReadingLimits/\(limit)``"), "\(limit)") }
        let named = Set(table.matches(of: /``ReadingLimits\/(\w+)``/).map { String($0.output.1) })
        #expect(named.subtracting(limits).isEmpty)
    }

    /// The options that name an input, as the program's own help lists them.
    @Test func everyWayInIsExplained() throws {
        let page = try guide("Ingestion/Documentation.docc/Commands.md")
        let section = try section("What ingest and inspect take in", of: page)
        let options = Set(InputOptions.helpMessage().matches(of: /--[a-z-]+/).map { String($0.output) })
            .subtracting(["--help", "--version", "--null"])
        #expect(options.isSuperset(of: ["--files-from", "--name", "--title", "--text"]))
        for option in options { #expect(section.contains(option), "\(option)") }
        #expect(section.contains("`-0`") && section.contains("4,096 bytes") && PeekableStream.headBytes == 4_096)
    }

    /// The messages that the guide promises are those of the program.
    @Test func theFormsOfStandardInputAreThoseOfTheMessage() throws {
        for words in ["JSON", "multipart/form-data", "one web address"] {
            #expect(PipeBeginning.expected.contains(words))
            #expect(try guide("Ingestion/Documentation.docc/Commands.md").contains(words))
        }
    }
}
