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

extension FilePath {
    /// Why an argument or the line of a list names no file, if its form shows that; otherwise `nil`.
    package var whyMissing: String? {
        let bytes = bytes
        if bytes.contains(UInt8(ascii: "\n")) {
            return "no such file or folder; the name has a line feed: quote each name by itself, or leave out -0"
        }
        if bytes.last == UInt8(ascii: "\r") {
            return "no such file or folder; the name ends in a carriage return: end the lines with line feeds alone"
        }
        let text = string
        // RFC 3986, 3.1. A scheme of one letter is a drive.
        let scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) }
        let hasScheme =
            scheme.count > 1 && scheme.first?.isLetter == true && text.dropFirst(scheme.count).hasPrefix(":")
        guard hasScheme || text.lowercased().hasPrefix("www.") || beginsWithHost else { return nil }
        return "no such file or folder; to take in a web address, begin it with http:// or https://"
    }
}

extension FilePath {
    /// Whether a relative path of several components begins as a web address without its scheme does: `example.org/page`.
    private var beginsWithHost: Bool {
        guard isRelative, components.count > 1, let first = components.first?.string else { return false }
        let labels = first.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count > 1
            && labels.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" } }
            && labels.last.map { $0.count > 1 && $0.allSatisfy(\.isLetter) } == true
    }
}

extension ReadInput {
    /// The package of one link, or why its address is none.
    package static func link(_ address: String) -> ReadInput {
        func unusable(_ why: String) -> ReadInput {
            .unusable(PackageSource(kind: .other, path: FilePath(address), folder: nil), ReadingError(.malformed, why))
        }
        let host = address.drop { $0 != "/" }.dropFirst(2)
        if host.first.map({ "/?#:".contains($0) }) ?? true {
            return unusable("the web address names no host; write it in full")
        }
        // The lines of `text/uri-list` are links of their own.
        if address.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) {
            return unusable("the web address has a space or a control character; write each address by itself")
        }
        return .package(.link(address))
    }
}

extension SharePackage {
    /// A package of one link. Its source is named by the address without the scheme, because two slashes in a row
    /// are one in a path.
    public static func link(_ address: String) -> SharePackage {
        let name = FilePath(String(address.drop { $0 != "/" }.drop { $0 == "/" }))
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
