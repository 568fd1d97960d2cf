import ShareModel
import Testing

/// The command that `sluice forget` suggests for the versions that come back.
@Suite struct ForgetTextTests {
    private let folder: TestFolder
    private let program: Program

    init() throws {
        folder = try TestFolder()
        program = Program(container: folder["container"])
    }

    /// Takes two versions of files in.
    ///
    /// - Returns: the short ids of the first and of the second versions, in the order of the files.
    private func takeInTwoVersions(of count: Int) throws -> (first: [String], second: [String]) {
        let versions = try ["one", "two, longer"].map { text in
            for number in 0..<count { try folder.write("in/\(10 + number).txt", "\(text) of \(number)") }
            let end = try program.ingest(folder["in"], options: ["--no-deliver"])
            return try end.receipts.map { String($0.id.prefix(12)) }
        }
        #expect(versions.map(\.count) == [count, count])
        return (versions[0], versions[1])
    }

    /// The ids of the suggested command; `nil` if there is none.
    private func suggested(by output: String) -> Set<String>? {
        guard let line = output.split(separator: "\n").first(where: { $0.hasPrefix("to forget them too: ") }) else {
            return nil
        }
        let words = line.split(separator: " ").map(String.init)
        #expect(words.dropFirst(4).prefix(2) == ["sluice", "forget"] && words.contains("--container"))
        return Set(words.dropFirst(6).prefix { $0 != "--container" })
    }

    /// After a dry run nothing is forgotten, so its command names both versions.
    @Test func aDryRunNamesAllTogether() throws {
        let (first, second) = try takeInTwoVersions(of: 2)
        let plan = try program.run(["forget", "--dry-run"] + second).output
        #expect(suggested(by: plan) == Set(first + second), "\(plan)")
        let text = try program.run(["forget"] + second).output
        #expect(suggested(by: text) == Set(first), "\(text)")
        #expect(try program.run(["list"]).output.contains(first[0]))
    }

    /// Files that swap their names have each other's content. A person who forgets one must see both names.
    @Test func allNamesOfAPackageAreShown() throws {
        for name in ["letter", "reply"] { try folder.write("in/\(name).txt", name) }
        let first = try program.ingest(folder["in"], options: ["--no-deliver"]).receipts
        for (name, content) in [("letter", "reply"), ("reply", "letter")] {
            try folder.write("in/\(name).txt", content)
        }
        _ = try program.ingest(folder["in"], options: ["--no-deliver"])
        let list = try program.run(["list"]).output
        #expect(list.contains("  letter.txt  also named reply.txt\n"), "\(list)")
        #expect(list.contains("  reply.txt  also named letter.txt\n"), "\(list)")
        let plan = try program.run(["forget", "--dry-run", "--json", first[0].id]).output
        #expect(plan.hasPrefix("{\"would_forget\":") && plan.contains("\"also_named\":[\"reply.txt\"]"), "\(plan)")
        let text = try program.run(["forget", first[0].id]).output
        #expect(text.contains("  letter.txt  also named reply.txt\n"), "\(text)")
    }

    /// Takes files with the same content in, and returns their line of the list from the name on.
    private func listed(_ paths: String...) throws -> String {
        for path in paths { try folder.write("in/\(path)", "the same") }
        _ = try program.ingest(folder["in"], options: ["--no-deliver"])
        let list = try program.run(["list"]).output
        let line = try #require(list.split(separator: "\n").first { $0.contains("8 bytes") })
        return String(try #require(line.split(separator: "8 bytes  ").last))
    }

    /// Names and folders need not be ASCII.
    @Test func anotherNameIsShownWhole() throws {
        #expect(try listed("Größe/brief.txt", "Maße/Grüße an alle.txt") == "brief.txt  also named Grüße an alle.txt")
    }

    /// Another normalization of the same name reads the same.
    @Test(arguments: [
        ["größe/note.txt", "maß/note.txt", "zu/note.txt"], ["a/caf\u{E9}.txt", "b/cafe\u{301}.txt"],
    ])
    func anotherFolderIsNoOtherName(_ paths: [String]) throws {
        for path in paths { try folder.write("in/\(path)", "the same") }
        let end = try program.ingest(folder["in"], options: ["--no-deliver"])
        #expect(try end.receipts.count == paths.count)
        let list = try program.run(["list"]).output
        #expect(!list.contains("also named"), "\(list)")
        let id = try #require(try end.receipts.first?.id)
        let plan = try program.run(["forget", "--dry-run", id]).output
        #expect(!plan.contains("also named"), "\(plan)")
    }

    /// A name of a file with other content by now does not count.
    @Test func furtherNamesAreCounted() throws {
        #expect(try listed("a.txt", "b.txt", "c.txt", "d.txt") == "a.txt  also named d.txt and 2 more")
        let entry = try #require(try program.run(["list", "--json"]).messages.compactMap(\.package).first)
        #expect(entry.alsoNamed == "d.txt" && entry.moreNames == 2)
        let hit = try program.run(["search", "b"]).output
        #expect(hit.contains("a.txt  also named b.txt and 2 more"), "\(hit)")
        try folder.write("in/c.txt", "something else")
        #expect(try listed() == "a.txt  also named d.txt and 1 more")
        let less = try program.run(["search", "b"]).output
        #expect(less.contains("a.txt  also named b.txt and 1 more"), "\(less)")
    }

    /// A command with many ids is no help. The versions are named in any case.
    @Test func aLongCommandIsLeftOut() throws {
        let (first, second) = try takeInTwoVersions(of: 11)
        let plan = try program.run(["forget", "--dry-run"] + second).output
        #expect(first.allSatisfy { plan.contains("\n\($0)  ") } && suggested(by: plan) == nil, "\(plan)")
        #expect(plan.split(separator: "\n").filter { $0.hasSuffix("would be current again") }.count == 11, "\(plan)")
        let text = try program.run(["forget"] + second).output
        #expect(suggested(by: text) == Set(first), "\(text)")
    }
}
