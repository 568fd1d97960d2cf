import Foundation
import Testing

/// Checks the layers of the architecture guide: which target may import which.
@Suite struct LayersTests {
    /// Every target with its direct dependencies. A change here changes the architecture, so give the reason in the
    /// guide.
    static let layers: [String: Set<String>] = [
        "ShareModel": ["SystemPackage"],
        "Formats": ["CZlib"],
        // The only module that calls the disk.
        "Files": ["ShareModel", "CFileSystem", "CCrypto", "SystemPackage"],
        // The only module that calls SQLite.
        "SQLite": ["CSQLite"],
        "Accounts": ["ShareModel", "Files", "Subprocess", "SystemPackage"],
        "SinkKit": ["ShareModel"],
        // The middle modules, down to SinkHost: none of them imports another.
        "GroupChannel": ["ShareModel", "Files", "CSocket", "SystemPackage"],
        "Sniffing": ["ShareModel", "Formats", "CMagic"],
        "Reading": ["ShareModel", "Formats", "Files", "CTarWriter", "SystemPackage"],
        "GroupContainer": ["ShareModel", "Files", "SQLite", "SystemPackage"],
        "SinkHost": ["ShareModel", "Files", "SinkKit", "Subprocess", "SystemPackage"],
        // Joins the channel with the accounts: a request needs both.
        "Transfers": ["ShareModel", "Files", "GroupChannel", "Accounts", "SQLite", "SystemPackage"],
        // Compiled at the same time as Ingestion, so neither imports the other.
        "ContainerTools": ["ShareModel", "Files", "SQLite", "GroupContainer", "SystemPackage"],
        "SinkConformance": ["ShareModel", "Files", "SinkKit", "SinkHost", "SystemPackage"],
        "Ingestion": [
            "ShareModel", "Formats", "Files", "Sniffing", "Reading", "GroupContainer", "SinkKit", "SinkHost",
            "Accounts", "Transfers", "SystemPackage",
        ],
        // Joins the channel with the pipeline.
        "Agent": ["ShareModel", "Files", "GroupChannel", "GroupContainer", "Ingestion", "SystemPackage"],
        "sluice": [
            "Agent", "GroupChannel", "Ingestion", "GroupContainer", "ContainerTools", "Sniffing", "SinkHost",
            "SinkConformance", "Files", "Accounts", "Transfers",
            "ShareModel", "CAllocator", "ArgumentParser", "SystemPackage",
        ],
        "sluice-launch": [],
        // The only program that makes the requests of sinks. It reads no foreign formats, and no keychain.
        "sluice-transfer": [
            "Transfers", "Accounts", "GroupChannel", "ShareModel", "Files", "CCurl", "CSocket", "SystemPackage",
        ],
        // The only program that opens a keychain, and the network for logins. It reads no foreign formats.
        "sluice-account": ["Accounts", "ShareModel", "Files", "CCurl", "CDesktop", "SystemPackage"],
        // C libraries.
        "CMagic": [], "CZlib": [], "CArchive": [], "CCrypto": [], "CSQLite": [], "CFileSystem": [], "CSocket": [],
        "CTarWriter": [], "CAllocator": [], "CCurlSystem": [], "CSecretSystem": [],
        "CCurl": ["CCurlSystem"], "CDesktop": ["CSecretSystem"],
        "CPoppler": [], "CVipsSystem": [], "CGExiv2": [], "CXML": [], "CGMime": [], "CUchardet": [], "CTagLib": [],
        "CGsf": [],
        "CVips": ["CVipsSystem"],
        "CWatchedVFS": [],
        // Sinks, and what several of them need.
        "SinkTools": ["SinkKit"],
        "Markup": ["SinkTools", "CXML"],
        "Pages": ["SinkTools", "Markup", "CUchardet"],
        "pdf-import": ["SinkKit", "SinkTools", "CPoppler"],
        "image-import": ["SinkKit", "SinkTools", "CVips", "CGExiv2"],
        "office-import": ["SinkKit", "SinkTools", "Markup", "CArchive"],
        "media-import": ["SinkKit", "SinkTools", "CTagLib"],
        "text-note": ["SinkKit", "SinkTools", "Markup", "Pages", "CGMime", "CGsf"],
        "link-capture": ["SinkKit", "SinkTools", "Pages"],
        "keep": ["SinkKit"],
        "upload": ["SinkKit"],
        "mock": ["SinkKit"],
        "line-count": ["SinkKit"],
    ]

