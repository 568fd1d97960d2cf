internal import Files
internal import FoundationEssentials
internal import GroupContainer
internal import ShareModel
internal import SystemPackage

/// A described package as the container keeps it: everything that the sender wrote, with inline data replaced by its
/// digest.
///
/// So a receipt can be understood later, and an unfinished package can be finished. A plain file has no manifest,
/// because its row says as much.
enum Manifest {
    /// The manifest as JSON. The same package gives the same bytes.
    static func bytes(of package: SharePackage) throws -> [UInt8] {
        try JSONLines.encode(value(of: package))
    }

    private static func value(of package: SharePackage) -> JSONValue {
        object([("version", 1), ("id", text(package.id)), ("items", .array(package.items.map(value)))])
    }

    private static func value(of item: ExtensionItem) -> JSONValue {
        object([
            ("title", text(item.title)), ("text", text(item.text)),
            ("attachments", .array(item.attachments.map(value))),
        ])
    }

    private static func value(of provider: ItemProvider) -> JSONValue {
        object([
            ("name", text(provider.suggestedName)), ("group", text(provider.group)),
            ("role", provider.role == .content ? nil : .string(provider.role.rawValue)),
            ("representations", .array(provider.representations.map(value))),
        ])
    }

    private static func value(of representation: Representation) -> JSONValue {
        let content: (String, JSONValue) =
            switch representation.content {
            case .text(let text): ("text", .string(text))
            case .link(let text): ("link", .string(text))
            case .data(let bytes):
                ("data", ["sha256": .string(Digest(of: bytes).description), "size": .integer(Int64(bytes.count))])
            case .part(let part): ("part", value(of: part))
            case .file(.url(let url)): ("file", .string(url))
            case .file(.path(let path)): ("file_base64", base64(path))
            }
        return object([("type", text(representation.declaredType)), content])
    }

    private static func value(of part: PartReference) -> JSONValue {
        object([
            ("index", .integer(Int64(part.index))), ("path_base64", base64(part.path)),
            ("size", part.size.map(JSONValue.integer)),
        ])
    }

    // A path is bytes, and they need not be UTF-8.
    private static func base64(_ path: FilePath) -> JSONValue { .string(Data(path.bytes).base64EncodedString()) }

    private static func text(_ text: String?) -> JSONValue? { text.map(JSONValue.string) }

    /// An object with the keys that have a value.
    private static func object(_ entries: [(String, JSONValue?)]) -> JSONValue {
        .object(Dictionary(entries.compactMap { key, value in value.map { (key, $0) } }) { $1 })
    }
}
