internal import Files
internal import ShareModel
internal import SinkHost
internal import SinkKit
internal import SystemPackage

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

    /// The largest `configure.json`, in bytes.
    private static let configurationLimit = 1 << 20

    /// - Throws: ``SinkHostError`` where the case cannot be read, or has no content.
    init(_ folder: FilePath, identify: ([UInt8], String) throws -> String) throws {
        name = folder.lastComponent?.string ?? ""
        self.folder = folder
        let names = try Directory(folder).names()
        expected = try SampleExpectation(reading: folder.appending(Self.expectedName))
        var parts: [ConformanceInput.Part] = []
        for name in names {
            guard let stem = name.string.split(separator: ".").first,
                let role = Delivery.Part.Role(rawValue: String(stem))
            else { continue }
            parts.append(try Self.part(folder.appending(name), role: role, expected: expected, identify: identify))
        }
        // The content leads.
        parts = parts.filter { $0.role == .content } + parts.filter { $0.role != .content }
        guard parts.first?.role == .content else {
            throw SinkHostError(.usage, "the sample \(folder) has no content; put a file content.<ending> into it")
        }
        input = ConformanceInput(
            label: "the sample \(name)", parts: parts, title: expected?.title, text: expected?.text)
    }

    private static func part(
        _ path: FilePath, role: Delivery.Part.Role, expected: SampleExpectation?,
        identify: ([UInt8], String) throws -> String
    ) throws -> ConformanceInput.Part {
        let bytes: [UInt8]
        do {
            bytes = try SmallFile.read(path, limit: contentLimit) ?? []
        } catch {
            throw SinkHostError(.usage, "\(path) cannot be a sample's content: \(error)")
        }
        let isContent = role == .content
        let name = (isContent ? expected?.name : nil) ?? path.lastComponent?.string ?? role.rawValue
        let type = try (isContent ? expected?.type : nil) ?? identify(bytes, name)
        return .init(role: role, name: name, type: type, bytes: bytes)
    }

    /// The cases below a folder, by name; none where there is no such folder, unless a person named it.
    static func all(_ folder: FilePath, isNamed: Bool, identify: ([UInt8], String) throws -> String) throws
        -> [SinkSample]
    {
        let names = FolderListing.top(of: folder)
        if names.isEmpty, isNamed {
            throw SinkHostError(.usage, "there are no samples in \(folder); name a folder of cases")
        }
        return try names.filter { $0.string != configurationName && !$0.string.hasPrefix(".") }
            .map { try SinkSample(folder.appending($0), identify: identify) }
    }

    /// What the samples' folder says of the sink's configuration, as the body of `configure`; else an empty one.
    static func configuration(_ folder: FilePath) throws -> HostMessage.Configuration {
        let path = folder.appending(configurationName)
        do {
            guard let bytes = try SmallFile.read(path, limit: configurationLimit) else { return .init(config: [:]) }
            return try JSONLines.decode(HostMessage.Configuration.self, from: bytes)
        } catch {
            throw SinkHostError(.usage, "\(path) is no {\"config\":{…},\"secrets\":{…}}: \(error)")
        }
    }

    /// A check for each sample.
    static func checks(_ samples: [SinkSample]) -> [ConformanceCheck] {
        samples.map { sample in
            ConformanceCheck(
                name: "samples/\(sample.name)", rule: "the sink answers as \(expectedName) of the sample says",
                remedy: Remedy.compareAnswer.description
            ) { context in try await sample.check(context) }
        }
    }

    private func check(_ context: ConformanceContext) async throws {
        let finding = try await context.withSession { session in
            try context.open(session)
            return try context.deliver(input, in: session)
        }
        // What is recorded again keeps its precision; what is compared is found in full.
        let found = SampleExpectation(
            finding, like: context.options.records ? expected : nil, isFull: !context.options.records)
        if context.options.records { return try found.write(to: folder.appending(Self.expectedName)) }
        guard let expected else {
            throw CheckFailure(
                "it has no \(Self.expectedName)",
                remedy: Remedy.recordAnswer.description)
        }
        let differences = expected.differences(to: found)
        guard differences.isEmpty else { throw CheckFailure(differences.joined(separator: "; ")) }
    }
}
