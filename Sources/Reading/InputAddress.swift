public import ShareModel
public import SystemPackage

/// An input as a person names it: a path, a file URL or a web address.
public enum InputAddress: Sendable, Hashable {
    /// A file or a folder. A relative path starts at the working folder.
    case path(FilePath)
    /// A web address, which comes in as a link. Nothing is fetched.
    case link(String)
    /// A URL that names no file of this machine, and is no link.
    case unusable(url: String, why: String)

    private static let schemes = ["http://", "https://"]

    /// The address that an argument or the line of a list has. Bytes that begin with `http://` or `https://` are a web
    /// address, and those that begin with `file:/` are the URL of a path; `./http:/…` is a path.
    public init(bytes: [UInt8]) {
        let begin = String(decoding: bytes.prefix(8), as: UTF8.self).lowercased().utf8
        let isFile = begin.starts(with: "file:/".utf8)
        guard isFile || Self.schemes.contains(where: { begin.starts(with: $0.utf8) }) else {
            self = .path(FilePath(bytes: bytes))
            return
        }
        // The lines of `text/uri-list` end with a carriage return, too (RFC 2483, section 5).
        let bytes = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let url = String(decoding: bytes, as: UTF8.self)
            self = .unusable(url: url, why: "it is not UTF-8; write its other bytes as % and two digits, such as %E9")
            return
        }
        self = isFile ? Self.file(text) : .link(text)
    }

    /// The path that a file URL names.
    private static func file(_ url: String) -> InputAddress {
        func unusable(_ why: String) -> InputAddress { .unusable(url: url, why: why) }
        // The lines of `text/uri-list` are files of their own.
        if url.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            return unusable("the file URL has a control character; write each URL by itself")
        }
        // File managers encode these signs. As they are, they end the path, which would then be that of another file.
        // A combining mark hides none of them.
        if let sign = url.unicodeScalars.first(where: { $0 == "#" || $0 == "?" }) {
            return unusable("the file URL has a \(sign); write it as \(sign == "#" ? "%23" : "%3F")")
        }
        do { return .path(try FileURL.path(url)) } catch { return unusable("it \(error.reason)") }
    }
}

extension InputAddress {
    /// The path; `nil` for a web address, and for a URL that names no file.
    public var path: FilePath? { if case .path(let path) = self { path } else { nil } }
}

extension SharePackage {
    /// A package of one link. Each address is a source of its own; those that differ only in their passwords are one. It is
    /// named by the address, without `https://` and without the password, because names are shown.
    public static func link(_ address: String) -> SharePackage {
        let scheme = "https://"
        let rest = address.hasPrefix(scheme) ? String(address.dropFirst(scheme.count)) : address
        // `https://http://a` is another address than `http://a`.
        let isAddress = if case .link = InputAddress(bytes: Array(rest.utf8)) { true } else { false }
        let name = FilePath(webAddress: (isAddress ? address : rest).withoutPassword)
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
