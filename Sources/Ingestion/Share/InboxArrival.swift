internal import Files
internal import FoundationEssentials
internal import GroupContainer
internal import ShareModel
internal import SystemPackage

/// How a share came into the inbox: what its description does not say. It is the file `arrival.json` of the share.
struct InboxArrival: Codable {
    static let fileName = "arrival.json"
    /// The largest file that is read, in bytes. A person may give a long text.
    private static let maximumBytes = 64 << 20

    /// The time of the share, in ISO 8601 and UTC.
    var received: String
    /// The same in nanoseconds since 1970.
    var nanoseconds: Int64
    var kind: PackageSource.Kind
    /// The path of the source, or what stands for it, in base64: a path need not be UTF-8.
    var path: Data
    var title: String?
    var text: String?
    var tags: [String]
    var destination: String?

    init(of source: PackageSource, _ options: IngestOptions) {
        (received, nanoseconds) = (options.clock.now(), options.clock.nanoseconds())
        (kind, path) = (source.kind, Data(source.path.bytes))
        (title, text, destination) = (options.title, options.text, options.destination)
        tags = options.tags.map(\.word)
    }

    /// The source of the package, whose files are in a folder of the inbox.
    func source(in share: FilePath) -> PackageSource {
        PackageSource(kind: kind, path: FilePath(bytes: Array(path)), folder: share)
    }

    /// The options of the share, as its session had them.
    func options(_ options: IngestOptions) -> IngestOptions {
        var options = options
        (options.title, options.text, options.destination) = (title, text, destination)
        options.tags = tags.compactMap { PackageTag($0) }
        options.clock = Clock(now: { [received] in received }, nanoseconds: { [nanoseconds] in nanoseconds })
        return options
    }

    /// The arrival of a share; `nil` if it has none. Then the share has only what its description says.
    ///
    /// - Throws: ``SharingError`` if it cannot be read: without it, the share might go elsewhere.
    static func read(in share: FilePath, _ fileSystem: any FileSystem) throws -> InboxArrival? {
        let file = share.appending(fileName)
        guard try fileSystem.exists(file) else { return nil }
        guard let bytes = try fileSystem.bytes(of: file, limit: maximumBytes),
            let arrival = try? JSONLines.decode(InboxArrival.self, from: bytes)
        else { throw SharingError(.unreadableSource, "\(file) cannot be read; a newer program may have written it") }
        return arrival
    }
}
