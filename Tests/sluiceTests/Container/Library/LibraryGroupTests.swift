import Foundation
import SystemPackage
import Testing

/// The files of one group lie together in the library.
@Suite struct LibraryGroupTests {
    private let folder: TestFolder
    private let program: Program

    init() throws {
        folder = try TestFolder()
        program = Program(container: folder["c"])
    }

    /// The files of the library after an update, without the year: the folder of the class, and the name.
    private func library(_ options: String...) throws -> [String] {
        let end = try program.run(["library"] + options)
        #expect(end.status == 0, "\(end.errors)")
        return Disk.files(below: folder["c/library"]).map { path in
            let parts = FilePath(path).components.map(\.string)
            return "\(parts[0])/\(parts[parts.count - 1])"
        }.sorted()
    }

    private func takeIn(_ paths: String...) throws {
        let end = try program.run(["ingest", "--no-deliver"] + paths.map { folder[$0].string })
        #expect(end.status == 0, "\(end.output)\(end.errors)")
    }

    private func content(_ name: String) throws -> String {
        let path = try #require(Disk.files(below: folder["c/library"]).first { $0.hasSuffix("/\(name)") })
        return String(decoding: try Disk.bytes(folder["c/library"].appending(path)), as: UTF8.self)
    }

    private func text(_ name: String, _ text: String, more: String = "") -> String {
        #"{"name": "\#(name)", \#(more)"representations": [{"text": "\#(text)"}]}"#
    }

    /// The groups that a walk over a folder finds, of the samples.
    @Test func filesOfAFolderStayTogether() throws {
        let samples = [
            "live-photo", "raw-photo", "saved-page", "sidecar-of-a-raw-photo", "thumbnail", "google-takeout",
        ]
        let home = FilePath(PackageDump.root.appending(path: "Samples/groups").path)
        for sample in samples {
            // Of one year, whatever the time of the checkout.
            for file in Disk.files(below: home.appending(sample)) {
                try folder.write("in/\(sample)/\(file)", Disk.bytes(home.appending("\(sample)/\(file)")))
            }
            let end = try program.run(["ingest", "--no-deliver", folder["in/\(sample)"].string])
            #expect(end.status == 0, "\(end.output)")
        }
        let expected = [
            "images/IMG_0001.JPG", "images/IMG_0001.MOV",
            "images/IMG_0001 (2).CR2", "images/IMG_0001 (2).JPG",
            "documents/Flüsse.htm", "documents/Flüsse-Dateien.tar", "documents/rivers.html",
            "documents/rivers_files.tar",
            "images/IMG_0001 (3).CR2", "images/IMG_0001 (3).CR2.xmp", "images/IMG_0001 (3).JPG",
            "images/IMG_0001 (3).xmp",
            "videos/MVI_0001.MOV", "videos/MVI_0001.THM.jpg",
            "images/IMG_0001 (4).jpg", "images/IMG_0001 (4).jpg.json", "images/IMG_0001(1).jpg",
            "images/IMG_0001(1) - IMG_0001.jpg(1).json", "images/IMG_0002.jpg",
            "images/IMG_0002.jpg.supplemental-meta.json", "images/IMG_0002(1).jpg",
            "images/IMG_0002(1) - IMG_0002.jpg.supplemental-meta(1).json",
        ]
        let found = try library()
        #expect(found == expected.sorted())
        #expect(try library("--rebuild") == found)
    }

