internal import Files
internal import FoundationEssentials
internal import GroupContainer
internal import Reading
internal import ShareModel
internal import SystemPackage

/// Writes a package into the inbox: a description, and each file beside it.
///
/// It decides nothing: the types are found, and the forms are chosen, when the share is taken in. A form that cannot be read is left
/// out if its attachment has another one. Otherwise nothing waits, so the person learns of it.
final class InboxShareWriter {
    /// The longest text, link or data that is written into the description, in bytes, and the sum of them. A reader takes at most
    /// 32 MiB of JSON.
    private static let inlineBytes = 64 << 10
    private var room = 4 << 20

    private let inbox: InboxWriter
    private let opener: SourceOpener
    private let meter: ProgressMeter
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 4096)
    private var files = 0

    private init(_ inbox: InboxWriter, _ opener: SourceOpener, _ meter: ProgressMeter) {
        (self.inbox, self.opener, self.meter) = (inbox, opener, meter)
    }

    deinit { buffer.deallocate() }

    /// Writes all of the package.
    ///
    /// - Returns: the folder of the share, which is durable.
    /// - Throws: ``ReadingError`` if an attachment cannot be read; ``SharingError`` for a folder, which cannot wait; an error of the
    ///   disk.
    static func write(
        _ package: SharePackage, _ inbox: InboxWriter, _ opener: SourceOpener, _ arrival: InboxArrival,
        _ limits: ReadingLimits, _ meter: ProgressMeter
    ) throws -> FilePath {
        let writer = InboxShareWriter(inbox, opener, meter)
        let description = try JSONLines.encode(writer.description(of: package))
        // What is acknowledged can be read. A text of the item has no limit until here.
        if case .failed(_, let error) = ReadInput.described(
            description, named: "the share", package.source, limits: limits)
        {
            throw error
        }
        return try inbox.finish(
            [("share.json", description), (InboxArrival.fileName, try JSONLines.encode(arrival))],
            at: arrival.nanoseconds / 1_000_000)
    }

    private func description(of package: SharePackage) throws -> JSONValue {
        var items: [JSONValue] = []
        for item in package.items {
            var entries: [String: JSONValue] = [:]
            entries["title"] = item.title.map(JSONValue.string)
            entries["text"] = item.text.map(JSONValue.string)
            var attachments: [JSONValue] = []
            for provider in item.attachments { attachments.append(try attachment(provider)) }
            if !attachments.isEmpty { entries["attachments"] = .array(attachments) }
            items.append(.object(entries))
        }
        var root: [String: JSONValue] = ["version": 1, "items": .array(items)]
        root["id"] = package.id.map(JSONValue.string)
        return .object(root)
    }

    private func attachment(_ provider: ItemProvider) throws -> JSONValue {
        var representations: [JSONValue] = []
        var failure: ReadingError?
        for representation in provider.representations {
            do {
                var content = try content(of: representation, named: provider.suggestedName)
                content["type"] = representation.declaredType.map(JSONValue.string)
                representations.append(.object(content))
            } catch let error as ReadingError {
                try Task.checkCancellation()
                failure = failure ?? error
            }
        }
        if representations.isEmpty, provider.role != .preview, let failure { throw failure }
        var entries: [String: JSONValue] = ["representations": .array(representations)]
        entries["name"] = provider.suggestedName.map(JSONValue.string)
        entries["group"] = provider.group.map(JSONValue.string)
        if provider.role != .content { entries["role"] = .string(provider.role.rawValue) }
        return .object(entries)
    }

    /// The content of a form, as a description has it.
    ///
    /// - Throws: ``ReadingError`` if it cannot be read.
    private func content(of form: Representation, named name: String?) throws -> [String: JSONValue] {
        switch form.content {
        case .link(let address):
            return try inline("link", address) ?? ["file": file(Array(address.utf8), name ?? "link")]
        case .text(let text): return try inline("text", text) ?? ["file": file(Array(text.utf8), name ?? "text.txt")]
        case .data(let bytes):
            guard bytes.count <= Self.inlineBytes, bytes.count <= room else {
                return ["file": try file(bytes, name ?? "data")]
            }
            room -= bytes.count
            return ["data": .string(Data(bytes).base64EncodedString())]
        case .part(let part):
            let source = try opener.open(part)
            return [
                "file": try file(name ?? part.path.lastComponent?.string ?? "part") { file in
                    try copy(to: file) { try source.read(into: $0) }
                    return nil
                }
            ]
        case .file(let reference):
            guard case .file(let source) = try opener.open(reference) else {
                throw SharingError(
                    .needsMigration, "\(reference.text) is a folder, which cannot wait for a migration",
                    remedy: .migrateContainer)
            }
            return [
                "file": try file((try? reference.path().lastComponent?.string) ?? name ?? "file", source.size) { file in
                    let size = try copy(to: file) { try source.read(into: $0) }
                    try source.checkUnchanged(afterReading: size)
                    return source.modified
                }
            ]
        }
    }

    /// A short text inside of the description; `nil` if it is too long.
    private func inline(_ form: String, _ text: String) -> [String: JSONValue]? {
        guard text.utf8.count <= Self.inlineBytes, text.utf8.count <= room else { return nil }
        room -= text.utf8.count
        return [form: .string(text)]
    }

    private func file(_ bytes: [UInt8], _ name: String) throws -> JSONValue {
        try file(name, Int64(bytes.count)) { file in
            try bytes.withUnsafeBytes { try append($0, to: file) }
            return nil
        }
    }

    /// Writes a file in a folder of its own, so that it keeps its name.
    ///
    /// - Parameters:
    ///   - size: in bytes, if it is known.
    ///   - body: writes the content, and returns its time of modification.
    /// - Returns: its path in the share.
    private func file(
        _ name: String, _ size: Int64 = 0, _ body: (any StagingFile) throws -> Timestamp?
    ) throws -> JSONValue {
        let file = try inbox.area.makeFile(expecting: size)
        let modified = try body(file)
        let (folder, name) = ("file-\(files)", SafeName.make(name))
        files += 1
        try inbox.place(file.finish(), in: folder, named: name, modified: modified)
        return .string("./\(folder)/\(name)")
    }

    /// Copies all that `read` gives, and returns its size in bytes.
    @discardableResult
    private func copy(
        to file: any StagingFile, _ read: (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws -> Int64 {
        var size: Int64 = 0
        while case let count = try read(buffer), count > 0 {
            try append(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: file)
            size += Int64(count)
        }
        return size
    }

    private func append(_ bytes: UnsafeRawBufferPointer, to file: any StagingFile) throws {
        try Task.checkCancellation()
        try file.append(bytes)
        meter.add(bytes: bytes.count)
    }
}
