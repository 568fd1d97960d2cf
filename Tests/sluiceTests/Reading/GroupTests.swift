import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import Reading

/// What the samples in Samples/groups cannot hold: odd names, odd entries, limits, and the names that the rules know.
@Suite struct GroupTests {
    private let folder: TestFolder
    private static let xmp = "<x:xmpmeta/>"
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]

    init() throws { folder = try TestFolder() }

    /// Writes files that are JPEG or XMP, by their names.
    private func write(_ names: String...) throws {
        for name in names {
            let isSidecar = name.lowercased().hasSuffix(".xmp")
            try folder.write("in/\(name)", isSidecar ? Array(Self.xmp.utf8) : Self.jpeg)
        }
    }

    /// The packages of a walk over the folder `in`, each with the names of its files.
    private func read(ignoring patterns: [String] = [], limits: ReadingLimits = ReadingLimits()) throws -> [[String]] {
        var reader = try PackageReader(
            AddressList([.path(folder["in"])]), ignoring: patterns, limits: limits)
        var found: [[String]] = []
        while let input = reader.next() {
            guard case .package(let package, parts: nil) = input else { continue }
            found.append(package.items.flatMap(\.attachments).compactMap(\.suggestedName))
        }
        return found
    }

    @Test func aPersonWhoNamesAFileMeansThatFile() throws {
        try write("a.jpg", "a.xmp")
        #expect(try read() == [["a.jpg", "a.xmp"]])
        var reader = PackageReader(paths: [folder["in/a.xmp"], folder["in/a.jpg"]])
        var kinds: [PackageSource.Kind] = []
        while case .package(let package, parts: nil)? = reader.next() { kinds.append(package.source.kind) }
        #expect(kinds == [.file, .file])
    }

    @Test func namesNeedNotBeUTF8() throws {
        try write("a.jpg")
        // The stems are not all the same bytes, although they are read as the same text.
        let stems: [(UInt8, String, [UInt8])] = [
            (0xFF, "jpg", Self.jpeg), (0xFF, "jpg.xmp", Array(Self.xmp.utf8)), (0xFE, "xmp", Array(Self.xmp.utf8)),
        ]
        for (stem, ending, bytes) in stems {
            let path = FilePath(bytes: folder["in"].bytes + [UInt8(ascii: "/"), stem] + Array(".\(ending)".utf8))
            let file = try FileDescriptor.open(path, .writeOnly, options: .create, permissions: .ownerReadWrite)
            try file.closeAfter { _ = try file.writeAll(bytes) }
        }
        #expect(try read() == [["a.jpg"], ["\u{FFFD}.xmp"], ["\u{FFFD}.jpg", "\u{FFFD}.jpg.xmp"]])
        var reader = PackageReader(paths: [folder["in"]])
        while case .package(let package, parts: nil)? = reader.next() {
            let opener = SourceOpener(folder: package.source.folder, root: package.source.root)
            for case .file(let reference) in package.items[0].attachments.map(\.representations[0].content) {
                guard case .file = try opener.open(reference) else { throw Program.Failure("no file") }
            }
        }
    }

    @Test(arguments: [("a.jpg", "A.xmp"), ("a.jpg", "b.xmp"), ("a.jpg", ".xmp"), ("a.b.jpg", "a.xmp"), ("jpg", "xmp")])
    func stemsAreComparedByBytes(_ lead: String, _ follower: String) throws {
        try write(lead, follower)
        #expect(try read().allSatisfy { $0.count == 1 })
    }

    @Test func endingsAreComparedWithoutCase() throws {
        try write("a.JPG", "a.XMP", "b.Jpeg", "b.Jpeg.Xmp")
        #expect(try read() == [["a.JPG", "a.XMP"], ["b.Jpeg", "b.Jpeg.Xmp"]])
    }

    @Test func whatTheWalkLeavesOutIsInNoGroup() throws {
        try write("a.jpg", "a.xmp", "b.jpg", "b.xmp")
        #expect(try read(ignoring: ["a.jpg", "b.xmp"]) == [["a.xmp"], ["b.jpg"]])
        try folder.write("in/.sluiceignore", "*.xmp\n")
        #expect(try read() == [["a.jpg"], ["b.jpg"]])
    }

    @Test func onlyFilesAreInGroups() throws {
        try write("a.jpg/photo.jpg", "a.xmp", "b.jpg", "b.xmp/notes.xmp")
        try FileManager.default.createSymbolicLink(
            atPath: folder["in/b.jpg.xmp"].string, withDestinationPath: "a.xmp")
        #expect(mkfifo(folder["in/b.aae"].string, 0o600) == 0)
        #expect(try read() == [["photo.jpg"], ["a.xmp"], ["b.jpg"], ["notes.xmp"]])
    }

    @Test func aFolderOfAPageIsAFolder() throws {
        try folder.write("in/a.html", "<img src='a_files/b.png'>")
        try folder.write("in/a_files", "a file of that name")
        #expect(try read() == [["a.html"], ["a_files"]])
    }

    /// One archive cannot hold a link or a FIFO, and the page must not lose its folder to them.
    @Test func aFolderOfAPageThatCannotBePackedIsWalked() throws {
        try folder.write("in/a.html", "<img src='a_files/b.png'>")
        for file in ["b.png", "sub/c.css"] { try folder.write("in/a_files/\(file)", file) }
        let (whole, parts) = ([["a.html", "a_files"]], [["a.html"], ["b.png"], ["c.css"]])
        #expect(try read() == whole)
        let odd = folder["in/a_files/sub/odd"].string
        try FileManager.default.createSymbolicLink(atPath: odd, withDestinationPath: "../b.png")
        #expect(try read() == parts)
        try FileManager.default.removeItem(atPath: odd)
        #expect(mkfifo(odd, 0o600) == 0)
        #expect(try read() == parts)
        try FileManager.default.removeItem(atPath: odd)
        var limits = ReadingLimits()
        for (entries, expected) in [(3, whole), (2, parts)] {
            limits.bundleEntries = entries
            #expect(try read(limits: limits) == expected)
        }
    }

    /// A hostile folder could have each file compared with each other one.
    @Test func theFilesOfOneStemAreLimited() throws {
        try write("a.jpg", "a.xmp", "b.jpg", "b.xmp", "a.txt")
        var limits = ReadingLimits()
        limits.stemNames = 2
        #expect(try read(limits: limits) == [["a.jpg"], ["a.txt"], ["a.xmp"], ["b.jpg", "b.xmp"]])
        limits.stemNames = 3
        #expect(try read(limits: limits) == [["a.jpg", "a.xmp"], ["a.txt"], ["b.jpg", "b.xmp"]])
    }

    /// A file must neither be in two packages nor in none.
    @Test func aFolderThatChangesMeanwhileLosesNothing() throws {
        try write("a.jpg", "a.jpg.xmp", "b.jpg", "b.xmp")
        var reader = PackageReader(paths: [folder["in"]])
        var found: [[String]] = []
        while let input = reader.next() {
            guard case .package(let package, _) = input else { continue }
            found.append(package.items[0].attachments.compactMap(\.suggestedName))
            // Its lead has come in with it, so it follows even if it is no sidecar any more.
            try folder.write("in/a.jpg.xmp", "words")
            // Its lead is still to come.
            try? FileManager.default.removeItem(atPath: folder["in/b.xmp"].string)
        }
        #expect(found == [["a.jpg", "a.jpg.xmp"], ["b.jpg"]])
    }

    /// The lead looks for its followers among the names of its stem. A follower finds its lead by the whole name.
    @Test func aFollowerThatNoLeadFindsComesInAlone() throws {
        try write("a(1).jpg", "a.jpg", "a.jpg.xmp", "a.txt")
        try folder.write("in/a.jpg(1).json", #"{"title": "a.jpg", "photoTakenTime": {"timestamp": "0"}}"#)
        var limits = ReadingLimits()
        limits.stemNames = 2
        let found = try read(limits: limits)
        #expect(found.flatMap(\.self).sorted() == ["a(1).jpg", "a.jpg", "a.jpg(1).json", "a.jpg.xmp", "a.txt"])
        #expect(found.contains(["a.jpg.xmp"]))
    }

    @Test func aFollowerWhoseLeadGoesMeanwhileComesInAlone() throws {
        try write("a.jpg", "a.jpg.xmp", "b.E.txt", "b.JPG", "c.jpg", "c.xmp")
        // It comes before its lead, and another file lies between them.
        try folder.write("in/b.CR2", Array("II*".utf8) + [0, 16, 0, 0, 0] + Array("CR".utf8) + [2, 0])
        var reader = PackageReader(paths: [folder["in"]])
        var found: [[String]] = []
        while let input = reader.next() {
            guard case .package(let package, _) = input else { continue }
            found.append(package.items[0].attachments.compactMap(\.suggestedName))
            if found.last == ["b.E.txt"] { try FileManager.default.removeItem(atPath: folder["in/b.JPG"].string) }
        }
        #expect(found == [["a.jpg", "a.jpg.xmp"], ["b.E.txt"], ["c.jpg", "c.xmp"], ["b.CR2"]])
    }

    @Test func theStampCoversAllFiles() throws {
        try write("a.jpg", "a.xmp")
        func stamp() throws -> SourceStamp {
            var reader = PackageReader(paths: [folder["in"]])
            guard case .package(let package, _)? = reader.next() else { throw Program.Failure("no package") }
            return try #require(package.source.stamp)
        }
        let first = try stamp()
        #expect(first.size == Int64(Self.jpeg.count + Self.xmp.utf8.count))
        #expect(try stamp() == first)
        try folder.write("in/a.xmp", Self.xmp + "\n")
        #expect(try stamp() != first)
    }

    struct Name: Sendable {
        var rule: String
        var follower: String
        var leads: [FolderRule.LeadName]

        init(_ rule: String, _ follower: String, stem: String) {
            (self.rule, self.follower, leads) = (rule, follower, [.stem(Array(stem.utf8))])
        }

        init(_ rule: String, _ follower: String, name: String? = nil) {
            (self.rule, self.follower, leads) = (rule, follower, name.map { [.whole(Array($0.utf8))] } ?? [])
        }
    }

    @Test(arguments: [
        Name("raw photo", "a.CR2", stem: "a"), Name("raw photo", "a.b.dng", stem: "a.b"), Name("raw photo", "a.raw"),
        Name("Google Takeout", "a.jpg.json", name: "a.jpg"), Name("Google Takeout", "a.jpg(1).json", name: "a(1).jpg"),
        Name("Google Takeout", "a(1).jpg.json", name: "a(1).jpg"),
        Name("Google Takeout", "a.jpg.supplemental-metadata.json", name: "a.jpg"),
        Name("Google Takeout", "a.jpg.s(12).json", name: "a(12).jpg"),
        // Cut short right behind the dot.
        Name("Google Takeout", "a.jpg..json", name: "a.jpg"),
        Name("Google Takeout", "a.jpg().json", name: "a.jpg()"),
        Name("Google Takeout", "a.jpg(x).json", name: "a.jpg(x)"),
        Name("Google Takeout", "(1).json", name: "(1)"), Name("Google Takeout", "a.jpg"),
        Name("saved page", "a_files", stem: "a"), Name("saved page", "a.files", stem: "a"),
        Name("saved page", "a-Dateien", stem: "a"), Name("saved page", "a_fichiers", stem: "a"),
        Name("saved page", "a_Files"), Name("saved page", "_files"), Name("saved page", "a_files_"),
        Name("thumbnail", "a.THM", stem: "a"), Name("thumbnail", "THM"), Name("thumbnail", ".thm"),
    ]) func aNameTellsTheLead(_ name: Name) throws {
        let rule = try #require(FolderRule.all.first { $0.name == name.rule })
        #expect(rule.leadNames(of: EntryName(Array(name.follower.utf8))) == name.leads)
    }

    /// Two files that follow each other would be in no package.
    @Test func noRuleLeadsInACircle() {
        var leads: [String: Set<String>] = [:]
        for rule in FolderRule.all {
            let followers: Set<String> =
                switch rule.relation {
                case .stem(let endings): endings
                case .stemOrName(let ending), .name(let ending, _): [ending]
                case .folder: []
                }
            for ending in followers { leads[ending, default: []].formUnion(rule.leads) }
        }
        #expect(leads["cr2"]?.contains("jpg") == true && leads["xmp"]?.contains("cr2") == true)
        for (ending, first) in leads {
            var (open, reached) = (first, Set<String>())
            while let next = open.popFirst() {
                if reached.insert(next).inserted { open.formUnion(leads[next] ?? []) }
            }
            #expect(!reached.contains(ending), "\(ending) follows itself")
        }
    }

    /// The guide has the rules of the table, in its order.
    @Test func theGuideListsTheRules() throws {
        let page = PackageDump.root.appending(path: "Sources/Reading/Documentation.docc/Reading.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let section = try #require(text.components(separatedBy: "\n## ").first { $0.hasPrefix("Groups in a folder") })
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2)
        let names = rows.map { $0.dropFirst(2).prefix { $0 != "|" }.trimmingCharacters(in: .whitespaces) }
        #expect(names == FolderRule.all.map(\.name))
    }
}