    /// If the name of one file is taken, all of its group get the next number.
    @Test func aGroupHasOneNumber() throws {
        try folder.write("notes/shot_notes.txt", "mine")
        for number in 1...2 {
            try folder.share(
                "\(number)", text("shot.txt", "lead \(number)", more: #""group": "g", "#),
                text("shot_notes.txt", "notes \(number)", more: #""group": "g", "#))
        }
        try folder.write("lead/shot.txt", "another")
        var found: [String] = []
        for input in ["notes", "1.share", "2.share", "lead"] {
            try takeIn(input)
            found = try library()
        }
        #expect(
            found == [
                "documents/shot (2).txt", "documents/shot (2)_notes.txt", "documents/shot (3).txt",
                "documents/shot (3)_notes.txt", "documents/shot.txt", "documents/shot_notes.txt",
            ])
        #expect(try content("shot (2).txt") == "lead 1" && content("shot (2)_notes.txt") == "notes 1")
        #expect(try content("shot.txt") == "another")
        #expect(try library("--rebuild") == found)
        #expect(try content("shot (3)_notes.txt") == "notes 2")
    }

    /// A file that a person put there blocks the number for the whole group, and stays.
    @Test func aPersonsFileBlocksANumber() throws {
        try folder.write("notes/shot.txt", "mine")
        try takeIn("notes")
        _ = try library()
        let year = try #require(Disk.names(in: folder["c/library/documents"]).first)
        try folder.write("c/library/documents/\(year)/shot (2)_notes.txt", "a person's")
        try folder.share(
            "1", text("shot.txt", "lead", more: #""group": "g", "#),
            text("shot_notes.txt", "notes", more: #""group": "g", "#))
        try takeIn("1.share")
        #expect(
            try library() == [
                "documents/shot (2)_notes.txt", "documents/shot (3).txt", "documents/shot (3)_notes.txt",
                "documents/shot.txt",
            ])
    }

    /// The lead need not be the first file, and followers keep what their own names say.
    @Test func followersAreNamedAfterTheirLead() throws {
        let link = #"{"representations": [{"link": "https://example.org/rivers"}]}"#
        try folder.share("link", title: "Rivers 2.0", #"{"representations": [{"text": "a caption"}]}"#, link)
        try folder.share(
            "page", text("cover.txt", "a preview", more: #""role": "preview", "#), text("Page.txt", "the page"))
        try folder.share(
            "equal", text("same.txt", "one", more: #""group": "g", "#),
            text("SAME.txt", "two", more: #""group": "g", "#),
            text("apple.txt", "three", more: #""group": "g", "#), text("same", "four", more: #""group": "g", "#))
        try takeIn("link.share", "page.share", "equal.share")
        #expect(
            try library() == [
                "documents/Page - cover.txt", "documents/Page.txt", "documents/same (2).txt", "documents/same (3).txt",
                "documents/same - apple.txt", "documents/same.txt", "links/Rivers 2.0.html", "links/Rivers 2.0.txt",
            ])
    }

    /// A name of 255 bytes behind another one would be no name any more.
    @Test func longNamesStayNames() throws {
        let (lead, follower) = (String(repeating: "l", count: 245), String(repeating: "ü", count: 120))
        for number in 1...2 {
            try folder.share(
                "\(number)", text("\(lead).txt", "lead \(number)", more: #""group": "g", "#),
                text("\(follower).txt", "follower \(number)", more: #""group": "g", "#),
                text("\(lead)-n.txt", "notes \(number)", more: #""group": "g", "#))
        }
        try takeIn("1.share", "2.share")
        let found = try library()
        #expect(found.count == 6 && found.allSatisfy { $0.utf8.count <= "documents/".utf8.count + 255 }, "\(found)")
        #expect(found.allSatisfy { $0.hasPrefix("documents/llll") && $0.hasSuffix(".txt") }, "\(found)")
        #expect(found.filter { $0.contains(" (2)") }.count == 3, "\(found)")
    }

    /// A damaged receipt says nothing of groups, and the files come all the same.
    @Test func aDamagedReceiptHasNoGroups() throws {
        try folder.share(
            "1", text("shot.txt", "lead", more: #""group": "g", "#),
            text("other.txt", "notes", more: #""group": "g", "#))
        try takeIn("1.share")
        try SQL.run(folder["c"], "UPDATE package SET receipt = 'no JSON'")
        #expect(try library() == ["documents/other.txt", "documents/shot.txt"])
    }
}
