import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import Ingestion
@testable import SinkConformance
@testable import SinkHost

/// `sluice sinks new` makes the examples, and they work.
@Suite struct ExampleTests {
    private static let root = FilePath(#filePath).removingLastComponent().appending("../../..").lexicallyNormalized()
    private static let examples = root.appending("Plugins/examples")

    private let folder: TestFolder
    private let program: Program

    init() throws {
        folder = try TestFolder()
        program = Program(container: folder["c"])
    }

    private struct Expected: Decodable, Equatable {
        var status: String
        var metadata: JSONValue
        var products: [Product]

        struct Product: Decodable, Equatable {
            var path: String
            var role: String
            var type: String
        }
    }

    private struct Message: Decodable {
        var answer: Answer

        struct Answer: Decodable {
            var delivery: DeliveryRecord
            var kept: [String]
        }
    }

    /// The output of `sluice sinks run` for a sink's sample must be the sample's expectation.
    private func check(_ sink: FilePath) throws {
        let sample = sink.appending("samples/hello")
        let end = try program.run([
            "sinks", "run", sink.string, sample.appending("content.txt").string, "--json", "--out",
            folder["out"].string,
        ])
        #expect(end.status == 0, "\(end.errors)")
        let answer = try JSONDecoder().decode(Message.self, from: Data(end.output.utf8)).answer
        let products = answer.delivery.products.map {
            Expected.Product(path: $0.name, role: $0.role, type: $0.type.description)
        }
        let expected = try JSONDecoder().decode(
            Expected.self, from: Data(try Disk.bytes(sample.appending("expected.json"))))
        #expect(
            Expected(
                status: answer.delivery.outcome.rawValue, metadata: answer.delivery.metadata ?? [:], products: products)
                == expected)
        #expect(answer.kept.count == products.count)
        for path in answer.kept { #expect(try !Disk.bytes(FilePath(path)).isEmpty) }
    }

    @Test(arguments: ["word-count", "checksum"])
    func aScriptAnswersItsSample(_ name: String) throws { try check(Self.examples.appending(name)) }

    @Test func theProgramInSwiftAnswersItsSample() throws { try check(lineCount()) }

    /// The folder of the Swift example, with its built program.
    private func lineCount() throws -> FilePath {
        let sink = folder["line-count"]
        for name in ["sink.json", "samples"] {
            try FileManager.default.createDirectory(atPath: sink.string, withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                atPath: Self.examples.appending("line-count").appending(name).string,
                toPath: sink.appending(name).string)
        }
        // A copy and not a link: in the sandbox the sink sees its own folder only.
        try FileManager.default.copyItem(
            atPath: try SinkRun.program("line-count"), toPath: sink.appending("line-count").string)
        return sink
    }

    @Test(arguments: ["word-count", "checksum", "line-count"])
    func theExamplesKeepTheProtocol(_ name: String) throws {
        let sink = try name == "line-count" ? lineCount() : Self.examples.appending(name)
        let end = try program.run(["sinks", "test", sink.string])
        #expect(end.status == 0 && end.output.contains("keeps the protocol"), "\(end.output)")
    }

    /// A few checks do not show that a sink keeps the protocol.
    @Test func chosenChecksAreNamed() throws {
        let sink = Self.examples.appending("checksum").string
        let end = try program.run(["sinks", "test", sink, "--only", "manifest/", "--only", "hello/answer"])
        #expect(end.status == 0 && !end.output.contains("keeps the protocol"), "\(end)")
        #expect(end.output.hasSuffix("2 checks passed; only the checks manifest/, hello/answer ran\n"), "\(end.output)")
    }

    @Test(arguments: ["python", "shell"])
    func aNewSinkAnswersItsSample(_ language: String) throws {
        let end = try program.run(["sinks", "new", "my-own", "--language", language, "--into", folder.path.string])
        #expect(end.status == 0 && end.output.contains("sluice sinks test"), "\(end.errors)")
        try check(folder["my-own"])
        let again = try program.run(["sinks", "new", "my-own", "--language", language, "--into", folder.path.string])
        #expect(again.status == 64 && again.errors.contains("is not overwritten"))
    }

    /// Every form of the example's name is replaced, so no sentence may use that name as a plain word.
    @Test(arguments: SinkTemplate.Language.allCases)
    func theNameOfANewSinkIsNoWordOfASentence(_ language: SinkTemplate.Language) throws {
        let template = try SinkTemplate(name: "pdfhash", language: language, sinkKit: .folder("/a"))
        let made = try template.write(into: folder.path)
        let names = Disk.names(in: made).filter { !["samples", "Sources"].contains($0) }
        #expect(names.contains("README.md"))
        for name in names {
            let text = String(decoding: try Disk.bytes(made.appending(name)), as: UTF8.self)
            let found = text.matches(of: /[A-Za-z0-9]+ pdfhash\b/).map { String($0.output) }
            // The command `ln -sf .build/release/pdfhash pdfhash` of a sink in Swift has the name twice.
            #expect(found.allSatisfy { $0 == "pdfhash pdfhash" }, "\(name): \(found)")
        }
    }

    @Test func aNewSinkInSwiftNamesSinkKit() throws {
        let tree = SinkKitPlace.folder(#"/a "b""#)
        let made = try SinkTemplate(name: "my-own", language: .swift, sinkKit: tree).write(into: folder.path)
        let manifest = String(decoding: try Disk.bytes(made.appending("Package.swift")), as: UTF8.self)
        #expect(manifest.contains(#".package(name: "sluice", path: "/a \"b\"")"#), "\(manifest)")
        #expect(manifest.contains(#".executableTarget(name: "my-own""#))
        let source = made.appending("Sources/my-own/MyOwn.swift")
        #expect(String(decoding: try Disk.bytes(source), as: UTF8.self).contains("@main struct MyOwn: Sink {"))
        #expect(SinkTemplate.typeName("sink") == "SinkProgram")
        let url = SinkKitPlace.repository("https://example.org/sluice.git")
        let other = try SinkTemplate(name: "other", language: .swift, sinkKit: url).write(into: folder.path)
        #expect(
            String(decoding: try Disk.bytes(other.appending("Package.swift")), as: UTF8.self).contains(
                #".package(url: "https://example.org/sluice.git", branch: "main")"#))
        #expect(SinkKitPlace.above(Self.root.appending(".build/debug/sluice")) == .folder(Self.root))
        #expect(SinkKitPlace.above("/usr/bin/sluice") == nil)
        #expect(throws: SinkHostError.self) { try SinkTemplate(name: "x", language: .swift) }
        #expect(throws: SinkHostError.self) { try SinkKitPlace(naming: "/nowhere") }
    }

    /// Half of a sink would be in the way of the next attempt.
    @Test func aSinkThatCannotBeWrittenLeavesNothing() throws {
        // The path of the folder has a length at which the system takes no path of a file in it (PATH_MAX).
        var parent = folder.path
        while parent.string.utf8.count < 4_080 - 210 { parent.append(String(repeating: "d", count: 200)) }
        parent.append(String(repeating: "e", count: 4_080 - parent.string.utf8.count))
        try FileManager.default.createDirectory(atPath: parent.string, withIntermediateDirectories: true)
        let template = try SinkTemplate(name: "my-own", language: .shell)
        #expect(throws: SinkHostError.self) { try template.write(into: parent) }
        #expect(Disk.names(in: parent).isEmpty)
    }

    @Test func aLineFeedInThePlaceOfSinkKitEndsNoLine() throws {
        let tree = SinkKitPlace.folder("/a\n, evil: \"\u{7F}")
        let made = try SinkTemplate(name: "my-own", language: .swift, sinkKit: tree).write(into: folder.path)
        let manifest = String(decoding: try Disk.bytes(made.appending("Package.swift")), as: UTF8.self)
        #expect(manifest.contains(#"path: "/a\u{a}, evil: \"\u{7f}")"#), "\(manifest)")
    }

    @Test(arguments: ["", "A", "-a", "a-", "1a", "../a", "a b", String(repeating: "a", count: 65)])
    func anInvalidNameIsRefused(_ name: String) {
        #expect(throws: SinkHostError.self) { try SinkTemplate(name: name, language: .shell) }
    }

    /// If this test fails, run Scripts/embed-examples.
    @Test func theEmbeddedFilesAreThoseOfTheFolder() throws {
        #expect(!SinkTemplate.files.isEmpty)
        for file in SinkTemplate.files {
            let path = Self.examples.appending(file.path)
            #expect(Array(file.text.utf8) == (try Disk.bytes(path)), "\(file.path)")
            #expect(try (Disk.mode(path) & 0o100 != 0) == file.isExecutable, "\(file.path)")
        }
        let lying = Disk.files(below: Self.examples).filter { name in
            !["/.build/", "/__pycache__/", "Package.resolved", "line-count/line-count"].contains {
                name.contains($0) && !name.contains("Sources/")
            }
        }
        #expect(Set(lying) == Set(SinkTemplate.files.map(\.path)))
    }

    @Test func productsOfEveryRunAreKept() throws {
        let sink = Self.examples.appending("word-count")
        let content = sink.appending("samples/hello/content.txt").string
        for _ in 0..<2 {
            let end = try program.run(["sinks", "run", sink.string, content, "--out", folder["out"].string])
            #expect(end.status == 0, "\(end.errors)")
        }
        #expect(Disk.files(below: folder["out"]) == ["content.txt-2/words.json", "content.txt/words.json"])
    }

    /// A share with a good attachment and one that is missing: each gets an answer.
    @Test func aFailedAttachmentIsReportedBesideAGoodOne() throws {
        try folder.write("two.share/good.txt", "the good half")
        try folder.share(
            "two", #"{"representations": [{"file": "good.txt"}]}"#, #"{"representations": [{"file": "late.txt"}]}"#)
        let end = try program.run([
            "sinks", "run", Self.examples.appending("word-count").string, folder["two.share"].string,
        ])
        #expect(end.status == 1, "\(end)")
        #expect(end.output.contains("good.txt") && end.output.contains("delivered"), "\(end.output)")
        #expect(end.output.contains("late.txt") && end.output.contains("not delivered"), "\(end.output)")
    }

    @Test func aTypeThatTheSinkDoesNotAcceptIsReported() throws {
        let end = try program.run([
            "sinks", "run", "image-import", Self.examples.appending("checksum/samples/hello/content.txt").string,
        ])
        #expect(end.status == 1 && end.output.contains("does not accept text/plain, but image/*"), "\(end.output)")
        let unknown = try program.run(["sinks", "run", "imag-import", "x"])
        #expect(unknown.status == 1 && unknown.errors.contains("did you mean 'image-import'?"))
    }
}
