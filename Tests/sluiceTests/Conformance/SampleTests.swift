import Foundation
import Ingestion
import ShareModel
import SystemPackage
import Testing

@testable import SinkConformance
@testable import SinkHost

/// A sink's samples: the suite records an answer, and compares later answers with it, value by value.
@Suite(.timeLimit(.minutes(60))) struct SampleTests {
    private let folder: TestFolder
    private let sink: FilePath

    init() throws {
        folder = try TestFolder(inMemory: true)
        sink = try MockSink.install(["good"], in: folder).appending("mock")
        try folder.write("sinks/mock/samples/short/content.txt", "a river")
    }

    private func result(recording: Bool = false) async throws -> ConformanceResult {
        var options = ConformanceOptions(identify: FileSniffer.mediaType)
        options.startup = .seconds(3600)
        options.only = ["samples/"]
        options.records = recording
        let results = try await ConformanceTests.results(of: sink, options)
        try #require(results.map(\.name) == ["samples/short"])
        return results[0]
    }

    private var expected: String {
        get throws {
            String(decoding: try Disk.bytes(folder["sinks/mock/samples/short/expected.json"]), as: UTF8.self)
        }
    }

    @Test func aSampleIsRecordedAndComparedValueByValue() async throws {
        let unrecorded = try await result()
        #expect(unrecorded.outcome == .failed)
        #expect(unrecorded.remedy == Remedy.recordAnswer.description)

        #expect(try await result(recording: true).outcome == .passed)
        #expect(try expected.contains(#""text" : "a river""#))
        #expect(try !expected.contains("sha256"), "a recording has no digest unless the author wants one")
        #expect(try await result().outcome == .passed)

        let wrong = try expected.replacingOccurrences(of: "7", with: "8")
            .replacingOccurrences(of: #""role" : "#, with: #""size" : 9, "role" : "#)
        try folder.write("sinks/mock/samples/short/expected.json", wrong)
        let difference = try await result()
        #expect(difference.outcome == .failed)
        #expect(difference.why == "metadata.bytes: expected 8, got 7; products[0].size: expected 9, got 7")
    }

    @Test func recordingKeepsWhatAPersonChose() async throws {
        try folder.write(
            "sinks/mock/samples/short/expected.json",
            #"{"status": "declined", "title": "A title", "products": [{"role": "x", "type": "y", "sha256": "z"}]}"#)
        #expect(try await result(recording: true).outcome == .passed)
        #expect(try expected.contains(#""title" : "A title""#))
        #expect(try expected.contains(#""status" : "delivered""#))
        #expect(try expected.contains(#""sha256" : ""#))
        #expect(try await result().outcome == .passed)
    }

    @Test func aSampleWithoutContentIsAnErrorOfTheFolder() async throws {
        try folder.write("sinks/mock/samples/empty/expected.json", #"{"status": "delivered"}"#)
        await #expect(throws: SinkHostError.self) { try await result() }
    }
}
