import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import Files
@testable import Reading

@Suite struct IgnoreTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// What a walk over a folder says of each entry: the kind of its package, or why it is left out.
    private func walk(_ path: FilePath, ignoring patterns: [String] = []) throws -> [String: String] {
        var reader = try PackageReader(AddressList([.path(path)]), ignoring: patterns)
        var told: [String: String] = [:]
        while let input = reader.next() {
            let (source, word) =
                switch input {
                case .package(let package, _): (package.source, package.source.kind.rawValue)
                case .skipped(let source, let why): (source, "skipped: \(why)")
                case .recorded(let source, _): (source, "recorded")
                case .unusable(let source, let error), .failed(let source, let error): (source, "failed: \(error.code)")
                }
            told[String(decoding: source.path.bytes.dropFirst(path.bytes.count + 1), as: UTF8.self)] = word
        }
        return told
    }

    /// The files that a walk takes.
    private func taken(_ path: FilePath, ignoring patterns: [String] = []) throws -> Set<String> {
        Set(try walk(path, ignoring: patterns).filter { $0.value == "file" }.keys)
    }

    /// Writes the files and the lists of a case, under the names that Sluice and git have for lists.
    private func write(_ sample: IgnoreCase, to name: String) throws {
        for file in sample.files { try folder.write("\(name)/\(file)", "") }
        for (place, list) in sample.lists {
            for file in [".sluiceignore", ".gitignore"] {
                try folder.write(place.isEmpty ? "\(name)/\(file)" : "\(name)/\(place)/\(file)", list)
            }
        }
    }

    @Test(arguments: IgnoreCase.all) func thePatternsDecide(_ sample: IgnoreCase) throws {
        try write(sample, to: "in")
        #expect(try taken(folder["in"]) == Set(sample.files).subtracting(sample.ignored))
    }

    /// The expectations above are git's, and so are the decisions on what no person would write.
    @Test(.needs("git", Git.isThere)) func gitDecidesTheSame() throws {
        var generator = SeededGenerator(seed: 16)
        let made = (0..<100).map { IgnoreCase(random: $0, &generator) }
        let all = IgnoreCase.all + made
        for (number, sample) in all.enumerated() { try write(sample, to: "in/\(number)") }
        let git = try Git(folder["in"], scratch: folder)
        let ignored = try git.ignored(
            all.enumerated().flatMap { number, sample in
                sample.files.map { "\(number)/\($0)" }
            })
        var count = 0
        for (number, sample) in all.enumerated() {
            let expected = Set(sample.files.filter { !ignored.contains("\(number)/\($0)") })
            if number < IgnoreCase.all.count {
                #expect(expected == Set(sample.files).subtracting(sample.ignored), "git on \(sample.testDescription)")
            } else {
                count += sample.files.count - expected.count
                #expect(try taken(folder["in/\(number)"]) == expected, "\(sample.testDescription)")
            }
        }
        #expect(count > 100, "the patterns fit only \(count) files")
    }

    /// The patterns of a run decide before the lists, as those of git's option `--exclude`.
    @Test(.needs("git", Git.isThere)) func thePatternsOfARunDecideFirst() throws {
        var generator = SeededGenerator(seed: 2)
        let fixed = IgnoreCase("", ["": "!*.log\n*.tmp"], ["a.log", "a.tmp", "b.tmp", "b/a.log"], ignored: [])
        for (number, sample) in ([fixed] + (0..<12).map { IgnoreCase(random: $0, &generator) }).enumerated() {
            var (sample, patterns) = (sample, ["*.log", "!b.tmp"])
            if number > 0 {
                patterns = (sample.lists[""] ?? "").split(separator: "\n").map(String.init)
                sample.lists[""] = "x\n!y\na*/"
            }
            // A run refuses a pattern that fits nothing.
            let usable = patterns.filter { IgnorePattern(Array($0.utf8)) != nil }
            try write(sample, to: "in\(number)")
            let git = try Git(folder["in\(number)"], scratch: folder)
            let found = try taken(folder["in\(number)"], ignoring: usable)
            #expect(found == (try git.taken(excluding: patterns)), "\(patterns) \(sample.lists)")
            if number == 0 { #expect(found == ["b.tmp"]) }
        }
    }

    @Test func theReasonNamesThePatternAndItsList() throws {
        let long = String(repeating: "[x]", count: 1_000)
        try folder.write("in/sub/.sluiceignore", "*.tmp\n\(long)*\n")
        let name = String(repeating: "x", count: 200)
        for file in ["a.log", "sub/a.tmp", "sub/deeper/b.tmp", "sub/taken", ".hidden"] {
            try folder.write("in/\(file)", "")
        }
        try folder.write("in/sub/\(name)", "")
        let told = try walk(folder["in"], ignoring: ["*.log", "!.hidden"])
        #expect(told["a.log"] == "skipped: left out by the pattern *.log")
        #expect(told["sub/a.tmp"] == "skipped: left out by the pattern *.tmp in sub/.sluiceignore")
        #expect(told["sub/deeper/b.tmp"] == told["sub/a.tmp"])
        #expect(told["sub/taken"] == "file" && told["sub/\(name)"] == "file")
        #expect(told["sub/.sluiceignore"] == "skipped: the list of what is left out here")
        #expect(told[".hidden"]?.hasPrefix("skipped: hidden") == true, "no pattern takes a hidden file in")
        try folder.write("in/sub/.sluiceignore", String(repeating: "[x]", count: 200))
        #expect((try walk(folder["in"])["sub/\(name)"]?.utf8.count ?? .max) < 200)
    }

    /// A folder that is left out costs one line, whatever is in it; so does a share.
    @Test func whatIsLeftOutIsNotOpened() throws {
        for file in ["build/a", "build/b/c", "x.share/share.json", "Letter.pages/index.xml"] {
            try folder.write("in/\(file)", "broken")
        }
        let told = try walk(folder["in"], ignoring: ["build/", "*.share", "*.pages/"])
        #expect(told.keys.sorted() == ["Letter.pages", "build", "x.share"])
        #expect(told.values.allSatisfy { $0.hasPrefix("skipped: left out") })
    }

    /// What a pattern leaves out must not come in as a part of a document or of a saved page.
    @Test func aDocumentIsWalkedIfAPatternFitsAnythingInIt() throws {
        try folder.write("in/a.html", "<img src='a_files/b.png'>")
        for file in ["Letter.pages/index.xml", "Letter.pages/Data/c.tmp", "a_files/b.png", "a_files/sub/d.tmp"] {
            try folder.write("in/\(file)", file)
        }
        #expect(try walk(folder["in"], ignoring: ["*.log", "/sub"]) == ["Letter.pages": "bundle", "a.html": "group"])
        let parts = ["Letter.pages/index.xml", "a.html", "a_files/b.png"]
        for pattern in ["*.tmp", "c.tmp\nd.tmp", "Data/\nsub/", "Letter.pages/Data\n/a_files/sub/*"] {
            let patterns = pattern.split(separator: "\n").map(String.init)
            #expect(try taken(folder["in"], ignoring: patterns) == Set(parts), "\(pattern)")
            try folder.write("in/.sluiceignore", pattern)
            #expect(try taken(folder["in"]) == Set(parts), "\(pattern)")
            try FileManager.default.removeItem(atPath: folder["in/.sluiceignore"].string)
        }
        try folder.write("in/a_files/.sluiceignore", "*.tmp")
        #expect(try walk(folder["in"])["Letter.pages"] == "bundle")
        #expect(try taken(folder["in"]) == ["a.html", "a_files/b.png"])
        // A walk that begins with the document counts paths from there.
        #expect(try walk(folder["in/Letter.pages"], ignoring: ["/index.xml/"]) == ["": "bundle"])
        #expect(try taken(folder["in/Letter.pages"], ignoring: ["/Data/*"]) == ["index.xml"])
    }

    /// The walk reports the list. To pack the document would take in what a person wants left out.
    @Test func aDocumentWithAListThatCannotBeReadFails() throws {
        try folder.write("in/Letter.pages/index.xml", "")
        try folder.write("in/Letter.pages/.sluiceignore/x", "")
        #expect(try walk(folder["in"]) == ["Letter.pages": "failed: refused"])
    }

    @Test func aPathThatAPersonNamesComesIn() throws {
        try folder.write("in/a.tmp", "")
        try folder.write("in/.sluiceignore", "*\n")
        #expect(try taken(folder["in"]).isEmpty)
        #expect(try walk(folder["in/a.tmp"], ignoring: ["*"]) == ["": "file"])
        try folder.write("in/sub/a.txt", "")
        #expect(try taken(folder["in/sub"], ignoring: ["sub/"]) == ["a.txt"])
    }

    @Test func namesNeedNotBeUTF8() throws {
        try folder.write("in/.sluiceignore", [0xE4] + Array("*\n".utf8))
        for bytes: [UInt8] in [[0xE4, 0x61], [0xE5, 0x61]] {
            let path = FilePath(bytes: folder["in"].bytes + Array("/".utf8) + bytes)
            try FileDescriptor.open(path, .writeOnly, options: .create, permissions: .ownerReadWrite).close()
        }
        var reader = PackageReader(paths: [folder["in"]])
        var names: [[UInt8]] = []
        while let input = reader.next() {
            if case .package(let package, _) = input { names.append(package.source.path.lastComponent?.bytes ?? []) }
        }
        #expect(names == [[0xE5, 0x61]])
    }

    /// To walk on without the list would take in what a person wants left out.
    enum Broken: CaseIterable {
        case folder, link, fifo, long, longPattern, manyPatterns
    }

    @Test(arguments: Broken.allCases) func aFolderWhoseListCannotBeReadFails(_ broken: Broken) throws {
        let list = folder["in/b/.sluiceignore"]
        for file in ["a", "b/a", "c"] { try folder.write("in/\(file)", "") }
        switch broken {
        case .folder: try folder.write("in/b/.sluiceignore/x", "")
        case .link: try FileManager.default.createSymbolicLink(atPath: list.string, withDestinationPath: "a")
        case .fifo: #expect(mkfifo(list.string, 0o600) == 0)
        case .long: try folder.write("in/b/.sluiceignore", [UInt8](repeating: 0x0A, count: (64 << 10) + 1))
        case .longPattern: try folder.write("in/b/.sluiceignore", String(repeating: "x", count: 4_097))
        case .manyPatterns: try folder.write("in/b/.sluiceignore", String(repeating: "x\n", count: 1_001))
        }
        let code: ReadingError.Code = [.folder, .link, .fifo].contains(broken) ? .refused : .limit
        #expect(try walk(folder["in"]) == ["a": "file", "b": "failed: \(code)", "c": "file"])
        if broken == .long {
            try folder.write("in/b/.sluiceignore", [UInt8](repeating: 0x0A, count: 64 << 10))
            #expect(try taken(folder["in"]) == ["a", "b/a", "c"])
        }
    }

    @Test func patternsUpToTheLimitsCount() throws {
        try folder.write("in/a", "")
        try folder.write("in/b", "")
        let comment = "#" + String(repeating: "x", count: 5_000)
        let long = String(repeating: "[b]", count: 1_365) + "*"
        #expect(long.utf8.count == 4_096)
        let list = "\(comment)\n\n\n\(long)\n" + String(repeating: "x\n", count: 998) + "b\n"
        try folder.write("in/.sluiceignore", list)
        #expect(try taken(folder["in"]) == ["a"])
        for patterns in [[long + "b"], Array(repeating: "x", count: 1_001)] {
            let error = #expect(throws: ReadingError.self) { try walk(folder["in"], ignoring: patterns) }
            #expect(error?.code == .limit)
        }
        #expect(try taken(folder["in"], ignoring: [long, "b"]) == ["a"])
    }

    /// A bag comes in as a whole: its manifest lists every file.
    @Test func aBagHasNoLists() throws {
        try folder.write("in/bagit.txt", "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n")
        try folder.write("in/data/a", "content")
        try folder.write("in/data/.sluiceignore", "*\n")
        let lines = [("content", "a"), ("*\n", ".sluiceignore")].map { "\(Digest(of: $0))  data/\($1)\n" }
        try folder.write("in/manifest-sha256.txt", lines.joined())
        let told = try walk(folder["in"])
        #expect(told["data/a"] == "file")
        #expect(told["data/.sluiceignore"]?.contains("left out") == false)
    }

    @Test(arguments: ["", "!", "/", "!/", "a[", "b\\", "[[:no:]]", "./a", "..", "b/../a", "!./a"])
    func aPatternThatFitsNothingIsRefused(_ pattern: String) throws {
        try folder.write("in/a", "")
        let program = Program(container: folder["container"])
        let end = try program.run(["ingest", "--exclude", pattern, folder["in"].string])
        let isNamed = ["is no pattern of names", "fits no name"].contains(where: end.errors.contains)
        #expect(end.status == 64 && isNamed, "\(end.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder["container"].string))
    }

    @Test func theOptionLeavesFilesOut() throws {
        for file in ["a.txt", "b.tmp", "build/c.txt"] { try folder.write("in/\(file)", file) }
        let program = Program(container: folder["container"])
        let options = ["--no-deliver", "--exclude", "*.tmp", "--exclude=build/"]
        let receipts = try program.ingest(folder["in"], options: options).receipts
        #expect(receipts.map(\.outcome) == [.accepted, .skipped, .skipped])
        #expect(receipts.last?.reason == "left out by the pattern build/")
        #expect(try program.ingest(folder["in"], options: ["--no-deliver"]).summary.accepted == 2)
    }
}

