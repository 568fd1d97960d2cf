import Foundation
import ShareModel
import Testing

@testable import Sniffing

@Suite("The bundled table of types")
struct BundledMIMETests {
    static let hasSystemDatabase = FileManager.default.fileExists(atPath: "/usr/share/mime/subclasses")
    /// The system's database without what other packages add to it, such as the types of keys that a keychain brings.
    static let system = SharedMIMEDatabase(dataFolders: [(try? own.get())?.path ?? "/usr/share"])
    private static let own = Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sluice-mime-\(UUID().uuidString)")
        let packages = folder.appending(path: "mime/packages")
        try FileManager.default.createDirectory(at: packages, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: packages) }
        try FileManager.default.copyItem(
            atPath: "/usr/share/mime/packages/freedesktop.org.xml", toPath: packages.path + "/freedesktop.org.xml")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/update-mime-database")
        process.arguments = [folder.appending(path: "mime").path]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return folder
    }
    static let bundled = SharedMIMEDatabase(dataFolders: ["/nonexistent"])

    /// Patterns with another type than in the system's database, and the reason.
    static let otherPatterns: [String: String] = [
        "*.mpp": "Microsoft Project beside Musepack, which the database alone has",
        "*.vb": "Visual Basic; the database has a game console's images",
        "*.pem": "any key or certificate in this form, not only a certificate of an authority",
    ]

    private static func pairs(_ lines: MIMELines) -> [(String, String)] {
        var pairs: [(String, String)] = []
        lines.forEachPair { word, last in
            pairs.append((String(decoding: word, as: UTF8.self), String(decoding: last, as: UTF8.self)))
        }
        return pairs
    }

    private static var tables: [StaticString] {
        [
            BundledMIME.documentGlobs, BundledMIME.pictureGlobs, BundledMIME.soundGlobs, BundledMIME.textGlobs,
            BundledMIME.sourceGlobs, BundledMIME.otherGlobs,
        ]
    }

    private static var globs: [(type: String, pattern: String)] {
        tables.flatMap { table in
            table.description.split(separator: "\n").filter { !$0.hasPrefix("#") }.flatMap { line in
                let fields = line.split(separator: ":")
                return fields[2].split(separator: " ").map { (String(fields[1]), String($0)) }
            }
        }
    }

    @Test func namesAreTypesInOneForm() throws {
        let aliases = Self.pairs(BundledMIME.aliases)
        let names = aliases.flatMap { [$0.0, $0.1] } + Self.pairs(BundledMIME.subclasses).flatMap { [$0.0, $0.1] }
        for name in names + Self.globs.map(\.type) { #expect(MediaType(name)?.description == name) }
        let firsts = Dictionary(grouping: aliases, by: \.0)
        #expect(firsts.filter { Set($0.value.map(\.1)).count > 1 }.keys.sorted() == [])
        #expect(aliases.filter { firsts[$0.1] != nil }.map(\.1) == [], "an alias of an alias")
        let preferred = Self.pairs(BundledMIME.subclasses).flatMap { [$0.0, $0.1] } + Self.globs.map(\.type)
        #expect(preferred.filter { firsts[$0] != nil } == [], "not the preferred name")
    }

    /// The rules conclude a type under one name. The database has one type for what
    /// IANA or libmagic tell apart.
    @Test func aTypeIsConcludedUnderOneName() {
        let concluded = Set(Inspectors.all.list.flatMap(\.concludes))
        let shared = Dictionary(grouping: concluded, by: Self.bundled.canonical).filter { $0.value.count > 1 }
        #expect(
            Set(shared.keys) == ["image/heif", "video/mp4", "application/x-hdf", "application/x-ms-dos-executable"])
    }

    /// Each of these was looked at: its files have no signature.
    private static let guessable: Set<String> = [
        "application/x-brotli", "application/x-mysql-misam-data", "audio/x-musepack", "image/x-jbig",
    ]

    /// The types that a name can give to bytes that no rule recognizes, without the system's database.
    @Test func typesWithoutSignature() {
        let unsigned = UnsignedTypes(database: Self.bundled)
        let found = Set(Self.globs.map(\.type)).filter { MediaType($0).map(unsigned.admits) ?? false }
        #expect(found == Self.guessable)
    }

    /// If any name of a type has a class, the preferred name must have it too.
    @Test func preferredNamesHaveAClass() throws {
        // Engineering drawings and astronomical tables are pictures by name only.
        let fitsNowhere: Set = ["image/vnd.dwg", "application/fits"]
        let odd = try Self.pairs(BundledMIME.aliases).filter { alias, type in
            let classes = (
                ContentClass(of: try #require(MediaType(alias))), ContentClass(of: try #require(MediaType(type)))
            )
            return classes.0 != .other && classes.1 == .other && !fitsNowhere.contains(type)
        }
        #expect(odd.map { "\($0.0) \($0.1)" } == [])
    }

    @Test(.needs("shared-mime-info", hasSystemDatabase))
    func aliasesAgreeWithTheSystem() throws {
        let known = try Self.systemTypes()
        for (alias, type) in Self.pairs(BundledMIME.aliases) where known.contains(alias) && known.contains(type) {
            let (alias, type) = (try #require(MediaType(alias)), try #require(MediaType(type)))
            #expect(Self.system.canonical(alias) == Self.system.canonical(type), "\(alias) is not \(type)")
        }
    }

    @Test(.needs("shared-mime-info", hasSystemDatabase))
    func kindsAgreeWithTheSystem() throws {
        for (type, parent) in Self.pairs(BundledMIME.subclasses) {
            let (type, parent) = (try #require(MediaType(type)), try #require(MediaType(parent)))
            #expect(Self.system.conforms(type, to: parent))
            #expect(!Self.system.conforms(parent, to: type), "\(parent) and \(type) are kinds of each other")
        }
    }

    @Test(.needs("shared-mime-info", hasSystemDatabase))
    func patternsAgreeWithTheSystem() {
        var others: Set<String> = []
        for (type, pattern) in Self.globs {
            let name = pattern.replacing("[0-9]*", with: "1").replacing("*", with: "x").replacing("[0-9]", with: "1")
            let types = Self.system.types(forName: name)
            let isSame = types.contains { $0 == MediaType(type).map(Self.system.canonical) }
            if !isSame { others.insert(pattern) }
        }
        #expect(others == Set(Self.otherPatterns.keys))
    }

    @Test func liesBelowTheSystem() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let mime = folder.appending(path: "mime")
        try FileManager.default.createDirectory(at: mime, withIntermediateDirectories: true)
        try "image/jpg image/x-mine\napplication/x-a application/x-b\napplication/x-b application/x-a\n".write(
            to: mime.appending(path: "aliases"), atomically: true, encoding: .utf8)
        try "# mine\nimage/x-mine image/x-old\nimage/x-old image/x-mine\nimage/tif image/x-mine\nnonsense\n".write(
            to: mime.appending(path: "subclasses"), atomically: true, encoding: .utf8)
        try
            "50:image/x-mine:*.jpg\nx:y:z\n50:image/x-mine:*.Jpg:cs\n::\n50:a/b:[\n50:image/x-two:t[a-c!]?*z\n50:a/c:backup.[0-9]*\n"
            .write(
                to: mime.appending(path: "globs2"), atomically: true, encoding: .utf8)
        let mine = SharedMIMEDatabase(dataFolders: [folder.path])
        #expect(mine.canonical("image/jpg") == "image/x-mine")
        #expect(mine.canonical("image/tif") == "image/tif", "a type of its own")
        #expect(mine.canonical("image/pjpeg") == "image/jpeg")
        #expect(mine.conforms("image/x-old", to: "image/jpg") && mine.conforms("image/x-mine", to: "image/x-old"))
        #expect(mine.type(forName: "a.jpg") == "image/x-mine")
        #expect(mine.type(forName: "a.png") == "image/png")
        #expect(mine.type(forName: "backup.1.zip") == "a/c" && mine.type(forName: "backup.2k") == "a/c")
        #expect(mine.type(forName: "Ta1z") == "image/x-two" && mine.type(forName: "taz") == nil)
        #expect(mine.type(forName: "t!-x-z") == "image/x-two" && mine.type(forName: "td1z") == nil)
    }

    private static func systemTypes() throws -> Set<String> {
        let folder = try own.get().path
        let types = try String(contentsOfFile: "\(folder)/mime/types", encoding: .utf8)
        let aliases = try String(contentsOfFile: "\(folder)/mime/aliases", encoding: .utf8)
        return Set(types.split(separator: "\n").map { $0.lowercased() })
            .union(aliases.split(separator: "\n").compactMap { $0.split(separator: " ").first?.lowercased() })
    }
}
