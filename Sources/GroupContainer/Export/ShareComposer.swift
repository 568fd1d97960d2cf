internal import ShareModel

/// The description of a package as it is in the container: of the item that was chosen, and of each provider what was
/// chosen of it.
struct ShareComposer {
    /// The longest link that is written into the description.
    private static let linkBytes: Int64 = 64 << 10

    private let package: StoredPackage
    private let object: (Digest) throws -> [UInt8]
    /// What the sender said of each attachment: group and role.
    private let claims: [JSONValue]
    private var composed: [JSONValue] = []

    /// A file beside the description.
    struct File {
        let name: String
        let digest: Digest
    }

    init(package: StoredPackage, object: @escaping (Digest) throws -> [UInt8]) throws {
        self.package = package
        self.object = object
        guard let first = package.records.first, let item = package.receipt.item?.index,
            let manifest = try? JSONLines.decode(JSONValue.self, from: object(first)),
            case .array(let items)? = manifest["items"], items.indices.contains(item),
            case .array(let attachments)? = items[item]["attachments"]
        else {
            claims = []
            return
        }
        claims = attachments
    }

    /// The files that the description names.
    mutating func attachments() throws -> [File] {
        guard !isTextAlone else { return [] }
        var files: [File] = []
        // Names that differ in case alone are one on some file systems.
        var taken: Set<String> = ["share.json"]
        for provider in package.receipt.providers {
            var entries: [String: JSONValue] = ["name": .string(provider.suggestedName ?? provider.name)]
            if claims.indices.contains(provider.index) {
                for key in ["group", "role"] { entries[key] = claims[provider.index][key] }
            }
            var representations: [JSONValue] = []
            if let digest = provider.sha256 {
                var content: [String: JSONValue] = [:]
                let attempt = provider.tried.first { $0.representation == provider.chosen }
                content["type"] = attempt?.declared.map(JSONValue.string)
                if attempt?.form == .link, provider.size ?? 0 <= Self.linkBytes {
                    content["link"] = .string(String(decoding: try object(digest), as: UTF8.self))
                } else {
                    var name = Self.fileName(provider)
                    if !taken.insert(name.lowercased()).inserted { name = "\(provider.index + 1)/\(name)" }
                    files.append(File(name: name, digest: digest))
                    // So that a name like a URL is none.
                    content["file"] = .string("./" + name)
                }
                representations = [.object(content)]
            }
            entries["representations"] = .array(representations)
            composed.append(.object(entries))
        }
        return files
    }

    /// The description, after its attachments were asked for.
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
        guard receipt.providers.count == 1, let text = receipt.item?.text, let digest = receipt.providers[0].sha256
        else { return false }
        return digest == Digest(of: text) || digest == Digest(of: text.trimmed)
    }

    /// The readable name; a folder that was packed says that it is an archive.
    private static func fileName(_ provider: Receipt.Provider) -> String {
        let name = BagComposer.plain(provider.name)
        let isPacked = provider.type?.description == "application/x-tar" && !name.lowercased().hasSuffix(".tar")
        return isPacked ? name + ".tar" : name
    }
}

extension JSONValue {
    /// The value of a key; `nil` where there is none, or this is no object.
    fileprivate subscript(_ key: String) -> JSONValue? {
        guard case .object(let object) = self else { return nil }
        return object[key]
    }
}