/// The comparison of one pattern with one text.
@Suite struct WildcardPatternTests {
    /// A text that counts the bytes that are read from it.
    private struct CountedText: Sequence {
        final class Counter { var count = 0 }
        let bytes: [UInt8]
        let counter = Counter()

        func makeIterator() -> AnyIterator<UInt8> {
            var place = 0
            return AnyIterator {
                guard place < bytes.count else { return nil }
                counter.count += 1
                place += 1
                return bytes[place - 1]
            }
        }
    }

    /// Patterns that take exponential time, or a deep stack, if a comparison goes back.
    @Test(arguments: [
        (String(repeating: "*", count: 1_000), true), (String(repeating: "*", count: 1_000) + "b", false),
        (String(repeating: "*a", count: 50_000), false), (String(repeating: "*a", count: 100) + "*b", false),
        (String(repeating: "*a", count: 100) + "*", true), (String(repeating: "**/", count: 20_000) + "b", false),
        (String(repeating: "a", count: 100_000), false), (String(repeating: "[a-z]*", count: 17_000), false),
        (String(repeating: "?", count: 200) + "*", true), (String(repeating: "[[:alpha:]]", count: 201), false),
    ]) func aHostilePatternReadsEachByteOnce(_ pattern: String, _ fits: Bool) throws {
        let text = CountedText(bytes: [UInt8](repeating: UInt8(ascii: "a"), count: 200))
        let wildcards = try #require(WildcardPattern(Array(pattern.utf8)))
        #expect(wildcards.fits(text) == fits)
        #expect(text.counter.count <= text.bytes.count)
    }