    static let middle: Set<String> = ["GroupChannel", "Sniffing", "Reading", "GroupContainer", "SinkHost", "Accounts"]
    static let pipeline: Set<String> = middle.union([
        "ShareModel", "Formats", "Files", "SinkKit", "ContainerTools", "Transfers", "Ingestion", "Agent",
    ])

    /// Modules of the toolchain, which no manifest declares.
    static let toolchain: Set<String> = [
        "Darwin", "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Musl", "Synchronization",
    ]

    @Test func edgesAreThoseOfTheLayers() throws {
        let edges = try Self.dumped().mapValues(\.dependencies)
        #expect(Set(edges.keys) == Set(Self.layers.keys))
        for (target, expected) in Self.layers {
            #expect(edges[target] == expected, "the dependencies of \(target)")
        }
    }

    @Test func middleModulesDoNotKnowEachOther() throws {
        let dumped = try Self.dumped()
        for name in Self.middle {
            let target = try #require(dumped[name])
            #expect(target.dependencies.isDisjoint(with: Self.middle), "\(name) knows its neighbor")
        }
    }

    @Test func sinksKnowSinkKitAlone() throws {
        let sinks = try Self.dumped().values.filter { $0.kind == "executable" && $0.path.hasPrefix("Plugins/") }
        #expect(!sinks.isEmpty)
        for sink in sinks {
            #expect(sink.dependencies.intersection(Self.pipeline) == ["SinkKit"], "\(sink.name)")
        }
    }

    @Test func onlyTheProgramParsesArguments() throws {
        let users = try Self.dumped().values.filter { $0.dependencies.contains("ArgumentParser") }
        #expect(users.map(\.name) == ["sluice"])
    }

    /// SwiftPM's own import check misses some imports of a dependency's dependency.
    @Test func filesImportWhatTheirTargetDeclares() throws {
        for target in try Self.dumped().values where target.kind != "system" {
            let allowed = target.dependencies.union(Self.toolchain)
            for file in PackageDump.swiftFiles(below: target.path) {
                let imports = try Self.imports(in: String(contentsOf: file, encoding: .utf8))
                let undeclared = imports.subtracting(allowed)
                #expect(undeclared.isEmpty, "\(target.name)/\(file.lastPathComponent) does not declare \(undeclared)")
            }
        }
    }

    @Test(arguments: [
        ("import Subprocess", "Subprocess"), ("public import struct SystemPackage.FilePath", "SystemPackage"),
        ("@testable import Ingestion // why", "Ingestion"), ("  internal import Foundation", "Foundation"),
    ])
    func importIsFound(line: String, module: String) {
        #expect(Self.imports(in: "/// import this\n\(line)\nlet important = 1") == [module])
    }

    /// The targets by name, without those of tests, which may import every module.
    private static func dumped() throws -> [String: PackageDump.Target] {
        let targets = try dump.get().targets.filter { $0.kind != "test" }
        return Dictionary(uniqueKeysWithValues: targets.map { ($0.name, $0) })
    }

    private static let dump = Result { try PackageDump.load() }

    private static func imports(in source: String) -> Set<String> {
        Set(source.split(whereSeparator: \.isNewline).compactMap { module(of: $0) })
    }

    /// The module that a line imports: `[@attribute] [access] import [kind] Module[.Symbol]`.
    private static func module(of line: Substring) -> String? {
        let words = line.split(separator: " ")
        guard let keyword = words.firstIndex(of: "import"), keyword + 1 < words.endIndex,
            words[..<keyword].allSatisfy({ $0.hasPrefix("@") || accessLevels.contains($0) })
        else { return nil }
        let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias", "actor"]
        let name = kinds.contains(words[keyword + 1]) ? words.dropFirst(keyword + 2).first : words[keyword + 1]
        return name?.split(separator: ".").first.map(String.init)
    }

    private static let accessLevels: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
}
