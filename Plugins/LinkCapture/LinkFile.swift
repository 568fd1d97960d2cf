import Foundation
import SinkKit

/// A file that stands for a link, in one of the forms of the desktops.
struct LinkFile {
    /// The most that is read of any file, in bytes. Links are short; a file beyond this is something else.
    static let maximumBytes = 256 << 10
    /// The most links that one `text/uri-list` may bring.
    static let maximumLinks = 100

    /// The most elements of a property list that is a link file. A link file has three, and one with an icon a few more.
    static let maximumElements = 1_000

    /// As the file has them, at least one.
    let links: [String]

    /// - Throws: ``LinkRefusal`` where the file holds no link.
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

    /// RFC 2483, section 5: one URI a line, comments begin with `#`.
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

    /// A property list, XML or binary, with the link under `URL`.
    private static func webloc(_ content: Data) throws(LinkRefusal) -> String {
        guard elements(of: content) <= maximumElements else {
            throw LinkRefusal(why: "the property list has more than \(maximumElements) elements, too many for a link")
        }
        guard let list = try? PropertyListDecoder().decode(Webloc.self, from: content) else {
            throw LinkRefusal(why: "it is no property list with a link under URL")
        }
        return list.url
    }

    /// How many elements a property list may have at most, and so how deeply they may be nested: Foundation's decoder
    /// calls itself for each level, and some ten thousand levels end the process.
    private static func elements(of content: Data) -> UInt64 {
        guard content.starts(with: Data("bplist".utf8)) else {
            return UInt64(
                content.count { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "(") })
        }
        // The trailer is the last 32 bytes; from its ninth on, the number of objects, big-endian.
        guard content.count >= 40 else { return 0 }
        return content.suffix(32).dropFirst(8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private struct Webloc: Decodable {
        var url: String

        enum CodingKeys: String, CodingKey {
            case url = "URL"
        }
    }

    /// Windows' `.url`: `URL=` in the section `[InternetShortcut]`; names are the same in either case.
    private static func internetShortcut(_ content: Data) throws(LinkRefusal) -> String {
        let section = section("internetshortcut", of: content) { $0.lowercased() }
        guard let link = section["url"] else { throw LinkRefusal(why: "the section [InternetShortcut] has no URL") }
        return link
    }

    /// The freedesktop Desktop Entry Specification: `URL=` in `[Desktop Entry]`, where `Type=Link`.
    private static func desktopEntry(_ content: Data) throws(LinkRefusal) -> String {
        let entry = section("Desktop Entry", of: content) { $0 }
        guard entry["Type"] == "Link" else {
            let type = entry["Type"].map { "of type \($0.prefix(40))" } ?? "without a type"
            throw LinkRefusal(why: "the desktop entry is \(type), not a link")
        }
        guard let link = entry["URL"] else { throw LinkRefusal(why: "the desktop entry has no URL") }
        return unescaped(link)
    }

    /// The keys and values of one section of an INI file; a key given twice keeps its first value.
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

    /// Values of a desktop entry escape space, line feed, tab, return and the backslash.
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

    /// UTF-8, or UTF-16 after its byte order mark, or else Latin 1, as old Windows programs wrote it.
    private static func text(_ content: Data) -> String {
        if content.starts(with: [0xFF, 0xFE]) || content.starts(with: [0xFE, 0xFF]) {
            return String(data: content, encoding: .utf16) ?? ""
        }
        let bytes = content.starts(with: [0xEF, 0xBB, 0xBF]) ? content.dropFirst(3) : content
        return String(data: bytes, encoding: .utf8) ?? String(bytes.map { Character(Unicode.Scalar($0)) })
    }
}

/// The whole of a small file.
///
/// - Throws: ``LinkRefusal`` where it is larger than ``LinkFile/maximumBytes``, ``SinkFailure`` where it cannot be read.
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
        throw SinkFailure(.transient, "\(path) cannot be read: \(error.localizedDescription)")
    }
}
