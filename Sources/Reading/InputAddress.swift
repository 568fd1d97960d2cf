public import ShareModel
public import SystemPackage

/// An input as a person names it: a path or a web address.
public enum InputAddress: Sendable, Hashable {
    /// A file or a folder. A relative path starts at the working folder.
    case path(FilePath)
    /// A web address, which comes in as a link. Nothing is fetched.
    case link(String)

    private static let schemes = ["http://", "https://"]

    /// The address that an argument or the line of a list has. Bytes that begin with `http://` or `https://` are a web
    /// address; `./http:/…` is a path.
    public init(bytes: [UInt8]) {
        let begin = String(decoding: bytes.prefix(8), as: UTF8.self).lowercased()
        guard Self.schemes.contains(where: begin.hasPrefix), let text = String(validating: bytes, as: UTF8.self) else {
            self = .path(FilePath(bytes: bytes))
            return
        }
        self = .link(text)
    }
}

extension InputAddress {
    /// The path; `nil` for a web address.
    public var path: FilePath? { if case .path(let path) = self { path } else { nil } }
}

extension SharePackage {
    /// A package of one link. Each address is a source of its own. It is named by the address, without `https://`.
    public static func link(_ address: String) -> SharePackage {
        let scheme = "https://"
        let rest = address.hasPrefix(scheme) ? String(address.dropFirst(scheme.count)) : address
        // `https://http://a` is another address than `http://a`.
        let name = FilePath(webAddress: InputAddress(bytes: Array(rest.utf8)).path == nil ? address : rest)
        let source = PackageSource(kind: .link, path: name.isEmpty ? "link" : name, folder: nil)
        let provider = ItemProvider(representations: [Representation(content: .link(address))])
        return SharePackage(source: source, items: [ExtensionItem(attachments: [provider])])
    }

    /// A package of one text.
    public static func note(title: String? = nil, text: String) -> SharePackage {
        let source = PackageSource(kind: .submitted, path: "text", folder: nil)
        return SharePackage(source: source, items: [ExtensionItem(title: title, text: text)])
    }
}
