import Foundation
import ShareModel
import SystemPackage
import Testing

/// The real program ingests every folder in Samples/shares. To add a case, add a folder.
@Suite struct SampleShareTests {
    /// The receipt of a case must equal its `expected.json`. The comparison omits identifiers, times, places and the
    /// bytes of thumbnails, which differ between releases of the libraries.
    ///
    /// The test writes a missing `expected.json`; with `SLUICE_RECORD=1` it also writes those that differ. It fails in
    /// both cases, so that a person reads the file.
    @Test(arguments: SampleShare.all) func receipt(of sample: SampleShare) throws {
        let place = try TestFolder()
        let share = try sample.prepare(in: place)
        let receipt = try Program(container: place["container"]).ingest(share).receipt
        #expect(try receipt.json() == JSONLines.encode(receipt))
        let found = try SampleShare.golden(receipt, place: place)
        let expected = try sample.expected()
        if expected == nil || (expected != found && SampleShare.isRecording) {
            try sample.record(found)
            Issue.record("\(sample) was recorded; look at its expected.json, and run again")
        } else {
            #expect(found == expected, "SLUICE_RECORD=1 records it; then see `git diff Samples`")
        }
    }
}

/// A case below Samples/shares.
struct SampleShare: CustomTestStringConvertible, CustomStringConvertible, Sendable {
    let name: String

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Samples/shares")
        .standardized
    static let isRecording = ProcessInfo.processInfo.environment["SLUICE_RECORD"] == "1"

    static let all: [SampleShare] = Disk.names(in: FilePath(folder.path)).filter { $0.hasSuffix(".share") }
        .map { SampleShare(name: $0) }

    var description: String { name }
    var testDescription: String { name }

    private var home: URL { Self.folder.appending(path: name) }

    /// Copies the case, and runs its `make.sh`, which makes the files that git cannot hold.
    func prepare(in place: TestFolder) throws -> FilePath {
        let copy = place[name]
        try FileManager.default.copyItem(atPath: home.path, toPath: copy.string)
        guard FileManager.default.fileExists(atPath: copy.appending("make.sh").string) else { return copy }
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["./make.sh"]
        process.currentDirectoryURL = URL(filePath: copy.string)
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "make.sh of \(name) failed")
        return copy
    }

    func expected() throws -> String? {
        let file = home.appending(path: "expected.json")
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return try String(contentsOf: file, encoding: .utf8)
    }

    func record(_ golden: String) throws {
        try golden.write(to: home.appending(path: "expected.json"), atomically: true, encoding: .utf8)
    }

    /// The receipt in the form of the comparison.
    static func golden(_ receipt: Receipt, place: TestFolder) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let value = try JSONDecoder().decode(JSONValue.self, from: encoder.encode(receipt))
        let text = String(decoding: try encoder.encode(strip(value)), as: UTF8.self)
        return text.replacingOccurrences(of: place.path.string + "/", with: "") + "\n"
    }

    /// Removes the values that differ between runs or machines.
    private static func strip(_ value: JSONValue, key: String = "") -> JSONValue {
        switch value {
        case .array(let values): return .array(values.map { strip($0, key: key) })
        case .object(var object):
            object["id"] = nil
            object["containment"] = nil
            object["modified"] = nil
            if key == "products" { for part in ["sha256", "size"] { object[part] = nil } }
            return .object(Dictionary(uniqueKeysWithValues: object.map { ($0, strip($1, key: $0)) }))
        default: return value
        }
    }
}