    /// A comparison looks at each repetition for each byte of a name, so they become one.
    @Test(arguments: [
        (String(repeating: "**/", count: 21_000) + "b", "**/b"), ("a/**/***/**/b", "a/**/b"), ("**/**/*", "**/*"),
        ("**/**/**", "**/**"), ("**/**/", "**/"), ("x/**/**/**y", "x/**/**y"),
    ]) func repetitionsAreOne(_ pattern: String, _ short: String) throws {
        let wildcards = try #require(WildcardPattern(Array(pattern.utf8)))
        #expect(wildcards == WildcardPattern(Array(short.utf8)))
        #expect(wildcards != WildcardPattern(Array("?\(short)".utf8)))
    }

    /// A long set without an end fits nothing, and is found out once.
    @Test func aLongSetWithoutAnEndFitsNothing() {
        #expect(WildcardPattern(Array(("[" + String(repeating: "a-", count: 50_000)).utf8)) == nil)
        #expect(WildcardPattern(Array(String(repeating: "[[:", count: 30_000).utf8)) == nil)
    }
}

/// The real git, with no settings of the machine.
private struct Git {
    let repository: FilePath
    let scratch: TestFolder

    static let isThere = (try? run(["--version"], input: nil)) != nil

    init(_ repository: FilePath, scratch: TestFolder) throws {
        (self.repository, self.scratch) = (repository, scratch)
        _ = try Self.run(["init", "--quiet", "--template=", repository.string], input: nil)
    }

