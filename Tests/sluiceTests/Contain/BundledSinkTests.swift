import Foundation
import GroupContainer
import ShareModel
import SinkKit
import SystemPackage
import Testing

@testable import Files
@testable import Ingestion
@testable import SinkHost

/// The bundled sinks do their work within the default limits, with the sandbox and without.
@Suite(.timeLimit(.minutes(60))) struct BundledSinkTests {
    struct Work: Sendable {
        var sink: String
        var type: String
        var content: Data
        /// The roles of its products.
        var products: [String]
    }

    static let works = [
        Work(sink: "pdf-import", type: "application/pdf", content: PDFBuilder().data, products: ["thumbnail"]),
        Work(sink: "image-import", type: "image/jpeg", content: PictureFixtures.turned, products: ["thumbnail"]),
        Work(
            sink: "office-import", type: "application/rtf", content: Data("{\\rtf1 words}".utf8), products: ["text"]),
        // Without ffprobe, it says so, and has no product either.
        Work(sink: "media-import", type: "audio/mpeg", content: Data("no sound".utf8), products: []),
        Work(
            sink: "text-note", type: "message/rfc822", content: Data("Subject: words\n\nMore words.\n".utf8),
            products: ["text"]),
        Work(
            sink: "link-capture", type: "text/uri-list", content: Data("https://example.com\n".utf8), products: ["link"]
        ),
        Work(sink: "keep", type: "application/octet-stream", content: Data([0, 1]), products: []),
    ]

    @Test(arguments: works, try await ConfinedSink.levels())
    func itsWorkFitsIntoTheLimits(_ work: Work, _ level: Containment) async throws {
        let folder = try TestFolder()
        for name in ["in/7", "out/7"] { try SystemFileSystem().ensureFolders(folder[name]) }
        let part = try folder.write("in/7/content", work.content, mode: 0o400)
        let registry = SinkRegistry(folders: [], program: ConfinedSink.program)
        let sink = try #require(registry[work.sink])
        let launch = try await ConfinedSink.confiner(level)
            .launch(sink, folder: folder.path, network: false, limits: sink.manifest.limits, on: SystemFileSystem())
        for path in [folder["in/7"], part, folder["out/7"]] { try launch.give(path) }
        let delivery = Delivery(
            id: "7", key: "key", attempt: 1,
            parts: [
                .init(
                    role: .content, path: launch.inside(part).string, name: "content", type: work.type,
                    size: Int64(work.content.count), sha256: String(repeating: "0", count: 64))
            ], out: launch.inside(folder["out/7"]).string)
        let done = try deliver(delivery, launch)
        #expect(done.status == .delivered)
        #expect((done.products ?? []).map(\.role).sorted() == work.products)
        for product in done.products ?? [] {
            #expect(try !Disk.bytes(folder["out/7"].appending(product.path)).isEmpty)
        }
    }

    private func deliver(_ delivery: Delivery, _ launch: SinkLaunch) throws -> SinkMessage.Done {
        let lines: [HostMessage] = [
            .hello(.init(protocol: SinkProtocol.version, host: "tests")), .configure(.init(config: [:])),
            .deliver(delivery), .goodbye,
        ]
        let environment = launch.environment.map { "\($0)=\($1)" }
        let (messages, status) = try SinkRun.talk(
            to: ["/usr/bin/env", "-i"] + environment + [launch.executable.string] + launch.arguments,
            lines.flatMap { try SinkProtocol.line($0) })
        #expect(status == 0)
        let answers = messages.compactMap { if case .done(let done) = $0 { done } else { nil } }
        try #require(answers.count == 1, "\(messages)")
        return answers[0]
    }
}
