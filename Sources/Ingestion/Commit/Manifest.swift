internal import GroupContainer
internal import ShareModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A described package as it is kept: all that the sender wrote, with inline data replaced by its digest.
///
/// So a receipt can be understood later, and what was not settled can be finished. The manifest of a plain file would
/// say nothing that its row does not.
enum Manifest {
    /// The manifest as JSON, the same bytes for the same package.
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
            case .file(.url(let url)): ("file", .string(url))
            case .file(.path(let path)): ("file_base64", .string(Data(path.bytes).base64EncodedString()))
            }
        return object([("type", text(representation.declaredType)), content])
    }

    private static func text(_ text: String?) -> JSONValue? { text.map(JSONValue.string) }

    /// An object without the keys that have no value.
    private static func object(_ entries: [(String, JSONValue?)]) -> JSONValue {
        .object(Dictionary(entries.compactMap { key, value in value.map { (key, $0) } }) { $1 })
    }
}
