import Foundation
import ShareModel
import SinkKit
import SystemPackage
import Testing

@testable import Files
@testable import GroupContainer
@testable import Ingestion

/// The pixels of thumbnails, decoded by the program of image-import.
@Suite(.timeLimit(.minutes(60))) struct PixelReaderTests {
    private let folder: TestFolder
    private let reader = PixelReader(fitting: PixelBox(width: 16, height: 6), program: ConfinedSink.program)

    init() throws { folder = try TestFolder() }

    private func picture(_ content: Data, _ type: String = "image/jpeg", size: Int64? = nil) throws -> PackageFile {
        let digest = Digest(of: Array(content))
        let path = try folder.write(digest.description, content, mode: 0o444)
        return PackageFile(
            role: .product(sink: "image-import", part: 1, role: "thumbnail"), name: "thumbnail",
            type: MediaType(type), size: size ?? Int64(content.count), sha256: digest, path: path, words: [])
    }

    @Test(arguments: [
        ("a JPEG, turned, that is too high", PictureFixtures.turned, 3, 6),
        ("a GIF with transparency", PictureFixtures.gif, 8, 4), ("a WebP", PictureFixtures.webp, 8, 4),
        ("a damaged JPEG", PictureFixtures.cut, 6, 6),
    ])
    func aPictureFitsTheBox(name: String, content: Data, width: Int, height: Int) async throws {
        let picture = try picture(content)
        let pixels = try #require(try await reader.read([picture])[picture.sha256]).get()
        #expect(pixels.width == width && pixels.height == height)
        #expect(pixels.bytes.count == width * height * 3)
    }

    /// A PNG of a transparent pixel and a blue one.
    private static let blue =
        Data(
            base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEU"
                + "lEQVR4nGPg5ORkYGD4/x8AA8MCGvgPNGUAAAAASUVORK5CYII=") ?? Data()

    /// The conversion of a picture without a profile would change its saturated colors.
    @Test func aThumbnailHasTheColorsOfItsPicture() async throws {
        let run = try SinkRun("image-import", [.init(content: Self.blue, type: "image/png", name: "blue.png")])
        let thumbnail = try picture(run.product("thumbnail"), "image/png")
        let bytes = try #require(try await reader.read([thumbnail])[thumbnail.sha256]).get().bytes
        #expect(bytes == [255, 255, 255, 0, 0, 255])
    }

    @Test func transparencyIsWhite() async throws {
        let picture = try picture(Self.blue, "image/png")
        let bytes = try #require(try await reader.read([picture])[picture.sha256]).get().bytes
        #expect(bytes == [255, 255, 255, 0, 0, 255])
    }

    @Test func badPicturesFailAloneAndSayWhy() async throws {
        let bad = [
            try picture(PNGHeader(width: 100_000, height: 100_000).fileWithoutPixels()),
            try picture(Data("words".utf8)), try picture(Data()),
            try picture(Data("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>".utf8), "image/svg+xml"),
            try picture(Data("large".utf8), size: PixelReader.fileLimit + 1),
        ]
        let good = try picture(PictureFixtures.webp)
        let read = try await reader.read(bad + [good])
        #expect(read.count == bad.count + 1)
        for picture in bad {
            let result = try #require(read[picture.sha256])
            let error = try #require(throws: PixelReader.Unreadable.self) { try result.get() }
            #expect(!error.why.isEmpty && !error.why.contains("/"), "\(error.why)")
        }
        #expect(try read[good.sha256]?.get().width == 8)
    }

    /// `forget` and `gc` may remove a file while another command reads it.
    @Test func aFileThatIsGoneFailsAlone() async throws {
        let gone = try picture(PictureFixtures.gif)
        try FileManager.default.removeItem(atPath: gone.path.string)
        let good = try picture(PictureFixtures.webp)
        let read = try await reader.read([gone, good])
        let result = try #require(read[gone.sha256])
        #expect(throws: PixelReader.Unreadable.self) { try result.get() }
        #expect(try read[good.sha256]?.get().width == 8)
    }

    @Test func withoutTheBundledSinkNothingIsShown() async throws {
        let picture = try picture(PictureFixtures.webp)
        let reader = PixelReader(fitting: PixelBox(width: 16, height: 6), program: folder["sluice"])
        let result = try #require(try await reader.read([picture])[picture.sha256])
        #expect(throws: PixelReader.Unreadable.self) { try result.get() }
    }

    @Test func aCanceledReadingEnds() async throws {
        let (picture, reader) = (try picture(PictureFixtures.webp), reader)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await reader.read([picture]).count
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(arguments: [[], ["8"], ["0", "8"], ["8", "4097"], ["8", "8", "8"], ["-8", "8"], ["a", "8"]])
    func theDecoderNeedsASize(sides: [String]) throws {
        let lines: [HostMessage] = [
            .hello(.init(protocol: SinkProtocol.version, host: "tests")), .configure(.init(config: [:])),
        ]
        let (messages, status) = try SinkRun.talk(
            to: [SinkRun.program("image-import"), "pixels"] + sides, lines.flatMap { try SinkProtocol.line($0) })
        #expect(!messages.contains(.ready) && status == 1)
    }
}
