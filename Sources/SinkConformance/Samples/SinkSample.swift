internal import Files
internal import ShareModel
internal import SinkHost
internal import SinkKit
internal import SystemPackage

/// A sample of a sink: a folder with content, and the expected answer.
struct SinkSample {
    /// The folder's name.
    let name: String
    let folder: FilePath
    let input: ConformanceInput
    /// `nil` before the first recording.
    let expected: SampleExpectation?

    private static let expectedName = "expected.json"
    private static let configurationName = "configure.json"
    /// In bytes.
    private static let contentLimit = 16 << 20

    /// In bytes.
    private static let configurationLimit = 1 << 20

    /// - Throws: ``SinkHostError`` if the sample cannot be read or has no content.
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
        // The content is the leading part.
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

    /// The samples in a folder, sorted by name. A missing folder has none; if the user named it, that is an error.
    static func all(_ folder: FilePath, isNamed: Bool, identify: ([UInt8], String) throws -> String) throws
        -> [SinkSample]
    {
        let names = FolderListing.top(of: folder)
        if names.isEmpty, isNamed {
            throw SinkHostError(.usage, "there are no samples in \(folder); name a folder with samples")
        }
        return try names.filter { $0.string != configurationName && !$0.string.hasPrefix(".") }
            .map { try SinkSample(folder.appending($0), identify: identify) }
    }

    /// The body of `configure` from the samples' folder; an empty one if there is no such file.
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
                name: "samples/\(sample.name)", rule: "the sink answers as the sample's \(expectedName) states",
                remedy: Remedy.compareAnswer.description
            ) { context in try await sample.check(context) }
        }
    }

    private func check(_ context: ConformanceContext) async throws {
        let finding = try await context.withSession { session in
            try context.open(session)
            return try context.deliver(input, in: session)
        }
        // A new recording keeps the precision of the old one, so that it does not add digests that the author left out.
        // A comparison needs every value.
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
