internal import Files
internal import ShareModel
package import SystemPackage

extension ReadInput {
    /// A path that the user named and that does not exist.
    package static func missing(_ named: FilePath) -> ReadInput {
        .unusable(
            PackageSource(kind: .other, path: named.absolute, folder: nil), ReadingError(.missing, named.whyMissing))
    }

    /// See ``InputAddress/unusable(url:why:)``.
    package static func unusable(url: String, _ why: String) -> ReadInput {
        .unusable(PackageSource(kind: .other, path: FilePath(url), folder: nil), ReadingError(.malformed, why))
    }

    /// The package of one link, or why its address is none.
    package static func link(_ address: String) -> ReadInput {
        func unusable(_ why: String) -> ReadInput { .unusable(url: address, why) }
        let host = address.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2)
        if host.first.map("/?#:".utf8.contains) ?? true {
            return unusable("the web address names no host; write it in full")
        }
        // The lines of `text/uri-list` are links of their own.
        if address.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) {
            return unusable("the web address has a space or a control character; write each address by itself")
        }
        return .package(.link(address))
    }
}

extension FilePath {
    /// Why an argument or the line of a list names no file, with a hint if its form gives one.
    package var whyMissing: String {
        "no such file or folder; \(missingHint)"
    }

    private var missingHint: String {
        let bytes = bytes
        if bytes.contains(UInt8(ascii: "\n")) {
            return "the name has a line feed: quote each name by itself, or leave out -0"
        }
        if bytes.last == UInt8(ascii: "\r") {
            return "the name ends in a carriage return: end the lines with line feeds alone"
        }
        let text = string
        // RFC 3986, 3.1. A scheme of one letter is a drive.
        let scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) }
        let hasScheme =
            scheme.count > 1 && scheme.first?.isLetter == true && text.dropFirst(scheme.count).hasPrefix(":")
        guard hasScheme || text.lowercased().hasPrefix("www.") || beginsWithHost else {
            return "check the name"
        }
        if FileURL.begins(text) { return "a file URL has the whole path: file:///PATH" }
        return "to take in a web address, begin it with http:// or https://"
    }

    /// Whether a relative path of several components begins as a web address without its scheme does: `example.org/page`.
    private var beginsWithHost: Bool {
        guard isRelative, components.count > 1, let first = components.first?.string else { return false }
        let labels = first.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count > 1
            && labels.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" } }
            && labels.last.map { $0.count > 1 && $0.allSatisfy(\.isLetter) } == true
    }
}
