import Foundation
import SinkKit

/// A link file, in one of the formats of the desktops.
struct LinkFile {
    /// The largest link file, in bytes. Links are short, so a larger file is something else.
    static let maximumBytes = 256 << 10
    /// The largest number of links in one `text/uri-list`.
    static let maximumLinks = 100

    /// The largest number of elements in a `.webloc` file. Such a file has three; one with an icon has a few more.
    static let maximumElements = 1_000

    /// The links, in the order of the file; at least one.
    let links: [String]

    /// - Throws: ``LinkRefusal`` if the file holds no link, or exceeds a limit.
    init(type: String, content: Data) throws(LinkRefusal) {
        links =
            switch type {
            case "text/uri-list": try Self.uriList(content)
            case "application/x-webloc": [try Self.webloc(content)]
            case "application/x-mswinurl": [try Self.internetShortcut(content)]
            case "application/x-desktop": [try Self.desktopEntry(content)]
            default: throw LinkRefusal(why: "\(type) is not a type of link files")
            }
    }

    /// RFC 2483, section 5: one URI on each line; a line that starts with `#` is a comment.
    private static func uriList(_ content: Data) throws(LinkRefusal) -> [String] {
        let links = text(content).split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") }
        guard !links.isEmpty else { throw LinkRefusal(why: "the list holds no link") }
        guard links.count <= maximumLinks else {
            throw LinkRefusal(why: "the list holds \(links.count) links, more than \(maximumLinks)")
        }
        return links
    }

    /// A property list, XML or binary, with the link under the key `URL`.
    private static func webloc(_ content: Data) throws(LinkRefusal) -> String {
        guard elements(of: content) <= maximumElements else {
            throw LinkRefusal(why: "the property list has more than \(maximumElements) elements, too many for a link")
        }
        guard let list = try? PropertyListDecoder().decode(Webloc.self, from: content) else {
            throw LinkRefusal(why: "it is not a property list with a link under URL")
        }
        return list.url
    }

    /// An upper limit for the number of elements, and so for the depth of nesting. Foundation's decoder recurses at
    /// each level, and about ten thousand levels crash the process.
    private static func elements(of content: Data) -> UInt64 {
        guard content.starts(with: Data("bplist".utf8)) else {
            return UInt64(
                content.count { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "(") })
        }
        // The trailer is the last 32 bytes. Its bytes 8 to 15 are the number of objects, big-endian.
        guard content.count >= 40 else { return 0 }
        return content.suffix(32).dropFirst(8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private struct Webloc: Decodable {
        var url: String

        enum CodingKeys: String, CodingKey {
            case url = "URL"
        }
    }

    /// Windows' `.url` format: `URL=` in the section `[InternetShortcut]`. Names are not case-sensitive.
    private static func internetShortcut(_ content: Data) throws(LinkRefusal) -> String {
        let section = section("internetshortcut", of: content) { $0.lowercased() }
        guard let link = section["url"] else { throw LinkRefusal(why: "the section [InternetShortcut] has no URL") }
        return link
    }

    /// The Desktop Entry Specification of freedesktop.org: `URL=` in the section `[Desktop Entry]`, with `Type=Link`.
    private static func desktopEntry(_ content: Data) throws(LinkRefusal) -> String {
        let entry = section("Desktop Entry", of: content) { $0 }
        guard entry["Type"] == "Link" else {
            let type = entry["Type"].map { "of type \($0.prefix(40))" } ?? "without a type"
            throw LinkRefusal(why: "the desktop entry is \(type), not a link")
        }
        guard let link = entry["URL"] else { throw LinkRefusal(why: "the desktop entry has no URL") }
        return unescaped(link)
    }

    /// The keys and values of one section of an INI file. If a key occurs several times, its first value counts.
    private static func section(
        _ name: String, of content: Data, folding: (String) -> String
    ) -> [String: String] {
        var values: [String: String] = [:]
        var inside = false
        for line in text(content).split(whereSeparator: \.isNewline) {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("["), line.hasSuffix("]") {
                inside = folding(String(line.dropFirst().dropLast())) == name
            } else if inside, let equals = line.firstIndex(of: "=") {
                let key = folding(line[..<equals].trimmingCharacters(in: .whitespaces))
                let value = line[line.index(after: equals)...].trimmingCharacters(in: .whitespaces)
                values[key] = values[key] ?? value
            }
        }
        return values
    }

    /// Decodes the escapes of a desktop entry: space, line feed, tab, carriage return and backslash.
    private static func unescaped(_ value: String) -> String {
        let meanings: [Character: Character] = ["s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\"]
        var result = ""
        var rest = value[...]
        while let character = rest.popFirst() {
            if character == "\\", let next = rest.first, let meaning = meanings[next] {
                rest.removeFirst()
                result.append(meaning)
            } else {
                result.append(character)
            }
        }
        return result
    }

    /// Decodes UTF-16 with a byte order mark, UTF-8, or otherwise Latin 1, which old Windows programs wrote.
    private static func text(_ content: Data) -> String {
        if content.starts(with: [0xFF, 0xFE]) || content.starts(with: [0xFE, 0xFF]) {
            return String(data: content, encoding: .utf16) ?? ""
        }
        let bytes = content.starts(with: [0xEF, 0xBB, 0xBF]) ? content.dropFirst(3) : content
        return String(data: bytes, encoding: .utf8) ?? String(bytes.map { Character(Unicode.Scalar($0)) })
    }
}

/// Reads a small file completely.
///
/// - Throws: ``LinkRefusal`` if the file is larger than ``LinkFile/maximumBytes``; ``SinkFailure`` if it cannot be
///   read.
func boundedContent(of path: String) throws -> Data {
    do {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? file.close() }
        let content = try file.read(upToCount: LinkFile.maximumBytes + 1) ?? Data()
        guard content.count <= LinkFile.maximumBytes else {
            throw LinkRefusal(why: "the file is larger than \(LinkFile.maximumBytes) bytes, too large for a link")
        }
        return content
    } catch let refusal as LinkRefusal {
        throw refusal
    } catch {
        throw SinkFailure(.transient, "the content cannot be read: \(error.localizedDescription)")
    }
}
