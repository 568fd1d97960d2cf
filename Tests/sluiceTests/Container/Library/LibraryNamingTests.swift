import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import ContainerTools
@testable import Sniffing

/// The names and folders of the layout by class.
@Suite struct LibraryNamingTests {
    /// A content, and the path that a person expects. It came in in 2026, and its file is of 2021.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let type: String
        var title: String?
        var found: String?
        var date: String?
        let path: String

        init(
            _ name: String, _ type: String, title: String? = nil, found: String? = nil, date: String? = nil,
            _ path: String
        ) {
            (self.name, self.type, self.title, self.found) = (name, type, title, found)
            (self.date, self.path) = (date, path)
        }

        var testDescription: String { "\(name) → \(path)" }

        var piece: LibraryPiece {
            LibraryPiece(
                package: 1, received: "2026-06-01T12:00:00Z", title: title,
                file: LibraryFile(
                    place: 0, name: name, type: MediaType(type) ?? .unknown, digest: Digest(of: "content"),
                    modified: Timestamp("2021-06-01T12:00:00Z")),
                facts: SinkFacts(title: found, date: date))
        }
    }

    private static let taken = "2019-07-04T12:31:05"
    private static let long = String(repeating: "ü", count: 5_000)

    static let cases = [
        // The year is that of the content, or else of the file.
        Case("beach.jpg", "image/jpeg", date: taken, "images/2019/beach.jpg"),
        Case("beach.jpg", "image/jpeg", "images/2021/beach.jpg"),
        Case("Letter.pdf", "application/pdf", date: "2017", "documents/2017/Letter.pdf"),
        // A name that says something stays.
        Case("Letter.pdf", "application/pdf", found: "Microsoft Word - Letter", "documents/2021/Letter.pdf"),
        Case("cafe2024.pdf", "application/pdf", found: "Menu", "documents/2021/cafe2024.pdf"),
        Case("三.pdf", "application/pdf", found: "Menu", "documents/2021/三.pdf"),
        Case("Screenshot 12.png", "image/png", date: taken, "images/2019/Screenshot 12.png"),
        // Another one gives way to a title.
        Case("scan0001.pdf", "application/pdf", found: "Lease of the barn", "documents/2021/Lease of the barn.pdf"),
        Case("download (3).pdf", "application/pdf", found: "Lease.PDF", "documents/2021/Lease.pdf"),
        Case("document", "application/pdf", found: "Lease", "documents/2021/Lease.pdf"),
        Case("untitled.odt", "application/vnd.oasis.opendocument.text", found: "Plan", "documents/2021/Plan.odt"),
        Case("image0.jpeg", "image/jpeg", title: "Our roof", found: "Roof", "images/2021/Our roof.jpeg"),
        Case("4f3a2b1c9d8e.pdf", "application/pdf", found: "Lease", "documents/2021/Lease.pdf"),
        Case(
            "8F14E45F-CEEA-467A-9B36-F2C1D6A0B7C3.pdf", "application/pdf", found: "Lease", "documents/2021/Lease.pdf"),
        Case("20190704_123105.mp4", "video/mp4", found: "Waves", "videos/2021/Waves.mp4"),
        Case("track01.mp3", "audio/mpeg", found: "Moon River", "audio/2021/Moon River.mp3"),
        // Without a title, the date helps.
        Case("IMG_0013.jpg", "image/jpeg", date: taken, "images/2019/2019-07-04 12.31.05 IMG_0013.jpg"),
        Case("P1010001.JPG", "image/jpeg", date: "2019-07-04", "images/2019/2019-07-04 P1010001.JPG"),
        Case("image", "image/jpeg", date: taken, "images/2019/2019-07-04 12.31.05.jpg"),
        Case("PXL_20190704_123105.jpg", "image/jpeg", date: taken, "images/2019/PXL_20190704_123105.jpg"),
        Case("IMG_0013.jpg", "image/jpeg", "images/2021/IMG_0013.jpg"),
        // A program's title may say as little.
        Case("scan0001.pdf", "application/pdf", found: "Document1", "documents/2021/scan0001.pdf"),
        Case("text", "text/plain", title: "2024", "documents/2021/2024.txt"),
        // A mail has its subject, whatever its file is called.
        Case("Inbox 12.eml", "message/rfc822", found: "Re: The barn", date: taken, "mail/2019/Re: The barn.eml"),
        Case("Inbox 12.eml", "message/rfc822", title: "Barn", found: "Re: The barn", "mail/2021/Barn.eml"),
        // A hostile title.
        Case("scan1.pdf", "application/pdf", found: "../../etc/passwd", "documents/2021/-..-etc-passwd.pdf"),
        Case("scan1.pdf", "application/pdf", found: "/", "documents/2021/scan1.pdf"),
        Case("scan1.pdf", "application/pdf", found: "..", "documents/2021/scan1.pdf"),
        Case("scan1.pdf", "application/pdf", found: "a\u{0}b\nc\u{202E}fdp", "documents/2021/ab cfdp.pdf"),
        Case("scan1.pdf", "application/pdf", found: "Cafe\u{301}", "documents/2021/Caf\u{E9}.pdf"),
        Case("scan1.pdf", "application/pdf", found: long, "documents/2021/\(long.prefix(98)).pdf"),
    ]

    /// The whole name stays, because what looks like an ending may be none: `Letter to Mr. Smith`.
    @Test(arguments: [
        ("photo.jpg", "image/png", "images/2021/photo.jpg.png"), ("photo", "image/png", "images/2021/photo.png"),
        ("film", "video/x-msvideo", "videos/2021/film.avi"), ("song", "audio/x-flac", "audio/2021/song.flac"),
        ("Letter to Mr. Smith", "text/plain", "documents/2021/Letter to Mr. Smith.txt"),
    ])
    func aNameThatDoesNotFitGetsTheEndingOfTheType(_ name: String, _ type: String, _ path: String) {
        let found = LibraryNaming { _, _ in false }.name(of: Case(name, type, path).piece, in: .contentClass)
        #expect(found.path(1) == path)
    }

    /// Otherwise the next run would add the ending again. A type has an ending under the name that receipts give it.
    @Test func eachEndingFitsItsType() throws {
        let names = ConcludedNames(database: .system)
        for (type, ending) in LibraryNaming.endings {
            let known = try #require(MediaType(type))
            #expect(names.name(of: known) == known)
            #expect(SharedMIMEDatabase.system.fits("a.\(ending)", known), "\(type)")
        }
    }

    @Test(arguments: cases) func namesAsAPersonExpects(_ one: Case) {
        let name = LibraryNaming { name, _ in name.contains(".") }.name(of: one.piece, in: .contentClass)
        #expect(Array(name.path(1).unicodeScalars) == Array(one.path.unicodeScalars), "\(name.path(1))")
    }
}
