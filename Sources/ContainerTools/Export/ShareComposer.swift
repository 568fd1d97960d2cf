internal import ShareModel

/// Composes the description of a package as the container has it: the chosen item, with the chosen form of each
/// provider.
///
/// Call ``attachments()`` before ``json()``.
struct ShareComposer {
    /// The longest text or link that is written into the description, in bytes.
    private static let textBytes: Int64 = 64 << 10
    /// The bytes of texts and links that still fit into the description. A reader takes at most 32 MiB of JSON.
    private var room: Int64 = 4 << 20

    private let package: StoredPackage
    private let object: (Digest) throws -> [UInt8]
    /// The attachments as the sender described them; each may have a group and a role. Empty if the description is not
    /// stored, or cannot be read.
    private let claims: [JSONValue]
    /// The attachments of the new description.
    private var composed: [JSONValue] = []

    /// A file beside the description.
    struct File {
        let name: String
        let digest: Digest
        /// The time of the file that the content came from.
        let modified: Timestamp?
    }

    init(package: StoredPackage, object: @escaping (Digest) throws -> [UInt8]) throws {
        self.package = package
        self.object = object
        guard let first = package.records.first, let item = package.receipt.item?.index,
            let manifest = try? JSONValue(json: object(first)),
            case .array(let items)? = manifest["items"], items.indices.contains(item),
            case .array(let attachments)? = items[item]["attachments"]
        else {
            claims = []
            return
        }
        claims = attachments
    }

    /// The files that the description names, with their paths below its folder.
    mutating func attachments() throws -> [File] {
        guard !isTextAlone else { return [] }
        var files: [File] = []
        // Some file systems take two names for one if they differ only in case.
        var taken: Set<String> = ["share.json"]
        for (place, provider) in package.receipt.providers.enumerated() {
            var entries: [String: JSONValue] = ["name": .string(provider.suggestedName ?? provider.name)]
            if claims.indices.contains(provider.index) {
                for key in ["group", "role"] { entries[key] = claims[provider.index][key] }
            }
            // A provider without content keeps its place without a representation, so the package stays partial.
            var representations: [JSONValue] = []
            if let digest = provider.sha256 {
                var content: [String: JSONValue] = [:]
                let attempt = provider.tried.first { $0.representation == provider.chosen }
                content["type"] = attempt?.declared.map(JSONValue.string)
                let size = provider.size ?? 0
                if let form = attempt?.form, form == .link || form == .text, size <= min(Self.textBytes, room) {
                    room -= size
                    content[form.rawValue] = .string(String(decoding: try object(digest), as: UTF8.self))
                } else {
                    var name = Self.fileName(provider)
                    if !taken.insert(name.lowercased()).inserted {
                        // The folder needs a name that is free too: an attachment may be called `2`.
                        var folder = "\(place + 1)"
                        while !taken.insert(folder).inserted { folder += "_" }
                        name = "\(folder)/\(name)"
                    }
                    files.append(File(name: name, digest: digest, modified: provider.modified))
                    // A reader could take a name such as `file:a` for a URL, but never one after `./`.
                    content["file"] = .string("./" + name)
                }
                representations = [.object(content)]
            }
            entries["representations"] = .array(representations)
            composed.append(.object(entries))
        }
        return files
    }

    /// The description, with the attachments that ``attachments()`` has composed.
    func json() throws -> [UInt8] {
        var item: [String: JSONValue] = [:]
        item["title"] = package.receipt.item?.title.map(JSONValue.string)
        item["text"] = package.receipt.item?.text.map(JSONValue.string)
        if !isTextAlone { item["attachments"] = .array(composed) }
        var root: [String: JSONValue] = ["version": 1, "items": [.object(item)]]
        root["id"] = package.senderID.map(JSONValue.string)
        return try JSONLines.encode(JSONValue.object(root)) + [UInt8(ascii: "\n")]
    }

    /// Whether the only provider is the item's own text.
    private var isTextAlone: Bool {
        let receipt = package.receipt
        guard receipt.providers.count == 1, let text = receipt.item?.text else { return false }
        return receipt.providers[0].sha256?.isOfContent(from: text) == true
    }

    /// The readable name. A packed folder gets the ending `.tar`, because the container holds it as an archive.
    private static func fileName(_ provider: Receipt.Provider) -> String {
        let name = BagComposer.plain(provider.name)
        let isPacked = provider.type?.description == "application/x-tar" && !name.lowercased().hasSuffix(".tar")
        return isPacked ? name + ".tar" : name
    }
}
