import Foundation
import SinkKit
import Testing

@Suite(.timeLimit(.minutes(60))) struct PDFImportTests {
    private func run(_ content: Data) throws -> SinkRun {
        let run = try SinkRun("pdf-import", [.init(content: content, type: "application/pdf", name: "a.pdf")])
        #expect(run.status == 0)
        #expect(try run.done.status == .delivered)
        return run
    }

    @Test func reportsThePDFsFactsAndShowsPageOne() throws {
        let run = try run(PDFBuilder().data)
        #expect(
            try run.metadata == [
                "pages": 1, "title": "A title", "author": "An author", "producer": "A producer",
                "page_width": 300, "page_height": 144, "encrypted": false, "damaged": false,
                "no_text": "its pages have no words",
            ])
        let thumbnail = try PNGHeader(run.product("thumbnail"))
        #expect(thumbnail == PNGHeader(width: 256, height: 123))
    }

    @Test func whatWasFilledIntoAFormIsText() throws {
        func field(_ entries: String) -> String {
            "<< /Type /Annot /Subtype /Widget /P 3 0 R /Rect [10 10 100 30] /DA (/F 12 Tf) \(entries) >>"
        }
        let builder = PDFBuilder(
            catalog: "/AcroForm << /Fields [6 0 R 7 0 R 8 0 R] /DA (/F 12 Tf) >>",
            others: [
                field("/FT /Tx /T (name) /V (Amaryllis)"),
                field("/FT /Ch /Ff 131072 /T (color) /Opt [(vermilion) (turquoise)] /V (turquoise)"),
                field("/FT /Tx /Ff 8192 /T (password) /V (opensesame)"),
            ], page: "/Annots [6 0 R 7 0 R 8 0 R]")
        let text = String(decoding: try run(builder.data).product("text"), as: UTF8.self)
        #expect(text == "Amaryllis\nturquoise\n")
    }

    @Test func findsAHeaderBehindJunk() throws {
        let run = try run(Data("HTTP/1.1 200 OK\r\n\r\n".utf8) + PDFBuilder().data)
        #expect(try run.metadata["pages"] == 1)
        #expect(try run.metadata["damaged"] == false)
        #expect(try !run.product("thumbnail").isEmpty)
    }

    @Test func aLockedPDFIsDeliveredAndMarkedAsLocked() throws {
        let run = try run(PDFBuilder.locked)
        #expect(
            try run.metadata == [
                "encrypted": true, "damaged": false, "no_text": "the document needs a password",
            ])
        #expect(try run.done.products == [])
    }

    @Test(arguments: [Data(), Data("no PDF at all".utf8), Data("%PDF-1.7\n".utf8), PDFBuilder().data.prefix(60)])
    func aDamagedPDFIsDeliveredWithPopplersWords(content: Data) throws {
        let run = try run(content)
        #expect(try run.metadata["damaged"] == true)
        guard case .string(let problem) = try run.metadata["problem"] else {
            Issue.record("no problem in \(try run.metadata)")
            return
        }
        #expect(!problem.isEmpty)
    }

    @Test(arguments: [("[]", "0"), ("[]", "-1"), ("[2 0 R]", "1"), ("[9 0 R]", "1"), ("[]", "1000000000")])
    func aPDFWithoutAPageOneIsDamaged(kids: String, count: String) throws {
        let run = try run(PDFBuilder(kids: kids, count: count).data)
        #expect(try run.metadata["damaged"] == true)
        #expect(try run.done.products == [])
    }

    @Test(arguments: [
        "0 0 1000000000 1000000000", "0 0 1000000000 1", "0 0 0 0", "0 0 1 1000000", "300 144 0 0", "0 0 nan inf",
        "0 0 99999999999999999999999999999999999999999999 1", "0 0 0.0000001 0.0000001", "-5 -5 -5 7", "0 0",
    ])
    func absurdPageSizesCostLittle(mediaBox: String) throws {
        let run = try run(PDFBuilder(mediaBox: mediaBox).data)
        #expect(try run.metadata["pages"] == 1)
        #expect(try run.done.products?.map(\.role) == ["thumbnail"])
        let header = try PNGHeader(run.product("thumbnail"))
        #expect((1...256).contains(header.width) && (1...256).contains(header.height))
    }

    /// The next attempt would fail in the same way, so the delivery must not stay open.
    @Test func aPageThatCairoCannotDrawShowsThePlacesOfItsWords() throws {
        let run = try run(PDFBuilder.hugeGlyph)
        guard case .string(let why) = try run.metadata["problem"] else {
            Issue.record("no problem: \(try run.metadata)")
            return
        }
        #expect(why.contains("cannot be drawn") && !why.contains("/"), "\(why)")
        #expect(try run.metadata["pages"] == 1 && run.metadata["damaged"] == false)
        #expect(try PNGHeader(run.product("thumbnail")) == PNGHeader(width: 256, height: 256))
    }

    @Test func eachPageHasItsText() throws {
        let run = try run(PDFBuilder.words(["First words", "", "Third (page) \u{E9}"]))
        #expect(
            try String(decoding: run.product("text"), as: UTF8.self) == "First words\u{C}\u{C}Third (page) \u{E9}\n")
        #expect(try run.metadata["no_text"] == nil)
    }

    @Test func aPictureWithoutWordsIsAScan() throws {
        let run = try run(PDFBuilder.scan)
        #expect(try run.metadata["scan"] == true)
        #expect(try run.metadata["no_text"] == "its pages are pictures: it is a scan")
        #expect(try run.done.products?.map(\.role) == ["thumbnail"])
    }

    @Test func anOutlineMayLeadBackToItself() throws {
        let run = try run(PDFBuilder.outline)
        #expect(try run.metadata["outline"] == ["Tea", "Green tea"])
    }

    @Test func datesHaveTheirZone() throws {
        let run = try run(PDFBuilder(information: "/CreationDate (D:20200131150405+01'00') /ModDate (D:20210203)").data)
        #expect(try run.metadata["date"] == "2020-01-31T15:04:05+01:00")
        #expect(try run.metadata["modified"] == "2021-02-03T00:00:00")
    }

    @Test func longMetadataAreCutAndControlCharactersRemoved() throws {
        let title = String(repeating: "long ", count: 10_000)
        let run = try run(PDFBuilder(title: "\\t" + title).data)
        // The tab becomes a space, which counts before the text is trimmed; the last one is trimmed too.
        #expect(try run.metadata["title"] == .string(String(title.prefix(999)).trimmingCharacters(in: .whitespaces)))
    }

    @Test func theThumbnailShowsTheDrawing() throws {
        let drawn = try run(PDFBuilder().data).product("thumbnail")
        let empty = try run(PDFBuilder(drawing: "").data).product("thumbnail")
        #expect(drawn != empty)
    }
}
