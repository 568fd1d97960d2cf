import Foundation
import Testing

/// The rules that every file of the product keeps.
@Suite struct HouseRulesTests {
    private struct File {
        /// From the package's root.
        let path: String
        let code: String
        let literals: [Source.Literal]
    }

    private static let files = Result {
        try ["Sources", "Plugins"].flatMap { PackageDump.swiftFiles(below: $0) }.map { url in
            let source = try Source(url)
            let path = String(url.path.dropFirst(PackageDump.root.path.count + 1))
            return File(path: path, code: source.code, literals: source.literals)
        }
    }

    /// Operations that end the process if a value is not as the author expected. A hostile input could reach them.
    @Test(arguments: ["try!", "as!", "fatalError(", "assertionFailure("])
    func noFileForces(_ word: String) throws {
        let files = try Self.files.get()
        // An empty list would pass every rule.
        #expect(files.count > 300)
        for file in files { #expect(!file.code.contains(word), "\(file.path) has \(word)") }
    }

    @Test func noFileUnwrapsByForce() throws {
        // A name, a call or a subscript before an exclamation mark, unless that begins `!=`.
        let forced = /[\w\)\]]!(?!=)/
        for file in try Self.files.get() where file.code.contains("!") {
            let found = file.code.firstMatch(of: forced)
            #expect(found == nil, "\(file.path) has \(found?.output ?? "")")
        }
    }

    /// A program with all of Foundation loads the data of all languages, which takes a third of the time of a short command.
    @Test func theProgramNeedsTheEssentialsOfFoundationAlone() throws {
        let modules = /import (?:[a-z]+ )?(Foundation\w*)/
        for file in try Self.files.get() where file.path.hasPrefix("Sources/") {
            for match in file.code.matches(of: modules) {
                #expect(match.1 == "FoundationEssentials", "\(file.path) imports \(match.1)")
            }
        }
    }

    /// The preconditions, each with the reason why no input can break it.
    private static let preconditions = [
        "Sources/ShareModel/Digest.swift": "the callers count the bytes",
        "Sources/Files/ManifestHasher.swift": "libcrypto without SHA-512 or without memory",
        "Sources/Sniffing/Inspectors/InspectorTrial.swift": "only tests and fuzzing use it, and they look for this end",
        "Sources/Reading/Readers.swift": "the list of readers is written in the source",
        "Sources/GroupContainer/Objects/OverlappedCopy.swift": "the caller waits for the hash first",
        "Sources/SinkHost/Settings/JSONSchema+Embedded.swift": "the schemas are built in, and a test reads them",
    ]

    @Test func preconditionsAreListed() throws {
        let users = try Self.users(of: "precondition")
        #expect(users == Set(Self.preconditions.keys))
    }

    /// The files that reach the disk without the module `Files`, each with the reason. The list may only get shorter.
    private static let diskUsers: [String: [String: String]] = [
        "SystemFileSystem": [
            "Sources/GroupContainer/Container.swift": "the public calls have no parameter for it",
            "Sources/GroupContainer/Feed/ContainerObserver.swift": "the public calls have no parameter for it",
            "Sources/GroupContainer/Feed/Observers.swift": "the public calls have no parameter for it",
            "Sources/GroupContainer/Access/NamedFiles.swift": "the public calls have no parameter for it",
            "Sources/ContainerTools/Library/Librarian.swift": "the default of a parameter",
            "Sources/ContainerTools/Maintenance/ContainerMaintenance.swift": "the default of a parameter",
            "Sources/GroupContainer/Catalog/Migration/FormatMigration.swift": "the default of a parameter",
            "Sources/GroupContainer/Catalog/CatalogReader.swift": "the public calls have no parameter for it",
            "Sources/ContainerTools/Search/SearchIndex.swift": "the public calls have no parameter for it",
            "Sources/GroupChannel/ChannelServer.swift": "the public calls have no parameter for it",
            "Sources/Ingestion/IngestOptions.swift": "the default of an option",
        ],
        "FileManager": [:],
        "CFileSystem": [:],
    ]

    @Test(arguments: diskUsers.keys.sorted()) func onlyFilesReachesTheDisk(by name: String) throws {
        let users = try Self.users(of: name).filter { !$0.hasPrefix("Sources/Files/") }
        let listed = Set(try #require(Self.diskUsers[name]).keys)
        #expect(users.subtracting(listed).isEmpty, "call the disk through the module Files")
        #expect(listed.subtracting(users).isEmpty, "remove these from the list")
    }

    /// The files of libraries whose literals are not messages: arguments of other programs, and content of files.
    private static let wordless = [
        "Sources/SinkHost/Sandbox/": "the arguments of bubblewrap and of the launcher",
        "Sources/SinkConformance/Templates/SinkTemplate+Files.swift":
            "the examples, whose guides are for a sink's author",
        "Sources/Sniffing/Signatures/TextSignatures.swift": "how a patch begins",
    ]

    /// Only the program has commands and options. A library's error has a `Remedy`, which the program puts into words.
    @Test func noLibraryNamesACommandOrAnOption() throws {
        let commands = try Self.commands()
        #expect(commands.contains("ingest") && commands.contains("gc"), "\(commands)")
        for file in try Self.files.get() where Self.isLibrary(file.path) {
            for literal in file.literals where literal.text.contains("sluice ") || literal.text.contains("--") {
                let isCommand = literal.text.matches(of: /sluice ([a-z]+)/).contains { commands.contains(String($0.1)) }
                let isOption = literal.text.firstMatch(of: /(^|[^\w-])--[a-z]/) != nil
                #expect(!isCommand && !isOption, "\(file.path):\(literal.line) has \(literal.text)")
            }
        }
    }

    private static func isLibrary(_ path: String) -> Bool {
        path.hasPrefix("Sources/") && !path.hasPrefix("Sources/sluice/")
            && !wordless.keys.contains { path.hasPrefix($0) }
    }

    /// The names of the program's commands, taken from the names of its files.
    private static func commands() throws -> Set<String> {
        let names = PackageDump.swiftFiles(below: "Sources/sluice/Commands").map(\.lastPathComponent)
        return Set(names.map { $0.lowercased().replacing(".swift", with: "") })
    }

    /// The paths of the files of `Sources` whose code contains a word.
    private static func users(of word: String) throws -> Set<String> {
        Set(try files.get().filter { $0.path.hasPrefix("Sources/") && $0.code.contains(word) }.map(\.path))
    }
}

@Suite struct SourceTests {
    @Test func literalsAndCodeAreToldApart() {
        let source = Source(
            text: #"""
                let a = "one \(b("two") + c) three" // "not" this
                /* "nor" this */ let d = #"raw "quoted" \n"#
                let e = """
                    lines
                    """
                """#)
        #expect(source.literals.map(\.text).prefix(3) == ["two", "one … three", #"raw "quoted" \n"#])
        #expect(source.literals.map(\.line) == [1, 1, 2, 3])
        #expect(source.code.contains("let e") && !source.code.contains("not") && !source.code.contains("one"))
    }
}