    /// The files among these that `git check-ignore` names.
    func ignored(_ files: [String]) throws -> Set<String> {
        let input = try scratch.write("input", files.joined(separator: "\0"))
        return try call(["check-ignore", "--no-index", "--stdin", "-z"], input: input)
    }

    /// The files that `git ls-files` takes with patterns of its own besides the lists.
    func taken(excluding patterns: [String]) throws -> Set<String> {
        let options = ["--others", "-z", "--exclude-per-directory=.gitignore"] + patterns.map { "--exclude=\($0)" }
        return try call(["ls-files"] + options, input: nil).filter { !$0.hasSuffix("ignore") }
    }

    private func call(_ arguments: [String], input: FilePath?) throws -> Set<String> {
        let output = try Self.run(["-C", repository.string] + arguments, input: input)
        return Set(output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
    }

    private static func run(_ arguments: [String], input: FilePath?) throws -> Data {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["git"] + arguments
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("GIT_") }
            .merging(["GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"]) { $1 }
        process.standardInput =
            try input.map { try FileHandle(forReadingFrom: URL(filePath: $0.string)) } ?? FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        // `check-ignore` ends with 1 if it names no file.
        guard process.terminationStatus <= 1 else { throw Program.Failure("git \(arguments) failed") }
        return bytes
    }
}
