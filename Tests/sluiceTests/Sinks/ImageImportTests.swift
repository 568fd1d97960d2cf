import Foundation
import SinkKit
import Testing

@Suite(.timeLimit(.minutes(60))) struct ImageImportTests {
    private func run(_ content: Data, _ type: String, name: String = "content") throws -> SinkRun {
        let run = try SinkRun("image-import", [.init(content: content, type: type, name: name)])
        #expect(run.status == 0)
        #expect(try run.done.status == .delivered)
        return run
    }

    @Test(
        arguments: [
            (PictureFixtures.progressive, "image/jpeg", ["format": "jpeg"]),
            (PictureFixtures.gif, "image/gif", ["format": "gif", "frames": 2]),
            (PictureFixtures.webp, "image/webp", ["format": "webp", "frames": 2]),
            (PictureFixtures.pages, "image/tiff", ["format": "tiff", "pages": 2]),
            (PictureFixtures.heic, "image/heic", ["format": "heif"]),
            (PictureFixtures.avif, "image/avif", ["format": "avif"]),
        ] as [(Data, String, [String: JSONValue])])
    func reportsTheFactsOfAPicture(content: Data, type: String, facts: [String: JSONValue]) throws {
        let run = try run(content, type)
        let expected = facts.merging(["width": 8, "height": 4, "readable": true, "damaged": false]) { $1 }
        #expect(try run.metadata == expected)
        #expect(try !run.product("thumbnail").isEmpty)
    }

    @Test func theOrientationIsApplied() throws {
        let run = try run(PictureFixtures.turned, "image/jpeg")
        #expect(try run.metadata["width"] == 4 && run.metadata["height"] == 8)
        #expect(try run.metadata["orientation"] == 6)
        // The thumbnail, read in turn, is upright and has no orientation tag.
        let thumbnail = try self.run(run.product("thumbnail"), "image/jpeg").metadata
        #expect(thumbnail["width"] == 4 && thumbnail["height"] == 8 && thumbnail["orientation"] == nil)
    }

    @Test func transparencyMakesThePNGThumbnail() throws {
        #expect(try run(PictureFixtures.gif, "image/gif").done.products?.first?.type == "image/png")
        #expect(try run(PictureFixtures.progressive, "image/jpeg").done.products?.first?.type == "image/jpeg")
    }

    @Test func theBytesDecideNotTheType() throws {
        #expect(try run(PictureFixtures.gif, "image/jpeg").metadata["format"] == "gif")
    }

    @Test func aNameIsNeverReadAsOptions() throws {
        #expect(try run(PictureFixtures.pages, "image/tiff", name: "scan[page=9].tif").metadata["damaged"] == false)
    }

    @Test func aTruncatedPictureIsDamagedAndItsRestIsShown() throws {
        let run = try run(PictureFixtures.cut, "image/jpeg")
        #expect(try run.metadata["damaged"] == true && run.metadata["problem"] != nil)
        #expect(try run.metadata["width"] == 64)
        #expect(try !run.product("thumbnail").isEmpty)
    }

    /// The folder for products has another name at the next delivery, and the answer must be the same.
    @Test func theFolderForProductsIsNotInTheAnswer() throws {
        let run = try run(PictureFixtures.cutPNG, "image/png")
        guard case .string(let problem) = try run.metadata["problem"] else {
            Issue.record("no problem in \(try run.metadata)")
            return
        }
        #expect(!problem.contains("/"), "\(problem)")
        #expect(try !run.product("thumbnail").isEmpty)
    }

    @Test func aPictureWithoutItsHeaderIsDamagedAndHasNoThumbnail() throws {
        let run = try run(PictureFixtures.cut.prefix(40), "image/jpeg")
        #expect(try run.metadata["damaged"] == true && run.metadata["readable"] == false)
        #expect(try run.done.products == [])
    }

    @Test(arguments: [
        (PNGHeader(width: 100_000, height: 100_000), false), (PNGHeader(width: 1_000_000, height: 10), false),
        (PNGHeader(width: 20_000, height: 20_000), true),
    ])
    func aDecompressionBombGetsNoThumbnail(size: PNGHeader, interlaced: Bool) throws {
        let run = try run(size.fileWithoutPixels(interlaced: interlaced), "image/png")
        #expect(try run.metadata["width"] == .integer(Int64(size.width)))
        #expect(try run.metadata["no_thumbnail"] != nil)
        #expect(try run.done.products == [])
    }

    @Test(arguments: [
        (#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>"#, "image/svg+xml"),
        ("2 2\n1 2\n3 4\n", "image/x-unheard-of"), ("BM", "image/bmp"), ("", "image/png"),
    ])
    func aFormatWithoutATrustedReaderIsDeliveredUnread(content: String, type: String) throws {
        let run = try run(Data(content.utf8), type)
        #expect(try run.metadata["readable"] == false && run.metadata["problem"] != nil)
        #expect(try run.done.products == [])
    }

    @Test func cameraRawInATIFFIsNotTakenForItsPreview() throws {
        let run = try run(PictureFixtures.pages, "image/x-adobe-dng")
        #expect(try run.metadata["readable"] == false && run.metadata["width"] == nil)
    }
}
