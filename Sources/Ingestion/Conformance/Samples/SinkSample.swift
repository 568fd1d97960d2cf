internal import Formats
internal import ShareModel
internal import SinkKit
internal import Sniffing
internal import SystemPackage

#if canImport(FoundationEssentials)
internal import Foundation
#else
internal import Foundation
#endif

/// A case of a sink's samples: a folder with content, and what the sink should say of it.
struct SinkSample {
    /// The folder's name.
    let name: String
    let folder: FilePath
    let input: ConformanceInput
    /// Absent where nothing is recorded yet.
    let expected: SampleExpectation?

    private static let expectedName = "expected.json"
    private static let configurationName = "configure.json"
    /// The largest content of a sample, in bytes.
    private static let contentLimit = 16 << 20

    /// - Throws: ``IngestionError`` where the case cannot be read, or has no content.
    init(_ folder: FilePath) throws {
        name = folder.lastComponent?.string ?? ""
        self.folder = folder
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.string).sorted()
        expected = try names.contains(Self.expectedName) ? .init(reading: folder.appending(Self.expectedName)) : nil
        var parts: [ConformanceInput.Part] = []
        for name in names {
            guard let stem = name.split(separator: ".").first, let role = Delivery.Part.Role(rawValue: String(stem))
            else { continue }
            parts.append(try Self.part(folder.appending(name), role: role, expected: expected))
        }
        // The content leads.
        parts = parts.filter { $0.role == .content } + parts.filter { $0.role != .content }
        guard parts.first?.role == .content else {
            throw IngestionError(.usage, "the sample \(folder) has no content; put a file content.<ending> into it")
        }
        input = ConformanceInput(
            label: "the sample \(name)", parts: parts, title: expected?.title, text: expected?.text)
    }

    private static func part(
        _ path: FilePath, role: Delivery.Part.Role, expected: SampleExpectation?
    ) throws -> ConformanceInput.Part {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path.string)))
        guard bytes.count <= contentLimit else {
            throw IngestionError(.usage, "\(path) has \(bytes.count) bytes; a sample has at most \(contentLimit)")
        }
        let isContent = role == .content
        let name = (isContent ? expected?.name : nil) ?? path.lastComponent?.string ?? role.rawValue
        let type = try (isContent ? expected?.type : nil) ?? sniffed(bytes, name: name)
        return .init(role: role, name: name, type: type, bytes: bytes)
    }

    private static func sniffed(_ bytes: [UInt8], name: String) throws -> String {
        try MagicSniffer().identify(ContentBytes(bytes), claims: TypeClaims(name: name)).type.description
    }

    /// The cases below a folder, by name; none where there is no such folder, unless a person named it.
    static func all(_ folder: FilePath, isNamed: Bool) throws -> [SinkSample] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.string)) ?? []
        if names.isEmpty, isNamed {
            throw IngestionError(.usage, "there are no samples in \(folder); name a folder of cases")
        }
        return try names.sorted().filter { $0 != configurationName && !$0.hasPrefix(".") }
            .map { try SinkSample(folder.appending($0)) }
    }

    /// What the samples' folder says of the sink's configuration, as the body of `configure`; else an empty one.
    static func configuration(_ folder: FilePath) throws -> HostMessage.Configuration {
        let path = folder.appending(configurationName)
        guard let data = FileManager.default.contents(atPath: path.string) else { return .init(config: [:]) }
        do {
            return try JSONDecoder().decode(HostMessage.Configuration.self, from: data)
        } catch {
            throw IngestionError(.usage, "\(path) is no {\"config\":{…},\"secrets\":{…}}: \(error)")
        }
    }

    /// A check for each sample.
    static func checks(_ samples: [SinkSample]) -> [ConformanceCheck] {
        samples.map { sample in
            ConformanceCheck(
                name: "samples/\(sample.name)", rule: "the sink answers as \(expectedName) of the sample says",
                remedy: "mend the sink, or look at the difference and record it with --record"
            ) { bench in try sample.check(bench) }
        }
    }

    private func check(_ bench: ConformanceBench) throws {
        let finding = try bench.sit { session in
            try bench.open(session)
            return try bench.deliver(input, in: session)
        }
        // What is recorded again keeps its precision; what is compared is found in full.
        let found = SampleExpectation(
            finding, like: bench.options.records ? expected : nil, isFull: !bench.options.records)
        if bench.options.records { return try found.write(to: folder.appending(Self.expectedName)) }
        guard let expected else {
            throw CheckFailure(
                "it has no \(Self.expectedName)",
                remedy: "write it with --record, and look whether it says what is true")
        }
        let differences = expected.differences(to: found)
        guard differences.isEmpty else { throw CheckFailure(differences.joined(separator: "; ")) }
    }
}
